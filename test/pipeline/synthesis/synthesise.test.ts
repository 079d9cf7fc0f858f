/** Synthesis as a whole, over random findings: nothing is lost, and the order in does not matter. */
import { expect, test } from 'vitest'
import type { Finding, Verdict } from '../../../src/domain/finding.ts'
import { severities } from '../../../src/domain/severity.ts'
import { Random } from '../../helpers/random.ts'
import { checked, finding, planes, proven, run, standingIds, upheld, verdictFor } from './parts.ts'

const categories = ['correctness', 'contract', 'security', 'performance'] as const
const claims = [{ kind: 'no-test-calls', symbol: 'parse', path: 'src/parse.ts', line: 12 } as const]
const titles = [
  'The text is parsed twice when it is empty',
  'When empty the text is parsed twice',
  'Input reaches a shell',
  'The text grows without end',
]

function randomFindings(seed: number): Finding[] {
  const random = new Random(seed)
  return Array.from({ length: random.between(2, 13) }, (_, at) => {
    const startLine = random.between(10, 13)
    return finding(`C${at + 1}`, {
      plane: random.pick(planes),
      category: random.pick(categories),
      severity: random.pick(severities),
      confidence: random.pick(['certain', 'likely', 'possible'] as const),
      title: random.pick(titles),
      preExisting: random.chance(0.2),
      byModel: random.chance(0.75),
      startLine,
      endLine: startLine + random.between(0, 2),
      anchor: { path: random.pick(['src/parse.ts', 'src/app.ts']), tags: ['L12#abc'] },
      claims: random.pick([[], claims]),
      suggestion: random.chance(0.3)
        ? { path: 'src/parse.ts', startLine, endLine: startLine, replacement: random.pick(['a', 'b']) }
        : null,
      ...random.pick([{}, proven, checked, upheld]),
    })
  })
}

test('every finding keeps a verdict that says why; what stood there before is never shown before what is new', () => {
  let contradicted = 0
  for (let seed = 1; seed <= 500; seed++) {
    const findings = randomFindings(seed)
    const { verdicts, conflicts, signals } = run(findings)
    contradicted += conflicts.length
    expect(verdicts.map(({ candidate }) => candidate.id).sort()).toEqual(findings.map(({ id }) => id).sort())
    const left = verdicts.flatMap((verdict) => verdict.finding ?? [])
    const ids = new Set(left.map(({ id }) => id))
    for (const { finding: standing, candidate, outcome, reason } of verdicts) {
      expect(standing?.id).toBe(candidate.id)
      if (outcome === 'demoted') expect(reason).not.toBe('')
    }
    const firstOld = left.findIndex(({ preExisting }) => preExisting)
    if (firstOld >= 0) expect(left.slice(firstOld).every(({ preExisting }) => preExisting)).toBe(true)
    const fresh = left
      .filter(({ preExisting }) => !preExisting)
      .map(({ severity }) => severities.indexOf(severity))
    // A surer finding may come before one that is a step more severe, never before one of two steps.
    for (const [index, rank] of fresh.entries())
      expect(rank - Math.min(...fresh.slice(index))).toBeLessThanOrEqual(1)
    for (const { upheld: one, yielded } of conflicts) expect(ids.has(one) && ids.has(yielded)).toBe(true)
    expect(signals.reduce((sum, signal) => sum + signal.findings, 0)).toBe(fresh.length)
  }
  expect(contradicted).toBeGreaterThan(125)
})

test('shuffled input gives the same output', () => {
  for (let seed = 1; seed <= 500; seed++) {
    const findings = randomFindings(seed)
    const random = new Random(seed + 10_000)
    const keyed = findings.map((one) => ({ one, key: random.next() }))
    const shuffled = keyed.sort((a, b) => a.key - b.key).map(({ one }) => one)
    expect(JSON.stringify(run(shuffled))).toBe(JSON.stringify(run(findings)))
  }
})

test('what was dropped before stays as it was, behind what stands', () => {
  const dropped: Verdict = {
    ...verdictFor(finding('C1')),
    outcome: 'dropped',
    step: 'anchor',
    reason: 'no',
    finding: null,
  }
  const result = run([], { verdicts: [dropped, verdictFor(finding('C2'))] })
  expect(result.verdicts.map(({ candidate }) => candidate.id)).toEqual(['C2', 'C1'])
  expect(result.verdicts[1]).toBe(dropped)
  expect(standingIds(result)).toEqual(['C2'])
})

test('what was dropped is told in the order of its numbers, however it came in', () => {
  const dropped = ['C10', 'C2', 'C1'].map(
    (id): Verdict => ({ ...verdictFor(finding(id)), outcome: 'dropped', step: 'anchor', finding: null }),
  )
  const ids = run([], { verdicts: dropped }).verdicts.map(({ candidate }) => candidate.id)
  expect(ids).toEqual(['C1', 'C2', 'C10'])
})

test('what strengthens a finding of code is added to it, in whatever order it came; medium at most without proof', () => {
  const places = [{ path: 'src/app.ts', side: 'new', startLine: 3, endLine: 3, quote: 'parse(' } as const]
  const code = finding('C1', {
    plane: 'contract',
    byModel: false,
    severity: 'low',
    title: 'No test calls it',
  })
  const adds = (id: string, overrides: Partial<Finding>) =>
    finding(id, { enriches: 'C1', title: 'An empty text crashes the start page', ...overrides })
  const findings = [
    code,
    adds('C2', { severity: 'high', places, explanation: 'The start page passes an empty text.' }),
    adds('C3', { severity: 'medium', explanation: 'Imports run through it at night.' }),
    adds('C4', { enriches: 'C9', startLine: 40, endLine: 40 }),
  ]
  const [first, ...rest] = run(findings).verdicts
  expect(first?.finding).toMatchObject({ id: 'C1', severity: 'medium', places, title: 'No test calls it' })
  expect(first?.finding?.explanation).toMatch(
    /The reviewer model adds: .*start page passes[\s\S]*adds: .*at night/,
  )
  expect(rest.map(({ candidate, outcome, reason }) => `${candidate.id} ${outcome} ${reason}`)).toEqual([
    expect.stringMatching(/^C4 kept /),
    'C2 dropped It was added to C1',
    'C3 dropped It was added to C1',
  ])
  expect(JSON.stringify(run(findings.toReversed()))).toBe(JSON.stringify(run(findings)))
  const upheldOne = adds('C2', { severity: 'high', ...upheld })
  expect(run([code, upheldOne]).verdicts[0]?.finding?.severity).toBe('high')
})

test('signals: one for each plane in order, the worst and how sure, without what stood there before', () => {
  const { signals } = run(
    [
      finding('C1', { severity: 'high', confidence: 'possible' }),
      finding('C2', { severity: 'high', confidence: 'likely', startLine: 40, endLine: 40 }),
      finding('C3', { severity: 'low', confidence: 'certain', startLine: 60, endLine: 60 }),
      finding('C4', { severity: 'critical', preExisting: true, startLine: 80, endLine: 80 }),
    ],
    {
      outcomes: [
        { plane: 'secrets', state: 'ran' },
        { plane: 'rules', state: 'failed' },
        { plane: 'correctness', state: 'partly' },
      ],
    },
  )
  expect(signals).toEqual([
    { plane: 'secrets', severity: null, findings: 0, confidence: null },
    { plane: 'correctness', severity: 'high', findings: 3, confidence: 'likely' },
  ])
})
