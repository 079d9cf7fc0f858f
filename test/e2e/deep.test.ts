/** Depth deep, end to end: each plane asked over the wire for its own look at one bundle. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Review } from '../../src/index.ts'
import type { Call } from '../helpers/fakes/contract.ts'
import { startFakeProvider } from '../helpers/fakes/registry.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { sightline } from '../helpers/sightline.ts'
import {
  asks,
  authorsWords,
  deepPlanes,
  deepQuestions,
  deepWorld,
  planeCalls,
  planesOf,
  quiet,
  withQuietRest,
  wrongSum,
} from './deep-world.ts'

const modelRows = ({ coverage }: Review) =>
  coverage.planes.filter(({ byModel }) => byModel).map(({ plane, state }) => `${plane} ${state}`)

test('six planes look in five questions, one follows up, the intent plane alone is told what the author says; replayed to the byte', async () => {
  const fake = await startFakeProvider('anthropic', {
    steps: withQuietRest([
      {
        answer: 'good',
        if: asks('correctness'),
        value: {
          ...quiet,
          findings: [wrongSum],
          context_requests: [
            { file: 'src/page.ts', symbol: '', line_start: 7, line_end: 9, reason: 'who shows it' },
          ],
          memory_insights: [{ sentence: 'Prices are whole cents.', file: 'src/price.ts' }],
        },
      },
      {
        answer: 'good',
        when: { lastTurnContains: 'Here is what you requested' },
        value: {
          ...quiet,
          verdicts: [{ finding: 'F1', verdict: 'confirmed', reason: 'it is shown' }],
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
  expect(modelRows(told)).toEqual(deepPlanes.map((plane) => `${plane} ran`))
  expect(told.findings.filter(({ byModel }) => byModel)).toMatchObject([
    { plane: 'correctness', rule: 'correctness/correctness', title: 'The total is subtracted', side: 'new' },
  ])
  expect(told.models?.groups.map(({ address }) => address)).toEqual(
    deepQuestions.map((planes) => `deep/group-1/${planes}`),
  )
  expect(told.models?.followUps).toMatchObject([
    { address: 'deep/group-1/correctness+contract/follow-up', refused: null, confirmed: 1, dismissed: 0 },
  ])
  expect(told.models?.prompts).toEqual([
    'plane-review@2',
    ...deepPlanes.map((plane) => `planes/${plane}@2`),
    'plane-follow-up@2',
    'refute@3',
  ])

  const calls = planeCalls(fake)
  expect(calls).toHaveLength(6)
  for (const call of calls) expect(call.prompt.includes(authorsWords)).toBe(planesOf(call) === 'intent')
  expect(fake.calls.filter(({ call }) => call.prompt.includes(authorsWords))).toHaveLength(1)

  await fake.close()
  const again = await sightline(['replay', 'last', '--json'], { env })
  expect(again.stderr).toBe('')
  expect(again.stdout).toBe(first.stdout)
})

test.each(['anthropic', 'openai'] as const)(
  'over %s the planes after the first read what they share from the cache',
  async (kind) => {
    await using fake = await startFakeProvider(kind, { steps: withQuietRest([]) })
    const model = kind === 'anthropic' ? 'claude-sonnet-5-5' : 'gpt-5.5'
    const { review } = await deepWorld(fake, { kind, model })
    await review()
    expect(fake.mistakes).toEqual([])
    const [first, ...others] = planeCalls(fake)
    expect(first && planesOf(first)).toBe('intent')
    expect(others.map(planesOf).sort()).toEqual(deepQuestions.slice(1).toSorted())
    const shared = first?.prompt.indexOf('# Your topic: intent') ?? 0
    for (const other of others) {
      expect(other.prompt.slice(0, shared)).toBe(first?.prompt.slice(0, shared))
      expect(other.schema).toEqual(first?.schema)
      // All that is shared, but for what providers round off.
      expect(other.usage.cacheRead).toBeGreaterThan(shared / 4 - 130)
    }
  },
)

test('planes that decline, are cut off or are not answered leave the others standing, and coverage says so', async () => {
  await using fake = await startFakeProvider('anthropic', {
    steps: withQuietRest([
      { answer: 'refusal', if: asks('security'), value: quiet, times: 'always' },
      { answer: 'truncated', if: asks('performance'), value: quiet, times: 'always' },
      { answer: 'web-page', status: 403, if: asks('tests'), times: 'always' },
      { answer: 'good', if: asks('correctness'), value: { ...quiet, findings: [wrongSum] } },
    ]),
  })
  const { review } = await deepWorld(fake)
  const told: Review = JSON.parse((await review()).stdout)
  expect(fake.mistakes).toEqual([])
  expect(told.depth).toBe('deep')
  expect(modelRows(told)).toEqual([
    'intent ran',
    'correctness ran',
    'contract ran',
    'security failed',
    'performance failed',
    'tests failed',
  ])
  expect(told.findings.filter(({ byModel }) => byModel).map(({ title }) => title)).toEqual([
    'The total is subtracted',
  ])
  expect(told.coverage.complete).toBe(false)
  for (const file of told.coverage.files)
    expect(file).toMatchObject({
      state: 'partly',
      reason:
        'not reviewed for security: the model declined to review it; ' +
        'not reviewed for performance: the model ran into its output limit; ' +
        'not reviewed for tests: no model was available',
    })
})

test.each([
  ['fast', undefined],
  ['slow', { kind: 'slow' as const, delayMs: 4 }],
])('a budget that ends mid-planes ends at the same plane, whoever is %s', async (_name, delivery) => {
  await using fake = await startFakeProvider('anthropic', {
    steps: withQuietRest([
      { answer: 'good', if: asks('correctness'), value: quiet, ...(delivery ? { delivery } : {}) },
    ]),
  })
  const { review, env } = await deepWorld(fake)
  // A question may cost up to 21 cents here: its prompt, and 12,000 tokens of answer at $15 a million.
  const first = await review('--budget', '0.75')
  const told: Review = JSON.parse(first.stdout)
  expect(told.models?.groups.map(({ outcome }) => outcome)).toEqual([
    'answered',
    'answered',
    'answered',
    'answered',
    'over-budget',
  ])
  expect(first.code).toBe(5)
  expect((await sightline(['replay', 'last', '--json'], { env })).stdout).toBe(first.stdout)
})

test('triage: nobody is asked what a document cannot have, nor what the scout finds pointless; coverage lists it', async () => {
  await using fake = await startFakeProvider('anthropic', {
    steps: withQuietRest([
      {
        answer: 'good',
        if: ({ prompt }) => prompt.includes('and what might be left out'),
        value: {
          files: [
            { number: 1, leave_out: ['tests', 'performance', 'security'], reason: 'a sum of few items' },
            { number: 2, leave_out: ['tests', 'performance'], reason: 'a string' },
            { number: 9, leave_out: ['tests'], reason: 'there is no such file' },
          ],
        },
      },
    ]),
  })
  const { review, repo, env } = await deepWorld(fake)
  // The scout is off by default, and configuration comes from the base.
  const change = repo.git('rev-parse', 'HEAD').trim()
  repo.git('reset', '--quiet', '--hard', 'HEAD~1')
  repo.write({ '.sightline.yaml': 'triage:\n  scout: true\n' })
  repo.git('add', '.')
  repo.git('commit', '--quiet', '-m', 'Configure triage')
  repo.git('cherry-pick', change)
  repo.write({ 'README.md': '# Shop\n' })
  repo.git('add', '.')
  repo.git('commit', '--quiet', '--amend', '--no-edit')
  const first = await review()
  expect(fake.mistakes).toEqual([])
  const told: Review = JSON.parse(first.stdout)
  // Security is not the scout's to leave out, nor the cost of what goes through a list.
  expect(planeCalls(fake).map(planesOf).sort()).toEqual([
    'correctness+contract',
    'intent',
    'performance',
    'security',
  ])
  const asked = Object.fromEntries(
    told.models?.groups.map(({ address, files }) => [address.split('/').at(-1), files.join()]) ?? [],
  )
  expect(asked).toMatchObject({
    intent: 'README.md,src/cart.ts,src/page.ts',
    'correctness+contract': 'README.md,src/cart.ts,src/page.ts',
    security: 'src/cart.ts,src/page.ts',
    performance: 'src/cart.ts',
  })
  expect(told.coverage.skipped?.filter(({ category }) => category === 'tests')).toEqual([
    {
      path: 'README.md',
      category: 'tests',
      by: 'rule',
      reason: 'a document: nothing in it runs',
    },
    { path: 'src/cart.ts', category: 'tests', by: 'scout', reason: 'a sum of few items' },
    { path: 'src/page.ts', category: 'tests', by: 'scout', reason: 'a string' },
  ])
  expect(told.coverage.complete).toBe(true)
  await fake.close()
  expect((await sightline(['replay', 'last', '--json'], { env })).stdout).toBe(first.stdout)
})

test('the intent plane says what became of the criteria of the ticket, and code checks the lines it names', async () => {
  const answerFrom = ({ prompt }: Call) => {
    const ticket = /"ticket ([^"]+)"/.exec(prompt)?.[1] ?? ''
    const tag = /\[(L\d+#\w{3})\] \+.*sum - round/.exec(prompt)?.[1] ?? ''
    const answer = { ticket, reason: 'the sum does it', state: 'covered' }
    return {
      ...quiet,
      criteria: [
        { ...answer, criterion: 'AC1', lines: [{ file: 'src/cart.ts', tags: [tag] }] },
        { ...answer, criterion: 'AC2', lines: [{ file: 'src/cart.ts', tags: ['L1#zzz'] }] },
        { ...answer, criterion: 'AC77', lines: [{ file: 'src/cart.ts', tags: [tag] }] },
      ],
    }
  }
  await using fake = await startFakeProvider('anthropic', {
    steps: withQuietRest([{ answer: 'good', if: asks('intent'), answerFrom }]),
  })
  const { review } = await deepWorld(fake)
  const ticket = join(temporaryFolder(), 'ticket.md')
  writeFileSync(ticket, '# Totals\n\n- [ ] All items count\n- [ ] Prices are rounded down\n')
  const told: Review = JSON.parse((await review('--ticket', ticket)).stdout)
  expect(fake.mistakes).toEqual([])
  expect(told.criteria).toMatchObject([
    {
      id: 'AC1',
      state: 'covered',
      by: 'model',
      lines: [{ path: 'src/cart.ts', tags: [expect.any(String)] }],
    },
    { id: 'AC2', state: 'undecidable' },
  ])
})

test('planes are picked by name, those of models like those of code', async () => {
  await using fake = await startFakeProvider('anthropic', { steps: withQuietRest([]) })
  const { review, repo } = await deepWorld(fake)
  const rows = async (...args: string[]) => modelRows(JSON.parse((await review(...args, '--fresh')).stdout))
  expect((await rows('--planes', 'security,maintainability')).slice(0, 2)).toEqual([
    'security ran',
    'maintainability ran',
  ])
  const ran = (all: string[]) => all.filter((row) => row.endsWith(' ran'))
  const only = await rows('--only', 'security', '--only', 'tests')
  expect(ran(only)).toEqual(['security ran', 'tests ran'])
  expect(only).toContain('intent left-out')
  const skipped = await rows('--skip', 'intent,contract', '--skip', 'tests')
  expect(ran(skipped)).toEqual(['correctness ran', 'security ran', 'performance ran'])
  expect(skipped).toContain('tests left-out')
  const none = await review('--only', 'maintainability')
  expect([none.code, JSON.parse(none.stdout).error.detail]).toEqual([
    2,
    expect.stringContaining('none of maintainability looks at depth deep'),
  ])
  const before = fake.calls.length
  const estimateOf = async (...args: string[]) =>
    JSON.parse((await review('--estimate', ...args)).stdout).estimate
  expect(await estimateOf()).toMatchObject({ calls: 5, outputTokens: 60_000, followUps: { calls: 5 } })
  expect(await estimateOf('--planes', 'security')).toMatchObject({ calls: 1, outputTokens: 12_000 })
  const offline = await review('--planes', 'secrets')
  expect(JSON.parse(offline.stdout).depth).toBe('offline')
  expect(fake.calls.length).toBe(before)

  repo.commit({ '.sightline.yaml': 'planes:\n  enable: [maintainability]\n  disable: [intent]\n' }, 'planes')
  repo.commit({ 'src/price.ts': 'export const round = Math.floor\n' }, 'floor')
  expect(await rows()).toEqual([
    'correctness ran',
    'contract ran',
    'security ran',
    'performance ran',
    'maintainability ran',
    // No test uses what this change touches.
    'tests skipped',
    'intent skipped',
  ])
})
