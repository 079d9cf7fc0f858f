/** From a finished review to the exit code. */
import { exitCodes } from '../../base/errors.ts'
import { isAtLeast } from '../../domain/severity.ts'
import type { Review, Severity } from '../../index.ts'

export { exitCodes }

export type Threshold = {
  /** `never`: findings do not fail the run. */
  readonly failOn: Severity | 'never'
  readonly requireComplete: boolean
}

/**
 * Findings win over a budget that ran out, and that over other incompleteness: a bug that was seen is the stronger
 * word. What stood there before the change is
 * shown and never fails it.
 */
export function exitCodeOf(
  review: Pick<Review, 'findings' | 'coverage' | 'models'>,
  { failOn, requireComplete }: Threshold,
): number {
  const fails = review.findings.some(
    (finding) => !finding.preExisting && failOn !== 'never' && isAtLeast(finding.severity, failOn),
  )
  if (fails) return exitCodes.findings
  if (review.models?.groups.some(({ outcome }) => outcome === 'over-budget')) return exitCodes.budget
  return requireComplete && !review.coverage.complete ? exitCodes.incomplete : exitCodes.clean
}
