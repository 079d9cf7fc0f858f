/** How often reviewing models contested what a check found, and what came of it: by rule, most contested first. */
import type { CaseScore, ContestScore } from './case-score.ts'

export type ContestedRow = Record<ContestScore['outcome'], number> & { rule: string }

export function countContests(scores: readonly CaseScore[]): ContestedRow[] {
  const byRule = Map.groupBy(
    scores.flatMap(({ contests = [] }) => contests),
    ({ rule }) => rule,
  )
  return [...byRule]
    .sort(([a, of], [b, others]) => others.length - of.length || (a < b ? -1 : 1))
    .map(([rule, contests]) => {
      const number = (wanted: ContestScore['outcome']) =>
        contests.filter(({ outcome }) => outcome === wanted).length
      return {
        rule,
        dropped: number('dropped'),
        open: number('open'),
        rejected: number('rejected'),
        unfounded: number('unfounded'),
      }
    })
}
