/** Depth deep, end to end: two readers of one bundle who know nothing of each other, over the wire. */
import { expect, test } from 'vitest'
import type { Review } from '../../src/index.ts'
import { startFakeProvider } from '../helpers/fakes/registry.ts'
import { drawn } from '../helpers/matrix.ts'
import { sightline } from '../helpers/sightline.ts'
import {
  asks,
  authorsWords,
  deepWorld,
  quiet,
  readerCalls,
  readerOf,
  tooMany,
  withQuietRest,
  wrongSum,
} from './deep-world.ts'

const modelRow = ({ coverage }: Review) => coverage.planes.find(({ byModel }) => byModel)
const ofModels = ({ findings }: Review) => findings.filter(({ byModel }) => byModel)

test('two readers look, one follows up, what both found is one finding; replayed to the byte', async () => {
  const fake = await startFakeProvider('anthropic', {
    steps: withQuietRest([
      {
        answer: 'good',
        if: asks('first'),
        value: {
          ...quiet,
          findings: [wrongSum, tooMany],
          context_requests: [
            {
              what: 'code',
              file: 'src/page.ts',
              symbol: '',
              line_start: 7,
              line_end: 9,
              reason: 'who shows it',
            },
          ],
        },
      },
      {
        answer: 'good',
        when: { lastTurnContains: 'Here is what you requested' },
        value: { ...quiet, verdicts: [{ finding: 'F1', verdict: 'confirmed', reason: 'it is shown' }] },
      },
      {
        answer: 'good',
        if: asks('second'),
        value: {
          ...quiet,
          findings: [
            {
              ...wrongSum,
              title: 'The total is subtracted from zero',
              explanation:
                'For any item above zero the sum goes below zero, so whoever orders is owed money.',
            },
          ],
        },
      },
    ]),
  })
  const { review, env } = await deepWorld(fake)
  const first = await review()
  expect(fake.mistakes).toEqual([])
  expect(first.stderr).toBe('')
  const told: Review = JSON.parse(first.stdout)
  expect(told.depth).toBe('deep')
  expect(modelRow(told)).toMatchObject({
    plane: 'reviewer',
    state: 'ran',
    candidates: 2,
    readers: [
      { reader: 'first', state: 'ran', reason: null },
      { reader: 'second', state: 'ran', reason: null },
    ],
  })
  const words = 'two readers found it independently'
  expect(ofModels(told)).toMatchObject([
    {
      plane: 'reviewer',
      rule: 'reviewer/correctness',
      title: 'The total is subtracted from zero',
      reader: 'both',
      verifiedBy: expect.arrayContaining([words]),
    },
    { title: 'The page has three items', reader: 'first', verifiedBy: expect.not.arrayContaining([words]) },
  ])
  expect(told.models?.groups.map(({ address, findings }) => [address, findings])).toEqual([
    ['deep/group-1/first', 2],
    ['deep/group-1/second', 0],
  ])
  expect(told.models?.followUps).toMatchObject([
    { address: 'deep/group-1/first/follow-up', refused: null, confirmed: 1, dismissed: 0 },
  ])
  expect(told.models?.prompts).toEqual(['quick-review@4', 'follow-up@2', 'refute@7'])

  const calls = readerCalls(fake)
  expect(calls.map(readerOf)).toEqual(['first', 'second', 'first'])
  const [, second] = calls
  expect(second?.prompt).toContain(authorsWords)
  expect(second?.prompt).not.toContain('The total is subtracted')
  // A judge is not led by how many say it.
  for (const { call } of fake.calls) expect(call.prompt).not.toContain(words)

  await fake.close()
  const again = await sightline(['replay', 'last', '--json'], { env })
  expect(again.stderr).toBe('')
  expect(again.stdout).toBe(first.stdout)
})

test('a change of more than twenty files is read twice at depth standard, and the report names both', async () => {
  await using fake = await startFakeProvider('anthropic', { steps: withQuietRest([]) })
  const { repo, review } = await deepWorld(fake)
  const files = Object.fromEntries(
    Array.from({ length: 21 }, (_, at) => [`src/part${at}.ts`, `export const part${at} = ${at}\n`]),
  )
  repo.commit(files, 'Parts')
  const told: Review = JSON.parse((await review('--depth', 'standard')).stdout)
  expect(fake.mistakes).toEqual([])
  expect(told.depth).toBe('standard')
  expect(told.models?.groups.map(({ address }) => address)).toEqual([
    'standard/group-1/first',
    'standard/group-1/second',
  ])
  expect(modelRow(told)?.readers?.map(({ reader, state }) => [reader, state])).toEqual([
    ['first', 'ran'],
    ['second', 'ran'],
  ])
  expect(readerCalls(fake).map(readerOf)).toEqual(['first', 'second'])
})

test.each(drawn(['anthropic', 'openai'] as const))(
  'over %s the second reader reads what both share from the cache',
  async (kind) => {
    await using fake = await startFakeProvider(kind, { steps: withQuietRest([]) })
    const model = kind === 'anthropic' ? 'claude-sonnet-5-5' : 'gpt-5.5'
    const { review } = await deepWorld(fake, { kind, model })
    await review()
    expect(fake.mistakes).toEqual([])
    const [first, second, ...others] = readerCalls(fake)
    expect(others).toEqual([])
    const shared = second?.prompt.indexOf('You are the second') ?? 0
    expect(shared).toBeGreaterThan(0)
    expect(second?.prompt.slice(0, shared)).toBe(first?.prompt.slice(0, shared))
    expect(second?.schema).toEqual(first?.schema)
    // All but the closing words, and what providers round off.
    const closing = first?.prompt.indexOf('What the author says') ?? 0
    expect(second?.usage.cacheRead).toBeGreaterThan(closing / 4 - 130)
  },
)

const badSteps = [
  ['declined', { answer: 'refusal' as const, value: quiet }, 'the model declined to review it'],
  ['cut off', { answer: 'truncated' as const, value: quiet }, 'the model ran into its output limit'],
  ['not answered', { answer: 'web-page' as const, status: 403 }, 'no model was available'],
] as const

test.each(
  drawn(
    badSteps.flatMap((step) => (['first', 'second'] as const).map((reader) => [reader, ...step] as const)),
  ),
)('a %s reader who is %s leaves the other standing, and coverage says so', async (reader, _, step, words) => {
  const other = reader === 'first' ? 'second' : 'first'
  await using fake = await startFakeProvider('anthropic', {
    steps: withQuietRest([
      { ...step, if: asks(reader), times: 'always' },
      { answer: 'good', if: asks(other), value: { ...quiet, findings: [wrongSum] } },
    ]),
  })
  const { review } = await deepWorld(fake)
  const told: Review = JSON.parse((await review()).stdout)
  expect(fake.mistakes).toEqual([])
  expect(told.depth).toBe('deep')
  expect(modelRow(told)).toMatchObject({
    state: 'partly',
    readers: expect.arrayContaining([
      { reader, state: 'failed', reason: expect.any(String) },
      { reader: other, state: 'ran', reason: null },
    ]),
  })
  expect(ofModels(told)).toMatchObject([{ title: 'The total is subtracted', reader: other }])
  expect(told.coverage.complete).toBe(false)
  for (const file of told.coverage.files)
    expect(file).toMatchObject({ state: 'partly', reason: `not read by the ${reader} reader: ${words}` })
})

const speeds = [
  ['fast', undefined],
  ['slow', { kind: 'slow' as const, delayMs: 4 }],
] as const

test.each(drawn(speeds))(
  'a budget that ends before the second reader ends there, whoever is %s',
  async (_name, delivery) => {
    await using fake = await startFakeProvider('anthropic', {
      steps: withQuietRest([
        { answer: 'good', if: asks('first'), value: quiet, ...(delivery ? { delivery } : {}) },
      ]),
    })
    const { review, env } = await deepWorld(fake)
    // A question may cost up to 21 cents here: its prompt, and 12,000 tokens of answer at $15 a million.
    const first = await review('--budget', '0.21')
    const told: Review = JSON.parse(first.stdout)
    expect(told.models?.groups.map(({ outcome }) => outcome)).toEqual(['answered', 'over-budget'])
    expect(first.code).toBe(5)
    expect((await sightline(['replay', 'last', '--json'], { env })).stdout).toBe(first.stdout)
  },
)

test('where the reviewers have a model of another provider, the second reader is that one', async () => {
  const steps = withQuietRest([])
  await using one = await startFakeProvider('anthropic', { steps })
  await using two = await startFakeProvider('openai', { steps })
  const { repo, env } = await deepWorld(one, {
    reviewers: ['fake/claude-sonnet-5-5', 'other/gpt-5.5'],
    providers: [`    other: { kind: openai, baseUrl: '${two.baseUrl}', keyFrom: FAKE_KEY }`],
  })
  const args = ['review', 'HEAD', '--repo', repo.path, '--depth', 'deep', '--json', '--quiet']
  const first = await sightline(args, { env })
  expect([one.mistakes, two.mistakes]).toEqual([[], []])
  expect([readerCalls(one).map(readerOf), readerCalls(two).map(readerOf)]).toEqual([['first'], ['second']])
  expect(modelRow(JSON.parse(first.stdout))?.state).toBe('ran')
  expect((await sightline(['replay', 'last', '--json'], { env })).stdout).toBe(first.stdout)
})

test('the estimate has both readers, and a name of what was once a plane is refused with what to write instead', async () => {
  await using fake = await startFakeProvider('anthropic', { steps: withQuietRest([]) })
  const { review, repo } = await deepWorld(fake)
  const { estimate } = JSON.parse((await review('--estimate')).stdout)
  expect(estimate).toMatchObject({ calls: 2, outputTokens: 24_000, followUps: { calls: 2 } })
  expect(JSON.parse((await review('--planes', 'secrets')).stdout).depth).toBe('offline')
  const refused = async (...args: string[]) => {
    const { code, stdout } = await review(...args)
    return [code, JSON.parse(stdout).error.detail]
  }
  const words = (name: string) => `there is no plane \`${name}\` any more: at depth deep two readers look`
  for (const option of ['--only', '--skip', '--planes'])
    expect(await refused(option, 'security')).toEqual([2, expect.stringContaining(words('security'))])
  repo.commit({ '.sightline.yaml': 'planes:\n  disable: [intent]\n' }, 'planes')
  repo.commit({ 'src/price.ts': 'export const round = Math.floor\n' }, 'floor')
  expect(await refused()).toEqual([2, expect.stringContaining(words('intent'))])
  expect(fake.calls).toEqual([])
})
