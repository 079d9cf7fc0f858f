/** What synthesis takes and gives: what each plane found becomes one list that does not repeat or contradict itself. */
import type { PlaneCoverage } from '../../domain/coverage.ts'
import type { Finding, Verdict } from '../../domain/finding.ts'
import type { Conflict, MemoryInsight, PlaneSignal } from '../../domain/review.ts'
import type { ReviewContext } from '../../domain/review-context.ts'

export type SynthesisInput = {
  verdicts: readonly Verdict[]
  /** The planes in the order of their weight, those of models among them; a name may come twice. */
  outcomes: readonly Pick<PlaneCoverage, 'plane' | 'state'>[]
  context: Pick<ReviewContext, 'change' | 'evidence'>
  insights: readonly MemoryInsight[]
}

export type Synthesis = {
  /** One for each that came in: first those that stand, most important first, those that stood there before last. */
  verdicts: Verdict[]
  conflicts: Conflict[]
  /** One for each plane that ran, in their order. */
  signals: PlaneSignal[]
  memoryInsights: MemoryInsight[]
}

export type Standing = Verdict & { finding: Finding }

export function stands(verdict: Verdict): verdict is Standing {
  return verdict.finding !== null
}
