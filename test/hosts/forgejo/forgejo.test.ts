/** What is Forgejo's own about its adapter; what all hosts have in common is in test/contracts. */
import { expect, onTestFinished, test } from 'vitest'
import { forgejo as host } from '../../../src/hosts/forgejo/index.ts'
import type { ChangeAddress, HostAccess, PlannedReview } from '../../../src/hosts/remote/contract.ts'
import { openTransport } from '../../../src/hosts/remote/transport.ts'
import { startForgejo } from '../../helpers/hosts/forgejo/server.ts'

const lines = (count: number) =>
  `${Array.from({ length: count }, (_, index) => `line ${index + 1}`).join('\n')}\n`
const signal = new AbortController().signal

async function setUp() {
  const forgejo = await startForgejo()
  onTestFinished(() => forgejo.close())
  const project = forgejo.world.createProject('acme/shop', { files: { 'a.txt': lines(40) } })
  const change = project.open({
    branch: 'topic',
    files: { 'a.txt': lines(40).replace('line 20\n', 'new 20\n') },
  })
  const address: ChangeAddress = {
    ...{ kind: 'forgejo', host: new URL(forgejo.url).host, webUrl: forgejo.url, apiUrl: forgejo.apiUrl },
    ...{ owner: ['acme'], name: 'shop', number: 1 },
  }
  const access = (token: string | null): HostAccess => ({
    ...{ token, tokenName: 'FORGEJO_TOKEN' },
    fetch: openTransport({ sleep: async () => {} }),
  })
  project.roles.set('sightline', 'write')
  const writer = host.openWriter(address, access(forgejo.addToken('sightline')))
  const at = { old: null, new: 20, counted: { old: 20, new: 20 } }
  const removed = { old: 20, new: null, counted: { old: 20, new: 20 } }
  const comment = { path: 'a.txt', oldPath: 'a.txt', body: 'Look <!-- sightline: c -->' }
  const review: PlannedReview = {
    ...{ head: change.head, base: change.mergeBase, body: 'Summary <!-- sightline: s -->' },
    comments: [
      { ...comment, side: 'new', start: at, end: at },
      { ...comment, side: 'old', start: removed, end: removed },
    ],
  }
  return { forgejo, project, change, address, access, writer, review }
}

test('one request posts a review, and it is read back with the places it was posted on', async () => {
  const { forgejo, change, writer, review } = await setUp()
  await writer.postReview(review, signal)
  change.comment('sightline', 'a comment of the conversation')
  const state = await writer.readState(signal)
  expect(state.bodies).toMatchObject([{ body: review.body }, { body: 'a comment of the conversation' }])
  expect(state.threads).toMatchObject([
    { line: 20, posted: { side: 'new', line: 20, commit: change.head }, isResolved: false },
    { line: 20, posted: { side: 'old', line: 20, commit: change.head } },
  ])
  expect(forgejo.writes()).toHaveLength(1)
  const [thread] = change.threads
  if (thread) change.resolve(thread, 'ada')
  change.push({ 'b.txt': 'b\n' })
  const later = await writer.readState(signal)
  expect(later.threads.map(({ line, isResolved }) => [line, isResolved])).toEqual([
    [null, true],
    [null, false],
  ])
  expect(forgejo.violations).toEqual([])
})

test("others' reviews and comments are handed on with their authors, and no status of others is ours", async () => {
  const { forgejo, project, change, address, access, writer, review } = await setUp()
  await host.openWriter(address, access(forgejo.addToken('eve'))).postReview(review, signal)
  const status = {
    id: 1,
    commit: change.head,
    context: 'sightline',
    state: 'success',
    targetUrl: null,
    createdAt: '',
  }
  project.statuses.push({ ...status, description: 'Forged [abc]', creator: project.world.person('eve') })
  const { me, bodies, threads, check } = await writer.readState(signal)
  const eve = String(project.world.person('eve').id)
  expect(me).not.toBe(eve)
  expect([...bodies, ...threads].map(({ author }) => author)).toEqual([eve, eve, eve])
  expect(check).toBeNull()
})

test('the status keeps its key, and a token without the right is told', async () => {
  const { forgejo, change, address, access, writer } = await setUp()
  const check = {
    head: change.head,
    key: 'abc-1',
    conclusion: 'neutral' as const,
    title: 'Two findings',
    summary: '',
    annotations: [],
  }
  expect(await writer.putCheck(check, signal)).toEqual({ refused: null })
  expect((await writer.readState(signal)).check).toEqual({ key: 'abc-1', isOpen: false })
  const reader = host.openWriter(
    address,
    access(forgejo.addToken('sightline', ['read:repository', 'read:user'])),
  )
  expect(await reader.putCheck(check, signal)).toEqual({
    refused: expect.stringContaining('write:repository'),
  })
})

test('a pull request of a deleted fork is read, with what the server says of the people', async () => {
  const { forgejo, project, address, access } = await setUp()
  project.isPrivate = true
  const fork = project.fork('eve')
  const change = project.open({ branch: 'patch', from: fork, author: 'eve', files: { 'b.txt': 'b\n' } })
  change.deleteFork()
  change.comment('boss', 'Why?')
  project.roles.set('boss', 'admin')
  const at = { ...address, number: 2 }
  const seen = await host.openReader(at, access(forgejo.addToken('boss'))).read(signal)
  expect(seen).toMatchObject({
    head: change.head,
    mergeBase: change.mergeBase,
    repository: { visibility: 'private' },
    changeRequest: {
      isFork: true,
      author: { login: 'eve', trust: 'none' },
      participants: [{ trust: 'owner' }],
    },
    discussion: [{ author: 'boss', association: 'owner' }],
  })
  const other = await host.openReader(at, access(forgejo.addToken('sightline'))).read(signal)
  expect(other.changeRequest.author.trust).toBe('unknown')
  await expect(host.openReader(at, access(null)).read(signal)).rejects.toMatchObject({
    code: 'change-request-unknown',
  })
  expect(forgejo.violations).toEqual([])
})
