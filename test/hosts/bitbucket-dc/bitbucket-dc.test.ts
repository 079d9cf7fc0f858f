/** What is Bitbucket Data Center's own about its adapter; what all hosts have in common is in test/contracts. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { bitbucketDc as host } from '../../../src/hosts/bitbucket-dc/index.ts'
import type { ChangeAddress, HostAccess, PlannedReview } from '../../../src/hosts/remote/contract.ts'
import { openTransport } from '../../../src/hosts/remote/transport.ts'
import { temporaryFolder } from '../../helpers/git-repo.ts'
import { startBitbucketDc } from '../../helpers/hosts/bitbucket-dc/server.ts'
import { blockAfter, runScript } from '../../helpers/run-recipe.ts'
import { root } from '../../helpers/sightline.ts'

const lines = (count: number) =>
  `${Array.from({ length: count }, (_, index) => `line ${index + 1}`).join('\n')}\n`
const signal = new AbortController().signal
const tokenName = 'BITBUCKET_DC_TOKEN'

async function setUp() {
  const fake = await startBitbucketDc()
  onTestFinished(() => fake.close())
  const project = fake.world.createProject('ACME/shop', { files: { 'a.txt': lines(40) } })
  project.roles.set('sightline', 'read')
  const files = { 'a.txt': lines(40).replace('line 20\n', 'new 20\nnew 21\n') }
  const change = project.open({ branch: 'topic', files, author: 'eve' })
  const address: ChangeAddress = {
    ...{ kind: 'bitbucket-dc', host: new URL(fake.url).host, webUrl: fake.url, apiUrl: fake.apiUrl },
    ...{ owner: ['ACME'], name: 'shop', number: change.number },
  }
  const access = (token: string | null, send: typeof fetch = fetch): HostAccess => ({
    ...{ token, tokenName, fetch: openTransport({ sleep: async () => {}, fetch: send }) },
  })
  const open = (send?: typeof fetch) => host.openWriter(address, access(fake.addToken('sightline'), send))
  const review: PlannedReview = {
    ...{ head: change.head, base: change.mergeBase, body: 'Summary\n\n<!-- sightline:1 bm90 0 -->' },
    comments: [
      { ...comment, side: 'new', start: at(18, 18), end: at(null, 21, 21) },
      { ...comment, side: 'old', start: at(20, null), end: at(20, null) },
    ],
  }
  return { fake, project, change, address, access, open, review }
}

const comment = { path: 'a.txt', oldPath: 'a.txt', body: 'Look\n\n<!-- sightline:1 bm90 0 -->' }
const at = (old: number | null, now: number | null, nextOld = old ?? 20) => ({
  ...{ old, new: now, counted: { old: nextOld, new: now ?? 20 } },
})

test('spans are in the numbers of both sides, and a thread is read back with its answers and its state', async () => {
  const { fake, change, open, review } = await setUp()
  const writer = open()
  await writer.postReview(review, signal)
  expect(change.threads.map(({ anchor }) => anchor)).toEqual([
    { side: 'new', line: 21, startSide: 'new', startLine: 18 },
    { side: 'old', line: 20, startSide: 'old', startLine: 20 },
  ])
  const [first] = change.threads
  if (!first) throw new Error('nothing was posted')
  change.reply(first, 'ada', 'Is that so?')
  change.resolve(first, 'ada')
  const { me, bodies, threads } = await writer.readState(signal)
  expect(bodies).toMatchObject([{ author: me, body: review.body }])
  expect(threads).toMatchObject([
    { author: me, body: comment.body, line: 21, isResolved: true, replies: [{ body: 'Is that so?' }] },
    { author: me, line: 20, isResolved: false, replies: [] },
  ])
  change.push({ 'a.txt': lines(40) })
  expect((await writer.readState(signal)).threads.map(({ line }) => line)).toEqual([null, null])
  expect(fake.violations).toEqual([])
})

test('an older server has comments on single lines, and no suggestions', async () => {
  const { fake, change, open, review } = await setUp()
  const writer = open()
  expect(writer.abilities).toMatchObject({ multiLine: true, suggestions: 'lines' })
  await writer.readState(signal)
  expect(writer.abilities).toMatchObject({ multiLine: true, suggestions: 'lines' })
  fake.state.version = '8.19.3'
  await writer.readState(signal)
  expect(writer.abilities).toMatchObject({ multiLine: false, suggestions: null, resolve: true })
  const single = review.comments.map((one) => ({ ...one, start: one.end }))
  await writer.postReview({ ...review, comments: single }, signal)
  expect(change.threads.map(({ anchor }) => [anchor?.startLine, anchor?.line])).toEqual([
    [21, 21],
    [20, 20],
  ])
  expect(fake.violations).toEqual([])
})

test('an edit that somebody else was faster with is made once more, on theirs', async () => {
  const { fake, change, open } = await setUp()
  let isFirst = true
  const writer = open(async (input, init) => {
    const answer = await fetch(input, init)
    const [note] = change.comments
    const isRead = (init?.method ?? 'GET') === 'GET' && /\/comments\/\d+$/.test(String(input))
    if (isRead && isFirst && note) {
      fake.state.raiseVersion(note)
      isFirst = false
    }
    return answer
  })
  await writer.putOverview({ id: null, body: 'Before' }, signal)
  const id = String(change.comments[0]?.id)
  expect(await writer.putOverview({ id, body: 'After' }, signal)).toEqual({ refused: null })
  expect(isFirst).toBe(false)
  expect(change.comments.map(({ body }) => body)).toEqual(['After'])
  expect(fake.violations).toEqual([])
})

test('the lock is seen by its own account only, and one who finds it taken leaves nothing', async () => {
  const { fake, change, address, access, open } = await setUp()
  const [one, other] = [open(), open()]
  const drafts = () => fake.state.pending.get(change)?.map(({ author }) => author.login)
  const unfinished = change.addNote(fake.world.person('sightline'), 'what a person has not finished')
  fake.state.pending.set(change, [unfinished])
  expect(await one.lock(signal)).toBe(true)
  expect(await other.lock(signal)).toBe(false)
  expect(drafts()).toEqual(['sightline', 'sightline'])
  const read = await host.openReader(address, access(fake.addToken('sightline'))).read(signal)
  expect(read.discussion).toEqual([])
  await other.unlock(signal)
  expect(fake.state.pending.get(change)).toEqual([unfinished])
  expect(fake.violations).toEqual([])
})

test('a server that knows no unfinished reviews gets no lock, and shows nothing of it', async () => {
  const { fake, change, open } = await setUp()
  const writer = open((input, init) => {
    const body = typeof init?.body === 'string' ? init.body.replace(',"state":"PENDING"', '') : init?.body
    return fetch(input, { ...init, ...(body == null ? {} : { body }) })
  })
  expect(await writer.lock(signal)).toBeNull()
  expect(change.comments).toEqual([])
  expect(fake.violations).toEqual([])
})

test('nobody is believed where the token may not list users', async () => {
  const { fake, project, change, address, access } = await setUp()
  project.roles.set('ada', 'write')
  // Of others whose names hold this one, none is meant.
  project.roles.set('adamant', 'admin')
  const { id } = change.comment('ada', '@sightline review')
  const trustWith = async (scopes?: readonly string[]) => {
    const reader = host.openRepository(address, access(fake.addToken('sightline', scopes)))
    const place = { number: change.number, id: String(id), place: 'conversation' } as const
    return (await reader.readComment(place, signal))?.author.trust
  }
  expect([await trustWith(), await trustWith([])]).toEqual(['member', 'unknown'])
  expect(fake.violations).toEqual([])
})

test('comments are read to the last page, which only the server knows', async () => {
  const { fake, change, open } = await setUp()
  for (let count = 1; count <= 130; count++) change.comment('ada', `comment ${count} <!-- sightline: -->`)
  const { bodies } = await open().readState(signal)
  expect(bodies.map(({ body }) => body.split(' ')[1])).toEqual(
    Array.from({ length: 130 }, (_, index) => String(index + 1)),
  )
  expect(fake.violations).toEqual([])
})

test('what the recipe for Jenkins runs posts a review with the settings of the page, by the address that Jenkins gives', async () => {
  const { fake, change, address } = await setUp()
  const pair = 'export const pair = ["AKIAZ3MGWXQ7T5LPRB2C", "q7Yx2LmV9cT4pRkN8sWbZ1dF6hJgA3eUoIyXvB0M"]\n'
  change.push({ 'pair.ts': pair })
  const page = (name: string) => readFileSync(join(root, 'docs', name), 'utf8')
  const pipeline = blockAfter(page('ci.md'), '\n## Jenkins', 'groovy')
  const credentials = [...pipeline.matchAll(/(\w+) = credentials\(/g)].map(([, name]) => name)
  expect(credentials).toEqual(['SIGHTLINE_SETTINGS', tokenName])
  const folder = temporaryFolder()
  const settings = join(folder, 'settings.yaml')
  const written = blockAfter(page('pull-requests.md'), '\n### Bitbucket Data Center', 'yaml')
  const own = written.replace('bitbucket.example.org: {', `"${address.host}": { url: "${fake.url}",`)
  writeFileSync(settings, own)
  const { code, log } = await runScript(/\bsh '([^'\n]+)'/.exec(pipeline)?.[1] ?? '', {
    folder,
    env: {
      ...{ SIGHTLINE_SETTINGS: settings, [tokenName]: fake.addToken('sightline') },
      CHANGE_URL: `${fake.url}/projects/ACME/repos/shop/pull-requests/${change.number}/overview`,
    },
  })
  expect([code, log]).toEqual([0, expect.any(String)])
  expect(change.threads.map(({ path }) => path)).toContain('pair.ts')
  expect(fake.violations).toEqual([])
})
