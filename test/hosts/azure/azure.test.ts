/** What is Azure DevOps' own about its adapter; what all hosts have in common is in test/contracts. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { azure as host } from '../../../src/hosts/azure/index.ts'
import type { ChangeAddress, HostAccess, PlannedReview } from '../../../src/hosts/remote/contract.ts'
import { openTransport } from '../../../src/hosts/remote/transport.ts'
import { temporaryFolder } from '../../helpers/git-repo.ts'
import { readScopes, startAzure, writeScopes } from '../../helpers/hosts/azure/server.ts'
import { blockAfter, runScript } from '../../helpers/run-recipe.ts'
import { root } from '../../helpers/sightline.ts'

const lines = (count: number) =>
  `${Array.from({ length: count }, (_, index) => `line ${index + 1}`).join('\n')}\n`
const signal = new AbortController().signal

async function setUp() {
  const fake = await startAzure()
  onTestFinished(() => fake.close())
  const project = fake.world.createProject('acme/web/shop', { files: { 'a.txt': lines(40) } })
  project.roles.set('sightline', 'write')
  const files = { 'a.txt': lines(40).replace('line 20\n', 'new 20\nnew 21\n'), 'new.txt': 'one\ntwo\n' }
  const change = project.open({ branch: 'topic', files, title: 'Faster', body: '' })
  const address: ChangeAddress = {
    ...{ kind: 'azure', host: new URL(fake.url).host, webUrl: fake.url, apiUrl: fake.url },
    ...{ owner: ['acme', 'web'], name: 'shop', number: 1 },
  }
  const access = (token: string | null, send: typeof fetch = fetch): HostAccess => ({
    ...{ token, tokenName: 'SIGHTLINE_AZURE_TOKEN' },
    fetch: openTransport({ sleep: async () => {}, fetch: send }),
  })
  const writer = host.openWriter(address, access(fake.addToken('sightline')))
  const review = (more: Partial<PlannedReview> = {}): PlannedReview => ({
    ...{ head: change.head, base: change.mergeBase, body: 'Summary', comments: [comment] },
    ...more,
  })
  return { fake, project, change, address, access, writer, review }
}

const at = (old: number | null, now: number | null) => ({ old, new: now, counted: { old: 20, new: 20 } })
const comment: PlannedReview['comments'][number] = {
  ...{ path: 'a.txt', oldPath: 'a.txt', side: 'new', body: 'Look' },
  ...{ start: at(null, 20), end: at(null, 21) },
}

test('comments are on ranges of either side, and bodies wait for nobody', async () => {
  const { fake, change, writer, review } = await setUp()
  const removed = { ...comment, side: 'old' as const, start: at(20, null), end: at(20, null) }
  await writer.postReview(review({ comments: [comment, removed] }), signal)
  expect(change.threads.map(({ anchor }) => [anchor?.side, anchor?.startLine, anchor?.line])).toEqual([
    ['new', 20, 21],
    ['old', 20, 20],
  ])
  const states = fake.state.talks(change).map((talk) => fake.state.stateOf(talk))
  expect(states).toEqual(['active', 'active', 'closed'])
  const { threads, bodies } = await writer.readState(signal)
  expect(threads.map(({ line, posted }) => [line, posted?.side, posted?.commit])).toEqual([
    [21, 'new', change.head],
    [20, 'old', change.head],
  ])
  expect(bodies).toMatchObject([{ body: 'Summary' }])
  expect(fake.violations).toEqual([])
})

test('a comment moves with its lines, and keeps where it was written', async () => {
  const { fake, change, writer, review } = await setUp()
  await writer.postReview(review(), signal)
  const before = change.head
  change.push({ 'a.txt': `above\n${lines(40).replace('line 20\n', 'new 20\nnew 21\n')}` })
  const { threads } = await writer.readState(signal)
  expect(threads).toMatchObject([{ line: 22, posted: { line: 21, commit: before } }])
  expect(fake.violations).toEqual([])
})

test('a file that is in no list of changes refuses the whole review, and a comment that is refused takes others back', async () => {
  const { fake, change, writer, review } = await setUp()
  const elsewhere = { ...comment, path: 'b.txt', oldPath: 'b.txt' }
  const refused = { name: 'AnchorsRefused' }
  await expect(writer.postReview(review({ comments: [comment, elsewhere] }), signal)).rejects.toMatchObject(
    refused,
  )
  const isThread = ({ path, isWrite }: { path: string; isWrite: boolean }) =>
    isWrite && path.endsWith('/threads')
  fake.faults.at(2, { kind: 'fail-before', status: 400 }, isThread)
  await expect(writer.postReview(review({ comments: [comment, comment] }), signal)).rejects.toMatchObject(
    refused,
  )
  expect([...change.threads, ...change.comments]).toEqual([])
  expect((await writer.readState(signal)).threads).toEqual([])
  expect(fake.violations).toEqual([])
})

test('the words of the server and of nobody are not read', async () => {
  const { fake, change, address, access } = await setUp()
  const note = change.comment('ada', 'A word')
  change.deleteNote(change.comment('ada', 'Taken back'))
  change.push({ 'new.txt': 'one\n' })
  const { discussion, limits } = await host
    .openReader(address, access(fake.addToken('sightline')))
    .read(signal)
  expect([discussion.map(({ body }) => body), limits]).toEqual([[note.body], []])
})

test('without the scope for identities nobody may command, and the change is read all the same', async () => {
  const { fake, change, project, address, access } = await setUp()
  project.roles.set('ada', 'write')
  const note = change.comment('ada', '@sightline review')
  const place = { number: 1, place: 'thread', id: fake.state.idOf(change, note.id) } as const
  const asked = (scopes: readonly string[]) => access(fake.addToken('sightline', scopes))
  const read = (scopes: readonly string[]) =>
    host.openRepository(address, asked(scopes)).readComment(place, signal)
  expect((await read(readScopes))?.author.trust).toBe('member')
  await expect(read(['vso.code'])).rejects.toMatchObject({ code: 'host-refused' })
  const { changeRequest, limits } = await host.openReader(address, asked(['vso.code'])).read(signal)
  expect(changeRequest.author.trust).toBe('unknown')
  expect(limits).toEqual([expect.stringContaining('what people may do could not be read')])
})

test('a page for signing in is a refusal', async () => {
  const { address, access } = await setUp()
  const page = async () => new Response('<html>Sign in</html>', { status: 203 })
  const reader = host.openReader(address, access('expired', page))
  await expect(reader.read(signal)).rejects.toMatchObject({ code: 'host-refused' })
})

test('a personal token is a password, a token of a job or of Entra a bearer', async () => {
  const { address, access } = await setUp()
  const sent = async (token: string) => {
    const seen: (string | null)[] = []
    const note = async (_: unknown, init?: RequestInit) => {
      seen.push(new Headers(init?.headers).get('authorization'))
      return new Response('{}', { status: 404 })
    }
    const reader = host.openReader(address, access(token, note as typeof fetch))
    await expect(reader.readHead(signal)).rejects.toMatchObject({ code: 'change-request-unknown' })
    return seen
  }
  expect(await sent('secret')).toEqual([`Basic ${Buffer.from(':secret').toString('base64')}`])
  expect(await sent('eyJhbGciOi.eyJhdWQi.c2ln')).toEqual(['Bearer eyJhbGciOi.eyJhdWQi.c2ln'])
})

test('what the recipe for Azure Pipelines runs posts a review with the token of the job', async () => {
  const { fake, project, change } = await setUp()
  const pair = 'export const pair = ["AKIAZ3MGWXQ7T5LPRB2C", "q7Yx2LmV9cT4pRkN8sWbZ1dF6hJgA3eUoIyXvB0M"]\n'
  change.push({ 'pair.ts': pair })
  const page = readFileSync(join(root, 'docs/ci.md'), 'utf8')
  const { steps } = parse(blockAfter(page, '\n## Azure Pipelines', 'yaml'))
  const step = steps.find(({ script }: { script?: string }) => script)
  expect(step.env).toEqual({ SYSTEM_ACCESSTOKEN: '$(System.AccessToken)' })
  const { code, log } = await runScript(step.script, {
    folder: temporaryFolder(),
    env: {
      ...{ TF_BUILD: 'True', SYSTEM_COLLECTIONURI: `${fake.url}/acme/`, SYSTEM_TEAMPROJECT: 'web' },
      ...{ BUILD_REPOSITORY_NAME: project.name, SYSTEM_PULLREQUEST_PULLREQUESTID: String(change.number) },
      SYSTEM_ACCESSTOKEN: fake.addToken('sightline', writeScopes),
    },
  })
  expect([code, log]).toEqual([0, expect.any(String)])
  expect(change.threads.map(({ path }) => path)).toContain('pair.ts')
  expect(fake.state.statuses.map(({ context, state }) => [context.name, state])).toEqual([
    ['review', 'succeeded'],
  ])
  expect(fake.violations).toEqual([])
})

test('a list leaves out a pull request that the server is still preparing', async () => {
  const { fake, project, address, access } = await setUp()
  project.open({ branch: 'ready', files: { 'b.txt': 'one\n' }, title: 'Ready' })
  const preparing: typeof fetch = async (input, init) => {
    const { value } = (await (await fetch(input, init)).json()) as { value: { title: string }[] }
    return Response.json({
      value: value.map((pull) =>
        pull.title === 'Ready' ? pull : { ...pull, lastMergeSourceCommit: undefined },
      ),
    })
  }
  const reader = host.openRepository(address, access(fake.addToken('sightline'), preparing))
  expect((await reader.listOpen(signal)).map(({ title }) => title)).toEqual(['Ready'])
})
