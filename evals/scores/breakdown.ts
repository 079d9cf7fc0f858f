/** Recall apart for severity, category, needed context, language and source, beside chance. */
import type { CaseScore, FaultScore } from './case-score.ts'

export const breakdowns = ['severity', 'category', 'context', 'language', 'source'] as const
export type BreakdownName = (typeof breakdowns)[number]

export type BreakdownRow = {
  value: string
  faults: number
  hit: number
  /** Expected hits of as many random lines as there were findings. */
  random: number
  named: number | null
}

/** Rows by value; faults for which it is not known are under `not given`. Faults without lines are left out. */
export function breakDown(cases: readonly CaseScore[], by: BreakdownName): BreakdownRow[] {
  const groups = new Map<string, FaultScore[]>()
  for (const one of cases)
    for (const fault of one.faults.filter(({ placed }) => placed)) {
      const value = (by === 'language' || by === 'source' ? one[by] : fault[by]) ?? 'not given'
      groups.set(value, [...(groups.get(value) ?? []), fault])
    }
  return [...groups.entries()]
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([value, faults]) => ({
      value,
      faults: faults.length,
      hit: faults.filter(({ hit }) => hit).length,
      random: faults.reduce((sum, { byRandomLines }) => sum + byRandomLines, 0),
      named: faults.every(({ named }) => named === null) ? null : faults.filter(({ named }) => named).length,
    }))
}
