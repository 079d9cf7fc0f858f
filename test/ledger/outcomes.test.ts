/** Outcomes: counted with intervals, and what follows from them for the next review. */
import { expect, test } from 'vitest'
import type { LedgerEvent } from '../../src/ledger/contract.ts'
import { foldLedger } from '../../src/ledger/fold.ts'
import { countOutcomes, poorRules, wilson } from '../../src/ledger/outcomes.ts'
import { emptyView, settleFindings, viewOf } from '../../src/ledger/settle.ts'
import { sampleSeen } from '../contracts/ledger-suite.ts'
import { sampleFinding } from '../helpers/sample-review.ts'

function dismissed(number: number, kind: 'wrong' | 'unimportant' | 'accepted' | 'baseline'): LedgerEvent {
  const { finding, at, change } = sampleSeen(number)
  const by = { kind: 'person', name: 'Ada' } as const
  return {
    id: `d-${number}`,
    at,
    change,
    finding,
    type: 'dismissed',
    by,
    because: 'so',
    kind,
    reach: { kind: 'here' },
  }
}

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
  expect(poorRules(decided(7))).toEqual([])
  expect(poorRules(decided(9))).toEqual([{ rule: 'contract/x', right: 0, decided: 9 }])
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
