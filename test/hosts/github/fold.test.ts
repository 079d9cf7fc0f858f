/** Without the right to resolve threads, what was fixed is answered and hidden. */
import { expect, onTestFinished, test } from 'vitest'
import { github } from '../../../src/hosts/github/index.ts'
import { openTransport } from '../../../src/hosts/remote/transport.ts'
import { startGitHub } from '../../helpers/hosts/github/server.ts'

test('a thread that may not be resolved is answered and hidden, and counts as closed', async () => {
  const fake = await startGitHub()
  onTestFinished(() => fake.close())
  const project = fake.world.createProject('acme/shop', { files: { 'a.ts': 'one\n' } })
  const change = project.open({ branch: 'topic', files: { 'a.ts': 'one\ntwo\n' } })
  const { host } = new URL(fake.url)
  const token = fake.state.addReviewerToken([project])
  const writer = github.openWriter(
    {
      ...{ kind: 'github', host, webUrl: fake.url, apiUrl: `${fake.url}/api/v3` },
      ...{ owner: ['acme'], name: 'shop', number: change.number },
    },
    { token, tokenName: 'GITHUB_TOKEN', fetch: openTransport() },
  )
  const { signal } = new AbortController()
  const line = { old: null, new: 2, counted: { old: 2, new: 2 } }
  const comment = { path: 'a.ts', oldPath: 'a.ts', side: 'new' as const, start: line, end: line }
  const comments = [{ ...comment, body: 'Wrong. <!-- sightline:1 e30= 0 -->' }]
  await writer.postReview({ head: change.head, base: change.mergeBase, body: 'One.', comments }, signal)
  const [before] = (await writer.readState(signal)).threads
  expect(before?.isResolved).toBe(false)
  const closings = [{ thread: before?.id ?? '', reply: 'Fixed in abc.' }]
  const { refused } = await writer.closeThreads(closings, signal)
  expect(refused).toBeNull()
  const [thread] = change.threads
  expect(thread?.notes.map(({ body }) => body)[1]).toBe('Fixed in abc.')
  expect(thread?.resolvedBy).toBeNull()
  expect([...fake.state.minimized]).toEqual([thread?.firstNote])
  const [after] = (await writer.readState(signal)).threads
  expect(after).toMatchObject({ isResolved: true, replies: [{ body: 'Fixed in abc.' }] })
  expect(fake.violations).toEqual([])
})
