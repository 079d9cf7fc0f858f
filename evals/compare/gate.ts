/** Whether an evaluation may stand beside the one before: no, when a score fell further than the choice of cases explains. */
import type { ScoreSheet } from '../scores/case-score.ts'
import { type Comparison, compareSheets, type Difference } from './compare-sheets.ts'

/** Seconds depend on the machine, so they hold nobody up. */
const ungated = new Set(['seconds'])

export type GateResult = {
  passed: boolean
  fallen: Difference[]
  /** Cases of the baseline that were not evaluated at all: a score without them proves nothing. */
  missing: number
  comparison: Comparison
}

export function gate(baseline: ScoreSheet, now: ScoreSheet): GateResult {
  const comparison = compareSheets(baseline, now)
  const fallen = comparison.differences.filter(
    ({ word, metric }) => word === 'worse' && !ungated.has(metric.name),
  )
  const missing = comparison.onlyA
  return { passed: fallen.length === 0 && missing === 0, fallen, missing, comparison }
}
