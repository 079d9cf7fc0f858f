/** Two evaluations of the same cases, pair by pair: what became better or worse, and whether that is more than chance. */
import { EvaluationError } from '../base/errors.ts'
import { defaultDraws, differenceInterval, type Interval } from '../scores/bootstrap.ts'
import type { CaseScore, ScoreSheet } from '../scores/case-score.ts'
import { measuresRetrieval, metricsFor } from '../scores/metric-families.ts'
import type { Metric } from '../scores/metrics.ts'

export type Difference = {
  metric: Metric
  a: number | null
  b: number | null
  /** Of `b - a`, from cases drawn again and again; null when one of the two has no such score. */
  interval: Interval | null
  /** `even`: no more than the choice of cases would explain. */
  word: 'better' | 'worse' | 'even'
}

export type Comparison = {
  /** Cases that both have. */
  pairs: number
  onlyA: number
  onlyB: number
  differences: Difference[]
  /** Cases of which faults are hit now and were not, and the other way round. */
  gained: string[]
  lost: string[]
}

/** Throws `evaluation-unreadable` when the two have no case in common. */
export function compareSheets(a: ScoreSheet, b: ScoreSheet, draws: number = defaultDraws): Comparison {
  const inB = new Map(b.scores.map((one) => [one.id, one]))
  const pairs = a.scores.flatMap((one) => {
    const other = inB.get(one.id)
    return other ? [[one, other] as const] : []
  })
  if (measuresRetrieval(a.scores) !== measuresRetrieval(b.scores))
    throw new EvaluationError('evaluation-unreadable', 'one measures reviews and the other retrieval')
  if (pairs.length === 0)
    throw new EvaluationError('evaluation-unreadable', 'the two evaluations have no case in common')
  const hits = ({ faults }: CaseScore) => faults.filter(({ hit }) => hit).length
  return {
    pairs: pairs.length,
    onlyA: a.scores.length - pairs.length,
    onlyB: b.scores.length - pairs.length,
    differences: metricsFor(a.scores).map((metric) => differenceOf(metric, pairs, draws)),
    gained: pairs.filter(([one, other]) => hits(other) > hits(one)).map(([{ id }]) => id),
    lost: pairs.filter(([one, other]) => hits(other) < hits(one)).map(([{ id }]) => id),
  }
}

function differenceOf(
  metric: Metric,
  pairs: readonly (readonly [CaseScore, CaseScore])[],
  draws: number,
): Difference {
  const [a, b] = [metric.of(pairs.map(([one]) => one)), metric.of(pairs.map(([, other]) => other))]
  const interval = differenceInterval(metric, pairs, draws)
  return { metric, a, b, interval, word: wordOf(metric, interval) }
}

function wordOf({ better }: Metric, interval: Interval | null): Difference['word'] {
  if (!interval || better === null) return 'even'
  if (interval.low > 0) return better === 'higher' ? 'better' : 'worse'
  if (interval.high < 0) return better === 'higher' ? 'worse' : 'better'
  return 'even'
}
