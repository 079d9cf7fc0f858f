/** Which scores an evaluation has: those of reviews, or those of retrieval. */
import type { CaseScore } from './case-score.ts'
import { type Metric, metrics } from './metrics.ts'
import { retrievalMetrics } from './retrieval-metrics.ts'

export function metricsFor(cases: readonly CaseScore[]): readonly Metric[] {
  return measuresRetrieval(cases) ? retrievalMetrics : metrics
}

export function measuresRetrieval(cases: readonly CaseScore[]): boolean {
  return cases.some(({ retrieval }) => retrieval !== undefined)
}
