/** What is Bitbucket Cloud's own about its adapter; what all hosts have in common is in test/contracts. */
import { expect, onTestFinished, test } from 'vitest'
import { defaultConfig } from '../../../src/config/schema.ts'
import { bitbucket as host } from '../../../src/hosts/bitbucket/index.ts'
import type { ChangeAddress, HostAccess, PlannedReview } from '../../../src/hosts/remote/contract.ts'
import { hostedSource } from '../../../src/hosts/remote/source.ts'
import { openTransport } from '../../../src/hosts/remote/transport.ts'
import { fromHost, toHost } from '../../../src/hosts/remote/without-html.ts'
import { startBitbucket } from '../../helpers/hosts/bitbucket/server.ts'

const lines = (count: number) =>
  `${Array.from({ length: count }, (_, index) => `line ${index + 1}`).join('\n')}\n`
const signal = new AbortController().signal

async function setUp() {
  const bitbucket = await startBitbucket()
  onTestFinished(() => bitbucket.close())
  const project = bitbucket.world.createProject('acme/shop', { files: { 'a.txt': lines(40) } })
  project.roles.set('sightline', 'admin')
  const fork = project.fork('eve')
  const files = { 'a.txt': lines(40).replace('line 20\n', 'new 20\n') }
  const change = project.open({ branch: 'topic', files })
  const ofFork = project.open({ branch: 'topic', files, from: fork, author: 'eve' })
  const address = ({ number }: { number: number }): ChangeAddress => ({
    ...{ kind: 'bitbucket', host: new URL(bitbucket.url).host, webUrl: bitbucket.url },
    ...{ apiUrl: bitbucket.apiUrl, owner: ['acme'], name: 'shop', number },
  })
  const access = (token: string | null): HostAccess => ({
    ...{ token, tokenName: 'BITBUCKET_TOKEN' },
    fetch: openTransport({ sleep: async () => {} }),
  })
  const writer = host.openWriter(address(change), access(bitbucket.addToken('sightline')))
  const at = (line: number) => ({ old: line, new: line, counted: { old: line, new: line } })
  const removed = { old: 20, new: null, counted: { old: 20, new: 20 } }
  const comment = { path: 'a.txt', oldPath: 'a.txt', body: 'Look\n\n<!-- sightline:1 bm90 0 -->' }
  const review: PlannedReview = {
    ...{ head: change.head, base: change.mergeBase, body: 'Summary\n\n<!-- sightline:1 bm90 0 -->' },
    comments: [
      { ...comment, side: 'new', start: at(18), end: at(21) },
      { ...comment, side: 'old', start: removed, end: removed },
    ],
  }
  return { bitbucket, project, change, ofFork, address, access, writer, review }
}

test('a review is one comment after another, with ranges, and is read back as it was meant', async () => {
  const { bitbucket, change, writer, review } = await setUp()
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
    { author: me, body: 'Look\n\n<!-- sightline:1 bm90 0 -->', line: 21, isResolved: true },
    { author: me, line: 20, isResolved: false },
  ])
  expect(threads[0]?.replies).toMatchObject([{ body: 'Is that so?' }])
  change.push({ 'a.txt': lines(40) })
  expect((await writer.readState(signal)).threads.map(({ line }) => line)).toEqual([null, null])
  expect(bitbucket.writes()).toHaveLength(3)
  expect(bitbucket.violations).toEqual([])
})

test('the commits of a fork are fetched from the fork, and the status that is refused there is told', async () => {
  const { bitbucket, ofFork, address, access } = await setUp()
  const token = bitbucket.addToken('sightline', undefined, 'bot@example.com')
  const source = hostedSource(address(ofFork), host.openReader(address(ofFork), access(token)))
  const collected = await source.collect(defaultConfig.limits, signal)
  expect(collected.request.changeRequest).toMatchObject({ isFork: true, author: { trust: 'none' } })
  expect((await collected.head.readMany(['a.txt'])).get('a.txt')?.text).toContain('new 20')
  await collected.close()
  await source.close?.()
  const fetched = bitbucket.log.filter(({ operation }) => operation === 'git fetch')
  expect(new Set(fetched.map(({ path }) => path.split('/')[1]))).toEqual(new Set(['eve', 'acme']))
  const check = { head: ofFork.head, key: 'abc', conclusion: 'success', title: 'No findings' } as const
  const writer = host.openWriter(address(ofFork), access(token))
  const { refused } = await writer.putCheck({ ...check, summary: '', annotations: [] }, signal)
  expect(refused).toMatch(/does not see it/)
  expect(bitbucket.violations).toEqual([])
})

test('a scope that is missing is named, and nobody is believed whose rights may not be asked for', async () => {
  const { bitbucket, project, change, address, access } = await setUp()
  const weak = access(bitbucket.addToken('sightline', ['repository', 'pullrequest']))
  await expect(host.openWriter(address(change), weak).readState(signal)).rejects.toMatchObject({
    code: 'host-refused',
    message: expect.stringContaining('it needs the scope account'),
  })
  const reader = host.openRepository(address(change), weak)
  project.roles.set('ada', 'write')
  const { id } = change.comment('ada', '@sightline review')
  const read = async () => {
    const place = { number: change.number, id: String(id), place: 'conversation' } as const
    return (await reader.readComment(place, signal))?.author
  }
  expect(await read()).toMatchObject({ login: 'ada', isBot: false, trust: 'member' })
  project.roles.set('sightline', 'write')
  expect(await read()).toMatchObject({ login: 'ada', trust: 'unknown' })
  expect(bitbucket.violations).toEqual([])
})

test('pages are followed as the host gives them, and never to another address', async () => {
  const { bitbucket, change, writer, address } = await setUp()
  for (let count = 1; count <= 230; count++) change.comment('ada', `comment ${count} <!-- sightline: -->`)
  expect((await writer.readState(signal)).bodies).toHaveLength(230)
  const token = bitbucket.addToken('sightline')
  const asked: string[] = []
  const fetch = async (input: Parameters<typeof globalThis.fetch>[0], init?: RequestInit) => {
    asked.push(String(input))
    const answer = await globalThis.fetch(input, init)
    return new Response(
      (await answer.text()).replaceAll(`"next":"${bitbucket.url}`, '"next":"https://evil.test'),
    )
  }
  const hostile = host.openWriter(address(change), { token, tokenName: 'BITBUCKET_TOKEN', fetch })
  await expect(hostile.readState(signal)).rejects.toThrow(/which is not followed/)
  expect(asked.filter((one) => one.includes('evil.test'))).toEqual([])
  expect(bitbucket.violations).toEqual([])
})

test('Markdown has no HTML there, but in code; markers come back as they were', () => {
  const own = [
    ...['Text', '', '<details><summary>Details</summary>', '', 'More', '', '</details>', ''],
    ...['```html', '<details><summary>A</summary>', '<!-- sightline:1 bm90 0 -->', '```', ''],
    ...['<sub>Sightline</sub>', '', '<!-- sightline:1 bm90 0 -->', '<!-- sightline:by me 0 -->'],
  ]
  const shown = [
    ...['Text', '', '**Details**', '', 'More', '', '', ''],
    ...['```html', '<details><summary>A</summary>', '<!-- sightline:1 bm90 0 -->', '```', ''],
    ...['Sightline', '', '[//]: # (sightline:1 bm90 0)', '[//]: # (sightline:by me 0)'],
  ]
  expect(toHost(own.join('\n')).split('\n')).toEqual(shown)
  expect(fromHost(shown.join('\n')).split('\n').slice(-2)).toEqual(own.slice(-2))
  expect(fromHost('[//]: # (a note)')).toBe('[//]: # (a note)')
})
