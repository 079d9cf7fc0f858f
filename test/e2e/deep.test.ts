/** Depth deep, end to end: a whole review of one bundle and a second reading for the other planes, over the wire. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Review } from '../../src/index.ts'
import type { Call } from '../helpers/fakes/contract.ts'
import { startFakeProvider } from '../helpers/fakes/registry.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'
import { drawn } from '../helpers/matrix.ts'
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

test('six planes look in two questions, one follows up, the second knows what the first found; replayed to the byte', async () => {
  const fake = await startFakeProvider('anthropic', {
    steps: withQuietRest([
      {
        answer: 'good',
        if: asks('correctness'),
        value: {
          ...quiet,
          findings: [wrongSum],
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
      {
        answer: 'good',
        if: asks('security'),
        value: {
          ...quiet,
          findings: [{ ...wrongSum, enriches: 'R1', explanation: 'Whoever orders twice is owed money.' }],
          looked_at: [
            {
              topic: 'security',
              lines: [{ file: 'src/cart.ts', tags: [{ $tagAt: 'sum - round(item)' }, 'L1#zzz'] }],
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
  expect(modelRows(told)).toEqual(deepPlanes.map((plane) => `${plane} ran`))
  expect(told.findings.filter(({ byModel }) => byModel)).toMatchObject([
    {
      plane: 'correctness',
      rule: 'correctness/correctness',
      title: 'The total is subtracted',
      explanation: 'For any item above zero the sum goes below zero. Whoever orders twice is owed money.',
      side: 'new',
    },
  ])
  const rows = told.coverage.planes.filter(({ byModel }) => byModel)
  expect(rows.map(({ together = [] }) => together.length)).toEqual([1, 1, 3, 3, 3, 3])
  expect(rows.map(({ lines }) => lines)).toEqual([
    undefined,
    undefined,
    [{ path: 'src/cart.ts', side: 'new', line: 4 }],
    undefined,
    undefined,
    undefined,
  ])
  expect(told.models?.groups.map(({ address }) => address)).toEqual(
    deepQuestions.map((planes) => `deep/group-1/${planes}`),
  )
  expect(told.models?.followUps).toMatchObject([
    { address: 'deep/group-1/correctness+contract/follow-up', refused: null, confirmed: 1, dismissed: 0 },
  ])
  expect(told.models?.prompts).toEqual([
    'plane-review@4',
    'planes/correctness@2',
    'planes/contract@2',
    'second-reading@1',
    ...deepPlanes.slice(2).map((plane) => `planes/${plane}@2`),
    'plane-follow-up@2',
    'refute@6',
  ])

  const calls = planeCalls(fake)
  expect(calls.map(planesOf)).toEqual([deepQuestions[0], ...deepQuestions])
  expect(calls.map(({ lastTurn }) => lastTurn.includes(authorsWords))).toEqual([true, false, true])
  expect(calls.map(({ lastTurn }) => /^R1 .*$/m.exec(lastTurn)?.[0])).toEqual([
    undefined,
    undefined,
    expect.stringMatching(/^R1 src\/cart\.ts L4#\w{3} \(correctness\) The total is subtracted$/),
  ])

  await fake.close()
  const again = await sightline(['replay', 'last', '--json'], { env })
  expect(again.stderr).toBe('')
  expect(again.stdout).toBe(first.stdout)
})

test.each(drawn(['anthropic', 'openai'] as const))(
  'over %s the second question reads what both share from the cache',
  async (kind) => {
    await using fake = await startFakeProvider(kind, { steps: withQuietRest([]) })
    const model = kind === 'anthropic' ? 'claude-sonnet-5-5' : 'gpt-5.5'
    const { review } = await deepWorld(fake, { kind, model })
    await review()
    expect(fake.mistakes).toEqual([])
    const [first, ...others] = planeCalls(fake)
    expect(first && planesOf(first)).toBe(deepQuestions[0])
    expect(others.map(planesOf)).toEqual(deepQuestions.slice(1))
    const shared = first?.prompt.indexOf('You have 2 topics') ?? 0
    expect(shared).toBeGreaterThan(0)
    for (const other of others) {
      expect(other.prompt.slice(0, shared)).toBe(first?.prompt.slice(0, shared))
      expect(other.schema).toEqual(first?.schema)
      // All that is shared, but for what providers round off.
      expect(other.usage.cacheRead).toBeGreaterThan(shared / 4 - 130)
    }
  },
)

const badSteps = [
  ['declined', { answer: 'refusal' as const, value: quiet }, 'the model declined to review it'],
  ['cut off', { answer: 'truncated' as const, value: quiet }, 'the model ran into its output limit'],
  ['not answered', { answer: 'web-page' as const, status: 403 }, 'no model was available'],
] as const

test.each(drawn(badSteps))(
  'a second question that is %s leaves the first review standing, and coverage says so',
  async (_, step, words) => {
    await using fake = await startFakeProvider('anthropic', {
      steps: withQuietRest([
        { ...step, if: asks('security'), times: 'always' },
        { answer: 'good', if: asks('correctness'), value: { ...quiet, findings: [wrongSum] } },
      ]),
    })
    const { review } = await deepWorld(fake)
    const told: Review = JSON.parse((await review()).stdout)
    expect(fake.mistakes).toEqual([])
    expect(told.depth).toBe('deep')
    expect(modelRows(told)).toEqual([
      'correctness ran',
      'contract ran',
      'security failed',
      'performance failed',
      'tests failed',
      'intent failed',
    ])
    expect(told.findings.filter(({ byModel }) => byModel).map(({ title }) => title)).toEqual([
      'The total is subtracted',
    ])
    expect(told.coverage.complete).toBe(false)
    for (const file of told.coverage.files)
      expect(file).toMatchObject({
        state: 'partly',
        reason: `not reviewed for security, performance, tests, and intent: ${words}`,
      })
  },
)

test('where the first question is declined, the second stands alone and is a review of its own', async () => {
  await using fake = await startFakeProvider('anthropic', {
    steps: withQuietRest([
      { answer: 'refusal', if: asks('correctness'), value: quiet, times: 'always' },
      { answer: 'good', if: asks('security'), value: { ...quiet, findings: [wrongSum] } },
    ]),
  })
  const { review } = await deepWorld(fake)
  const told: Review = JSON.parse((await review()).stdout)
  expect(fake.mistakes).toEqual([])
  expect(modelRows(told).slice(0, 3)).toEqual(['correctness failed', 'contract failed', 'security ran'])
  expect(told.models?.prompts).not.toContain('second-reading@1')
  expect(told.findings.map(({ title }) => title)).toContain('The total is subtracted')
})

const speeds = [
  ['fast', undefined],
  ['slow', { kind: 'slow' as const, delayMs: 4 }],
] as const

test.each(drawn(speeds))(
  'a budget that ends before the second question ends there, whoever is %s',
  async (_name, delivery) => {
    await using fake = await startFakeProvider('anthropic', {
      steps: withQuietRest([
        { answer: 'good', if: asks('correctness'), value: quiet, ...(delivery ? { delivery } : {}) },
      ]),
    })
    const { review, env } = await deepWorld(fake)
    // A question may cost up to 21 cents here: its prompt, and 12,000 tokens of answer at $15 a million.
    const first = await review('--budget', '0.23')
    const told: Review = JSON.parse(first.stdout)
    expect(told.models?.groups.map(({ outcome }) => outcome)).toEqual(['answered', 'over-budget'])
    expect(first.code).toBe(5)
    expect((await sightline(['replay', 'last', '--json'], { env })).stdout).toBe(first.stdout)
  },
)

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
  expect(planeCalls(fake).map(planesOf)).toEqual(['correctness+contract', 'security+performance+intent'])
  const asked = Object.fromEntries(
    told.models?.groups.map(({ address, files }) => [address.split('/').at(-1), files.join()]) ?? [],
  )
  expect(asked).toMatchObject({
    'correctness+contract': 'README.md,src/cart.ts,src/page.ts',
    'security+performance+intent': 'README.md,src/cart.ts,src/page.ts',
  })
  const [, second] = planeCalls(fake)
  const filesFor = (topic: string) =>
    new RegExp(`For the topic ${topic}, look .*\\n<<<foreign .*\\n([^>]*)>>>`).exec(
      second?.lastTurn ?? '',
    )?.[1]
  expect(filesFor('security')).toBe('src/cart.ts\nsrc/page.ts\n')
  expect(filesFor('performance')).toBe('src/cart.ts\n')
  expect(filesFor('intent')).toBeUndefined()
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

// Every way to pick: test/pipeline/choose-planes.test.ts.
test('planes are picked by name, those of models like those of code', async () => {
  await using fake = await startFakeProvider('anthropic', { steps: withQuietRest([]) })
  const { review, repo } = await deepWorld(fake)
  const rows = async (...args: string[]) => modelRows(JSON.parse((await review(...args)).stdout))
  const only = await rows('--only', 'security', '--only', 'tests')
  expect(only.filter((row) => row.endsWith(' ran'))).toEqual(['security ran', 'tests ran'])
  expect(only).toContain('intent left-out')
  const none = await review('--only', 'maintainability')
  expect([none.code, JSON.parse(none.stdout).error.detail]).toEqual([
    2,
    expect.stringContaining('none of maintainability looks at depth deep'),
  ])
  const before = fake.calls.length
  const { estimate } = JSON.parse((await review('--estimate')).stdout)
  expect(estimate).toMatchObject({ calls: 2, outputTokens: 24_000, followUps: { calls: 2 } })
  expect(JSON.parse((await review('--planes', 'secrets')).stdout).depth).toBe('offline')
  expect(fake.calls.length).toBe(before)

  repo.commit({ '.sightline.yaml': 'planes:\n  enable: [maintainability]\n  disable: [intent]\n' }, 'planes')
  repo.commit({ 'src/price.ts': 'export const round = Math.floor\n' }, 'floor')
  // No test uses what this change touches.
  expect((await rows()).slice(-3)).toEqual(['maintainability ran', 'tests skipped', 'intent skipped'])
})
