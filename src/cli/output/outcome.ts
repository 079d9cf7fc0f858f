/** How a command that has a review ends: what it says on standard error besides its result, and its exit code. */
import { exitCodes } from '../../base/errors.ts'
import { visibleLine } from '../../base/visible-text.ts'
import { formatFacts } from '../../domain/formats.ts'
import { isPlainPass, shortfallOf } from '../../domain/review.ts'
import { isAtLeast } from '../../domain/severity.ts'
import type { FormatName, Publication, Review, Severity } from '../../index.ts'
import type { Terminal } from '../terminal.ts'

export { exitCodes }

export type Threshold = {
  /** `never`: findings do not fail the run. */
  readonly failOn: Severity | 'never'
  readonly requireComplete: boolean
  /** A model that could not be asked does not fail the run either. */
  readonly allowIncomplete: boolean
}

export type Outcome = Threshold & {
  readonly review: Review
  /** Findings that did not fit the change; none where nothing was published. */
  readonly refused?: Publication<unknown>['refused']
  /** What a person may want to know of the run. */
  readonly remarks?: readonly string[]
  readonly format: FormatName
}

/** Returns the exit code. With `--progress`, standard error has events and nothing else. */
export async function reportOutcome(
  outcome: Outcome,
  flags: { readonly quiet: boolean; readonly progress?: boolean },
  terminal: Terminal,
): Promise<number> {
  const { review, format, remarks = [], refused = [] } = outcome
  const lines = [...(flags.quiet ? [] : remarks), ...(await loudLines(review, format, refused, flags.quiet))]
  for (const line of flags.progress ? [] : lines) terminal.note(`sightline: ${visibleLine(line)}\n`)
  // A review that does not fit its change is never a clean one, and its conclusion stays.
  const code = exitCodeOf({ ...review, findings: [...review.findings, ...refused] }, outcome)
  return code === exitCodes.clean && refused.length > 0 ? exitCodes.incomplete : code
}

/** Said whatever the result is written to: models that failed, refused findings, what a format has no place for. */
async function loudLines(
  review: Review,
  format: FormatName,
  refused: Publication<unknown>['refused'],
  isQuiet: boolean,
): Promise<string[]> {
  const { conclusion, models } = review
  if (isQuiet && refused.length === 0 && isPlainPass(review)) return []
  const { modelNotices, refusalWords } = await import('../../index.ts')
  return formatFacts[format].lacksConclusion
    ? [conclusion.headline, ...conclusion.notices]
    : [...refused.map(refusalWords), ...modelNotices(models?.groups ?? [])]
}

/**
 * Findings win over a budget that ran out, and that over other incompleteness: a bug that was seen is the stronger
 * word. What stood there before the change is shown and never fails it; what a filter hides counts.
 */
export function exitCodeOf(
  review: Pick<Review, 'hidden' | 'coverage' | 'models'> & {
    findings: readonly Pick<Review['findings'][number], 'severity' | 'preExisting'>[]
  },
  { failOn, requireComplete, allowIncomplete }: Threshold,
): number {
  const fails = [...review.findings, ...(review.hidden ?? [])].some(
    ({ preExisting, severity }) => !preExisting && failOn !== 'never' && isAtLeast(severity, failOn),
  )
  if (fails) return exitCodes.findings
  const shortfall = shortfallOf(review)
  if (shortfall === 'budget') return exitCodes.budget
  if (shortfall === 'limits') return exitCodes.incomplete
  if (shortfall === null || allowIncomplete) return exitCodes.clean
  return shortfall === 'model-unavailable' || requireComplete ? exitCodes.incomplete : exitCodes.clean
}
