/** Runs one review for a command: progress while it goes, the result when it is there, and the exit code. */
import { visibleLine } from '../base/visible-text.ts'
import { configFileNames } from '../config/file-names.ts'
import type { ChangeSelector, Depth, EventListener, Review, ReviewOutcome, Severity } from '../index.ts'
import { chooseFormat, type OutputFlags, renderReview } from './output/format.ts'
import { chooseProgress, type ProgressFlags } from './progress/choose.ts'
import { type Terminal, writeResultFile } from './terminal.ts'

export type ReviewFlags = OutputFlags &
  ProgressFlags & {
    readonly 'max-inline': number | undefined
    readonly 'fail-on': Severity | 'never' | undefined
    readonly 'min-severity': Severity | undefined
    readonly 'require-complete': boolean
    readonly plane: readonly string[]
    readonly 'skip-plane': readonly string[]
    readonly depth: Depth | undefined
    readonly 'no-cache': boolean
  }

export type ReviewRun = {
  readonly folder: string
  readonly selector: ChangeSelector
  readonly flags: ReviewFlags
  readonly terminal: Terminal
  readonly signal: AbortSignal
}

export async function runReview({ folder, selector, flags, terminal, signal }: ReviewRun): Promise<number> {
  const format = chooseFormat(flags)
  // Drawn before the heavy part is loaded, so that something is to be seen at once.
  const progress = chooseProgress(flags, terminal)
  const outcome = await reviewWith(progress.onEvent, { folder, selector, flags, signal }).finally(
    progress.end,
  )
  const { review, config } = outcome
  const maxInline = flags['max-inline'] ?? config.review.maxInline
  const text = await renderReview(review, format, flags, maxInline, terminal)
  if (flags.output === undefined) await terminal.result(text)
  else await writeResultFile(flags.output, text)
  const silent = flags.quiet || flags.progress
  for (const remark of silent ? [] : remarks(review, flags)) terminal.note(`sightline: ${remark}\n`)
  const { exitCodeOf } = await import('./output/exit-code.ts')
  return exitCodeOf(review, {
    failOn: flags['fail-on'] ?? config.review.failOn,
    requireComplete: flags['require-complete'] || config.review.requireComplete,
  })
}

async function reviewWith(
  onEvent: EventListener,
  { folder, selector, flags, signal }: Omit<ReviewRun, 'terminal'>,
): Promise<ReviewOutcome> {
  const { reviewChange } = await import('../index.ts')
  return await reviewChange({
    folder,
    selector,
    onEvent,
    signal,
    ...(flags['no-cache'] ? { cacheFolder: null } : {}),
    ...(flags.plane.length > 0 ? { onlyPlanes: [...flags.plane] } : {}),
    disablePlanes: [...flags['skip-plane']],
    ...(flags['min-severity'] ? { overrides: { minSeverity: flags['min-severity'] } } : {}),
  })
}

function remarks(review: Review, flags: ReviewFlags): string[] {
  const edited = review.files.find(({ path }) => configFileNames.some((name) => name === path))
  return [
    ...(flags.output === undefined ? [] : [`wrote ${visibleLine(flags.output)}`]),
    ...(edited ? [`this change edits ${edited.path}; the review went by the version before it`] : []),
  ]
}
