/** Whether findings are right as often as they claim: one row for each level of confidence. */
import type { CaseScore } from './case-score.ts'
import { findingsOf } from './metrics.ts'

/** What a level claims: the share of such findings that are right. Written in docs/contributing/evals.md. */
export const claimed: Readonly<Record<string, number>> = { certain: 0.95, likely: 0.75, possible: 0.4 }

export type CalibrationRow = { level: string; claimed: number; findings: number; correct: number }

export type Calibration = {
  rows: CalibrationRow[]
  /** The mean gap between claim and truth, weighted by findings; null without findings. */
  expectedError: number | null
  /** The mean squared gap of each single finding; null without findings. */
  brier: number | null
}

/** Findings on clean changes count as wrong. A judge's word, where there is one, goes before the lines. */
export function calibrate(cases: readonly CaseScore[]): Calibration {
  const all = findingsOf(cases).filter(({ judged }) => judged !== 'duplicate')
  const isRight = (finding: (typeof all)[number]) =>
    finding.judged === null ? finding.correct : finding.judged === 'fault'
  const rows = Object.entries(claimed).map(([level, claim]) => {
    const here = all.filter(({ confidence }) => confidence === level)
    return { level, claimed: claim, findings: here.length, correct: here.filter(isRight).length }
  })
  const total = rows.reduce((sum, { findings }) => sum + findings, 0)
  if (total === 0) return { rows, expectedError: null, brier: null }
  const gaps = rows.map(({ claimed: claim, findings, correct }) => ({
    gap: Math.abs(claim * findings - correct),
    squares: correct * (1 - claim) ** 2 + (findings - correct) * claim ** 2,
  }))
  return {
    rows,
    expectedError: gaps.reduce((sum, { gap }) => sum + gap, 0) / total,
    brier: gaps.reduce((sum, { squares }) => sum + squares, 0) / total,
  }
}
