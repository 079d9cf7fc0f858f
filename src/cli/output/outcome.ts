/** From a finished review to the exit code. */
import { exitCodes } from '../../base/errors.ts'
import { isUnread } from '../../domain/model-report.ts'
import { isAtLeast } from '../../domain/severity.ts'
import type { Review, Severity } from '../../index.ts'

export { exitCodes }

export type Threshold = {
  /** `never`: findings do not fail the run. */
  readonly failOn: Severity | 'never'
  readonly requireComplete: boolean
  /** A model that could not be asked does not fail the run either. */
  readonly allowIncomplete: boolean
}

/**
 * Findings win over a budget that ran out, and that over other incompleteness: a bug that was seen is the stronger
 * word. What stood there before the change is shown and never fails it; what a filter hides counts.
 */
export function exitCodeOf(
  review: Pick<Review, 'findings' | 'hidden' | 'coverage' | 'models'>,
  { failOn, requireComplete, allowIncomplete }: Threshold,
): number {
  const fails = [...review.findings, ...(review.hidden ?? [])].some(
    ({ preExisting, severity }) => !preExisting && failOn !== 'never' && isAtLeast(severity, failOn),
  )
  if (fails) return exitCodes.findings
  const groups = review.models?.groups ?? []
  if (groups.some(({ outcome }) => outcome === 'over-budget')) return exitCodes.budget
  if (allowIncomplete) return exitCodes.clean
  const isShort = groups.some(isUnread) || (requireComplete && !review.coverage.complete)
  return isShort ? exitCodes.incomplete : exitCodes.clean
}
