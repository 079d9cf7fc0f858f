/** Outcomes: counted with intervals, and what follows from them for the next review. */
import { expect, test } from 'vitest'
import type { EventOf, LedgerEvent } from '../../src/ledger/contract.ts'
import { foldLedger } from '../../src/ledger/fold.ts'
import { calibrate, calibratedOutcomes, countOutcomes, wilson } from '../../src/ledger/outcomes.ts'
import { emptyView, settleFindings, viewOf } from '../../src/ledger/settle.ts'
import { sampleDismissed, sampleSeen } from '../contracts/ledger-suite.ts'
import { sampleFinding } from '../helpers/sample-review.ts'

const dismissed = (number: number, kind: EventOf<'dismissed'>['kind']) => sampleDismissed(number, { kind })

function fixed(number: number): LedgerEvent {
  const { finding, at, change, head } = sampleSeen(number)
  return { id: `f-${number}`, at, change, finding, type: 'fixed', head, why: 'gone' }
}

test("Wilson's interval, against published values", () => {
  const rounded = (part: number, whole: number) => {
    const { low, high } = wilson(part, whole)
    return [low.toFixed(4), high.toFixed(4)]
  }
  expect(rounded(0, 10)).toEqual(['0.0000', '0.2775'])
  expect(rounded(5, 10)).toEqual(['0.2366', '0.7634'])
  expect(rounded(81, 263)).toEqual(['0.2553', '0.3662'])
})

test('each finding counts once by what became of it; a baseline counts for nothing', () => {
  const events = [1, 2, 3, 4, 5, 6].map((number) => sampleSeen(number)) as LedgerEvent[]
  const ledger = foldLedger([
    ...events,
    fixed(1),
    dismissed(2, 'wrong'),
    dismissed(3, 'unimportant'),
    dismissed(4, 'accepted'),
    dismissed(5, 'baseline'),
  ])
  const rows = countOutcomes(new Map([['github.com/acme/shop', ledger]]))
  expect(rows.map(({ by, name }) => `${by} ${name}`)).toEqual([
    'all all findings',
    'plane contract',
    'rule contract/x',
    'repository github.com/acme/shop',
    'model no model (code checks)',
  ])
  for (const { tally, precision } of rows) {
    expect(tally).toEqual({ right: 2, wrong: 1, unimportant: 1, undecided: 1 })
    expect(precision?.share).toBe(0.5)
  }
})

test('a rule that was mostly wrong is shown as minor, with the figure; before enough is decided it is not', () => {
  const seen = (count: number) => Array.from({ length: count }, (_, at) => sampleSeen(at + 1))
  const decided = (count: number) =>
    foldLedger([...seen(count), ...Array.from({ length: count }, (_, at) => dismissed(at + 1, 'wrong'))])
  expect(calibrate(decided(7))).toEqual({ poor: [], sound: [] })
  expect(calibrate(decided(9)).poor).toEqual([{ by: 'rule', name: 'contract/x', right: 0, decided: 9 }])
  const finding = sampleFinding({ rule: 'contract/x', severity: 'high' })
  const settle = (count: number, plane = 'contract') => {
    const view = { ...emptyView, ...viewOf(decided(count), '1'), findings: [] }
    const verdict = {
      candidate: finding,
      outcome: 'kept',
      step: 'kept',
      reason: '',
      finding: { ...finding, plane },
    } as const
    return settleFindings({ view, verdicts: [verdict], textOf: () => null, pathNow: (path) => path })
      .verdicts[0]?.finding
  }
  expect(settle(7)?.severity).toBe('high')
  expect(settle(9)).toMatchObject({
    severity: 'low',
    lowered: {
      from: 'high',
      why: 'of the earlier findings of this rule in this repository, 0 of 9 were right',
    },
  })
  expect(settle(9, 'secrets')?.severity).toBe('high')
})

test('planes and models that were mostly wrong count as minor, where no rule of its own speaks', () => {
  const facts = (number: number) => ({
    plane: 'reviewer',
    rule: `reviewer/${number % 5}`,
    severity: 'high' as const,
    category: 'correctness' as const,
    model: 'acme/m1',
  })
  const seen = (count: number) =>
    Array.from({ length: count }, (_, at) => sampleSeen(at + 1, { facts: facts(at) }))
  const wrong = (count: number) => Array.from({ length: count }, (_, at) => dismissed(at + 1, 'wrong'))
  // Five rules with four decisions each: none of them says anything yet.
  expect(calibrate(foldLedger([...seen(19), ...wrong(19)])).poor).toEqual([])
  const ledger = foldLedger([...seen(24), ...wrong(24)])
  expect(calibrate(ledger).poor.map(({ by, name }) => [by, name])).toEqual([
    ['plane', 'reviewer'],
    ['model', 'acme/m1'],
  ])
  // A rule that was right all along keeps its place.
  const good = Array.from({ length: 10 }, (_, at) =>
    sampleSeen(100 + at, { facts: { ...facts(0), rule: 'reviewer/good' } }),
  )
  const mixed = foldLedger([...seen(40), ...wrong(40), ...good, ...good.map((_, at) => fixed(100 + at))])
  const view = { ...emptyView, ...viewOf(mixed, '1'), findings: [] }
  expect(view.sound).toEqual(['reviewer/good'])
  const settle = (rule: string, plane: string, model: string, byModel = true) => {
    const finding = sampleFinding({ rule, plane, severity: 'high', byModel })
    const verdict = { candidate: finding, outcome: 'kept', step: 'kept', reason: '', finding } as const
    const input = { view, verdicts: [verdict], model, textOf: () => null, pathNow: (path: string) => path }
    return settleFindings(input).verdicts[0]?.finding?.lowered?.why ?? null
  }
  const inAll = 'in this repository, 10 of 50 were right'
  expect(settle('reviewer/new', 'reviewer', 'm2')).toBe(
    `of the earlier findings of the plane reviewer ${inAll}`,
  )
  expect(settle('other/new', 'other', 'acme/m1')).toBe(`of the earlier findings of acme/m1 ${inAll}`)
  expect(settle('other/new', 'other', 'm2')).toBe(`of the earlier findings of models ${inAll}`)
  expect(settle('reviewer/good', 'reviewer', 'acme/m1')).toBeNull()
  expect(settle('other/new', 'other', 'acme/m1', false)).toBeNull()
  const rows = calibratedOutcomes(new Map([['github.com/acme/shop', mixed]]))
  const minor = rows.filter(({ minorIn }) => minorIn.length > 0).map(({ by }) => by)
  expect(minor).toEqual(['plane', ...Array.from({ length: 5 }, () => 'rule'), 'repository', 'model'])
})
