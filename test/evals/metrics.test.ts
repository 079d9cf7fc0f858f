/** Every score on an example that was worked out by hand. */
import { expect, test } from 'vitest'
import { differenceInterval, intervalOf } from '../../evals/scores/bootstrap.ts'
import { breakDown } from '../../evals/scores/breakdown.ts'
import { calibrate } from '../../evals/scores/calibration.ts'
import { metricNamed } from '../../evals/scores/metrics.ts'
import { faultScore, findingScore, scoreOf } from './case-of.ts'

/** Two faulty changes with three faults and five findings, two clean changes with one finding. */
const cases = [
  scoreOf({
    id: 'a',
    faults: [
      faultScore({
        severity: 'high',
        hit: true,
        hitInCategory: true,
        named: true,
        byRandomLines: 0.5,
        byLargestHunks: true,
        byFiveLargestHunks: true,
        byFiveRandomLines: 0.8,
      }),
      faultScore({ severity: 'low', hit: true, named: false, byRandomLines: 0.25, byFiveRandomLines: 0.4 }),
    ],
    findings: [
      findingScore({
        confidence: 'certain',
        correct: true,
        exact: true,
        citations: 2,
        validCitations: 2,
        judged: 'fault',
      }),
      findingScore({
        confidence: 'certain',
        correct: true,
        citations: 1,
        validCitations: 0,
        judged: 'duplicate',
      }),
      findingScore({ confidence: 'likely', rejected: true, onDiff: false, judged: 'other' }),
      findingScore({ confidence: 'likely', judged: 'other' }),
    ],
    usd: 0.3,
    tokens: 3000,
    calls: 2,
    seconds: 4,
  }),
  scoreOf({
    id: 'b',
    faults: [faultScore({ severity: 'high', named: false })],
    findings: [findingScore({ confidence: 'likely', correct: true, judged: 'other' })],
    usd: 0.1,
    tokens: 1000,
    calls: 1,
    seconds: 2,
  }),
  scoreOf({ id: 'c', kind: 'clean', findings: [findingScore({ confidence: 'certain', judged: 'other' })] }),
  scoreOf({ id: 'd', kind: 'clean' }),
]

test.each([
  ['recall', 2 / 3],
  ['recall-random', 0.75 / 3],
  ['recall-hunks', 1 / 3],
  ['recall-category', 1 / 3],
  ['recall-random-5', 1.2 / 3],
  ['recall-hunks-5', 1 / 3],
  ['cases-hit', 1 / 2],
  ['precision', 3 / 5],
  ['precision-augmented', 3 / 4],
  ['noise', 1 / 2],
  ['noisy', 1 / 2],
  ['anchor-on-diff', 5 / 6],
  ['anchor-exact', 1 / 3],
  ['evidence', 2 / 3],
  ['evidence-some', 1 / 6],
  ['named', 1 / 3],
  ['precision-judged', 1 / 4],
  ['reviewed', 1],
  ['usd', 0.1],
  ['tokens', 1000],
  ['calls', 3 / 4],
  ['seconds', 2],
])('%s is %d', (name, value) => {
  expect(metricNamed(name).of(cases)).toBeCloseTo(value, 10)
})

test('nothing to count is no number, and no zero', () => {
  expect(metricNamed('recall').of([])).toBeNull()
  expect(metricNamed('precision').of([scoreOf({})])).toBeNull()
  expect(metricNamed('named').of([scoreOf({ faults: [faultScore()] })])).toBeNull()
})

test('faults without lines count for the judge alone', () => {
  const one = scoreOf({ faults: [faultScore({ placed: false, named: true })] })
  expect(metricNamed('recall').of([one])).toBeNull()
  expect(metricNamed('named').of([one])).toBe(1)
})

test('faults apart by severity', () => {
  expect(breakDown(cases, 'severity')).toEqual([
    { value: 'high', faults: 2, hit: 1, random: 0.5, named: 1 },
    { value: 'low', faults: 1, hit: 1, random: 0.25, named: 0 },
  ])
})

test('confidence held to truth, duplicates left out and the judge first', () => {
  const { rows, expectedError, brier } = calibrate(cases)
  expect(rows.map(({ level, findings, correct }) => [level, findings, correct])).toEqual([
    ['certain', 2, 1],
    ['likely', 3, 0],
    ['possible', 0, 0],
  ])
  // |2 * 0.95 - 1| = 0.9 and |3 * 0.75 - 0| = 2.25, over five findings.
  expect(expectedError).toBeCloseTo((0.9 + 2.25) / 5)
  // 0.05² once right, 0.95² once wrong, 0.75² three times wrong.
  expect(brier).toBeCloseTo((0.0025 + 0.9025 + 3 * 0.5625) / 5)
  expect(calibrate([]).expectedError).toBeNull()
})

test('an interval is the same each time, holds the score, and is narrow when all cases are alike', () => {
  const recall = metricNamed('recall')
  const many = Array.from({ length: 40 }, (_, at) =>
    scoreOf({ id: String(at), faults: [faultScore({ hit: at % 2 === 0 })] }),
  )
  const interval = intervalOf(recall, many)
  expect(interval).toEqual(intervalOf(recall, many))
  expect(interval?.low).toBeGreaterThan(0.3)
  expect(interval?.low).toBeLessThan(0.5)
  expect(interval?.high).toBeGreaterThan(0.5)
  expect(interval?.high).toBeLessThan(0.7)
  const same = many.map((one) => [one, one] as const)
  expect(differenceInterval(recall, same)).toEqual({ low: 0, high: 0 })
})
