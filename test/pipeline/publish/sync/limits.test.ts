/** What hosts do not take is left out from the end, most important first, and every text says so. */
import { expect, test } from 'vitest'
import type { ChangeSet } from '../../../../src/domain/change-set.ts'
import type { Finding } from '../../../../src/domain/finding.ts'
import { Gate } from '../../../../src/domain/gate.ts'
import type { PlannedCheck, PlannedReview } from '../../../../src/hosts/remote/contract.ts'
import { reviewBody } from '../../../../src/pipeline/publish/sync/bodies.ts'
import { deliverReview } from '../../../../src/pipeline/publish/sync/deliver.ts'
import { Random } from '../../../helpers/random.ts'
import { changeOf, reviewOf } from './bug-world.ts'
import { MemoryHost, type Tree } from './memory-host.ts'

const none: Tree = new Map()

/** Publishes a change of these files on an empty base, and returns what was sent. */
async function publish(
  tree: Tree,
  more: {
    findings?: (findings: Finding[]) => Finding[]
    maxInline?: number
    gate?: Gate
    newlyExcluded?: string
  } = {},
) {
  const host = new MemoryHost(new Random(1))
  const change: ChangeSet = changeOf(none, tree, new Map())
  host.push('1'.repeat(40), none, tree, change.files)
  const sent: { review: PlannedReview | null; check: PlannedCheck | null } = { review: null, check: null }
  const review = reviewOf(change, host.head)
  if (more.newlyExcluded)
    review.coverage.files.push({
      path: more.newlyExcluded,
      state: 'excluded',
      reason: 'vendored',
      newlyExcluded: true,
    })
  const { tally } = await deliverReview({
    writer: {
      abilities: host.abilities,
      readState: () => host.readState(),
      readCheck: async () => null,
      closeThreads: (closings) => host.closeThreads(closings),
      putOverview: (overview) => host.putOverview(overview),
      lock: () => host.lock(),
      unlock: () => host.unlock(),
      async postReview(planned) {
        sent.review = planned
        await host.postReview(planned)
      },
      async putCheck(planned) {
        sent.check = planned
        return await host.putCheck(planned)
      },
    },
    review: { ...review, findings: more.findings?.(review.findings) ?? review.findings },
    change,
    maxInline: more.maxInline ?? 100,
    gate: more.gate ?? null,
    scope: { keys: [], legacy: '', number: 1 },
    readFiles: async () => (side, path) => (side === 'old' ? none : tree).get(path)?.join('\n') ?? null,
    pause: async () => {},
    signal: new AbortController().signal,
  })
  return { tally, ...sent }
}

const nameOf = (at: number) => `f${String(at).padStart(4, '0')}.ts`

test('comments are within the 300 files that a host shows; the others are in the check', async () => {
  const tree = new Map(
    Array.from({ length: 302 }, (_, at) => [nameOf(at), [`call() // bug ${at * 3 + 1}`]] as const),
  )
  const { tally, review, check } = await publish(tree)
  const paths = review?.comments.map(({ path }) => path) ?? []
  expect(paths).toHaveLength(100)
  expect(paths.every((path) => path < nameOf(300))).toBe(true)
  expect(tally).toMatchObject({ posted: 100, listed: 202 })
  const beyond = await publish(
    new Map([...tree].map(([path, [line = '']], at) => [path, at < 300 ? ['plain'] : [line]])),
  )
  // Too severe to be on a page alone: told in a review, which has no comment.
  expect(beyond.review?.comments).toEqual([])
  for (const bug of [901, 904]) expect(beyond.review?.body).toContain(`The name bug\\_${bug} is wrong`)
  expect(beyond.check?.annotations.map(({ path }) => path)).toEqual([nameOf(300), nameOf(301)])
  expect(check?.annotations).toHaveLength(200)
})

test('comments are within the 20,000 lines that a host shows', async () => {
  const filler = (count: number) => Array.from({ length: count }, (_, at) => `plain ${at}`)
  const tree = new Map([
    ['a.ts', ['call() // bug 1', ...filler(9_000)]],
    ['b.ts', ['call() // bug 4', ...filler(9_000)]],
    ['c.ts', ['call() // bug 7', ...filler(9_000)]],
  ])
  const { review, check } = await publish(tree)
  expect(review?.comments.map(({ path }) => path)).toEqual(['a.ts', 'b.ts'])
  expect(check?.annotations.map(({ path }) => path)).toEqual(['c.ts'])
})

test('of many findings, the check has the most important 200 as annotations, and its page is cut with a note', async () => {
  const tree = new Map([['a.ts', Array.from({ length: 1_200 }, (_, at) => `call() // bug ${at + 1}`)]])
  const { review, check } = await publish(tree, {
    maxInline: 5,
    findings: (all) =>
      all.map((one) => ({ ...one, explanation: `${one.explanation} ${'Because. '.repeat(400)}` })),
  })
  const severities = check?.annotations.map(({ title }) => title.split(' ')[0]) ?? []
  const order = ['high', 'medium', 'low']
  expect(severities).toHaveLength(200)
  expect(severities.map((one) => order.indexOf(one ?? ''))).toEqual(
    severities.map((one) => order.indexOf(one ?? '')).toSorted((a, b) => a - b),
  )
  expect(review?.comments).toHaveLength(5)
  for (const { body } of review?.comments ?? []) expect(body.length).toBeLessThanOrEqual(65_535)
  const page = check?.summary ?? ''
  expect(page.length).toBeLessThanOrEqual(65_535)
  expect(page).toContain('The rest did not fit.')
  // What is cut is the end, where the less important findings are.
  const kinds = [...page.matchAll(/\*\*(high|medium|low)\*\*/g)].map(([, kind]) => kind)
  expect(kinds.filter((kind) => kind === 'high').length).toBeGreaterThan(370)
  expect(kinds.filter((kind) => kind === 'low').length).toBeLessThan(370)
})

const minorOnly = (findings: Finding[]): Finding[] =>
  findings.map((one) => ({ ...one, severity: 'low', byModel: true, verifiedBy: [] }))
const fewBugs: Tree = new Map([['a.ts', [1, 2, 3].map((bug) => `call() // bug ${bug}`)]])

test('minor findings alone are on the page of the check, folded with their full detail', async () => {
  const { review, check } = await publish(fewBugs, { findings: minorOnly })
  expect(review).toBeNull()
  const [, fold = ''] = check?.summary.split('<details><summary>3 more findings</summary>') ?? []
  for (const bug of [1, 2, 3]) {
    expect(fold).toContain(`The name bug\\_${bug} is wrong`)
    expect(fold).toContain(`It is bug ${bug}.`)
  }
})

test('beside comments, what is on no line is told: minor ones folded in full, others to be seen', async () => {
  const { review, tally } = await publish(fewBugs, {
    maxInline: 1,
    findings: ([one, two, three]) => [
      ...(one ? [{ ...one, severity: 'high' as const }] : []),
      ...(two ? [{ ...two, severity: 'medium' as const }] : []),
      ...minorOnly(three ? [three] : []),
    ],
  })
  expect(tally).toMatchObject({ posted: 1, listed: 2 })
  const [seen = '', fold = ''] = review?.body.split('<details><summary>1 minor finding</summary>') ?? []
  const told = (at: number) => `It is bug ${at}.`
  const bugs = [1, 2, 3].filter((bug) => !review?.comments[0]?.body.includes(told(bug)))
  expect(bugs.map((bug) => [seen, fold].map((part) => part.includes(told(bug))))).toEqual([
    [true, false],
    [false, true],
  ])
})

test.each([65_535, 6_000, 2_500])(
  'a body of at most %i characters says what it leaves out',
  async (bodyLength) => {
    const tree: Tree = new Map([['a.ts', Array.from({ length: 40 }, (_, at) => `call() // bug ${at + 1}`)]])
    const review = reviewOf(changeOf(none, tree, new Map()), '1'.repeat(40))
    const { findings } = review
    const body = reviewBody(review, {
      tally: { posted: 0, open: 0, fixed: 0, dismissed: 0, listed: 40 },
      listed: findings,
      told: findings.length,
      lacks: [],
      link: undefined,
      room: bodyLength,
    })
    expect(body.length).toBeLessThanOrEqual(bodyLength)
    expect((body.match(/<details>/g) ?? []).length).toBe((body.match(/<\/details>/g) ?? []).length)
    const isWhole = findings.every(({ title }) => body.includes(title.replaceAll('_', '\\_')))
    expect(isWhole || body.includes('The rest did not fit.')).toBe(true)
  },
)

test('a comment that is longer than a host takes keeps its headline and its marker', async () => {
  const { review } = await publish(new Map([['a.ts', ['call() // bug 3']]]), {
    findings: (all) =>
      all.map((one) => ({
        ...one,
        explanation: 'word '.repeat(3_000),
        remedy: 'fix '.repeat(20_000),
      })),
  })
  const body = review?.comments[0]?.body ?? ''
  expect(body.length).toBeLessThanOrEqual(65_535)
  expect(body).toMatch(/bug\\_3 is wrong/)
  expect(body).toMatch(/<!-- sightline:1 [A-Za-z0-9+/=]+ [0-9a-f]{32} -->$/)
})

test('a file that the change itself puts where none is read makes no green check and opens no gate', async () => {
  const clean: Tree = new Map([['a.ts', ['plain']]])
  const gate = Gate.parse({ failOn: 'high' })
  expect((await publish(clean, { gate })).check?.conclusion).toBe('success')
  const [advising, gated] = [
    await publish(clean, { newlyExcluded: 'vendor/x.js' }),
    await publish(clean, { gate, newlyExcluded: 'vendor/x.js' }),
  ]
  expect(advising.check).toMatchObject({ conclusion: 'neutral', title: 'No findings, incomplete' })
  expect(gated.check?.conclusion).toBe('failure')
  expect(gated.check?.title).toContain('the review is not whole')
})
