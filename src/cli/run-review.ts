/** Runs one review for a command: progress while it goes, the result when it is there, and the exit code. */
import { visibleLine } from '../base/visible-text.ts'
import { configFileNames } from '../config/file-names.ts'
import type {
  Analysis,
  ChangeSelector,
  Depth,
  FormatName,
  ModelOptions,
  Publication,
  Review,
  ReviewOverrides,
  ReviewTarget,
  Severity,
} from '../index.ts'
import { type CostFlags, confirmCost, confirmSending } from './confirm-models.ts'
import { readTicket } from './input/change.ts'
import { readModelRoles } from './input/choices.ts'
import { chooseFormat, type OutputFlags, renderReview } from './output/format.ts'
import { chooseProgress, type ProgressFlags } from './progress/choose.ts'
import type { ProgressView } from './progress/contract.ts'
import { type Shell, servicesIn } from './shell.ts'
import { requireWritable, type Terminal, writeResultFile } from './terminal.ts'

export type ReviewFlags = OutputFlags &
  ProgressFlags &
  CostFlags & {
    readonly 'max-inline': number | undefined
    readonly 'fail-on': Severity | 'never' | undefined
    readonly 'min-severity': Severity | undefined
    readonly 'require-complete': boolean
    readonly 'allow-incomplete': boolean
    readonly planes: readonly string[]
    readonly only: readonly string[]
    readonly skip: readonly string[]
    readonly depth: Depth | undefined
    readonly 'no-agent': boolean
    readonly model: readonly string[]
    readonly fresh: boolean
    readonly 'no-record': boolean
    readonly ticket: string | undefined
    readonly 'no-cache': boolean
  }

export type ReviewRun = {
  readonly folder: string
  readonly selector: ChangeSelector
  readonly flags: ReviewFlags
  readonly terminal: Terminal
  readonly shell: Shell
  readonly signal: AbortSignal
}

export async function runReview(run: ReviewRun): Promise<number> {
  const { flags, terminal, shell } = run
  const format = chooseFormat(flags)
  if (flags.output !== undefined) await requireWritable(shell, flags.output)
  const roles = readModelRoles(flags.model)
  // Drawn before the heavy part is loaded, so that something is to be seen at once.
  const progress = chooseProgress(flags, terminal)
  const cost = confirmCost(flags, progress, shell, run.signal)
  const consent = confirmSending(flags, progress, terminal, shell, run.signal)
  const models = { ...cost.options, ...consent, ...(roles ? { roles } : {}) }
  const { analysis, published } = await reviewWith(run, progress, models, async (review, config) =>
    flags.estimate
      ? cost.renderEstimate(format === 'json')
      : await renderReview(review, format, flags, flags['max-inline'] ?? config.review.maxInline, terminal),
  ).finally(progress.end)
  run.signal.throwIfAborted()
  const { review, config, delivered: text } = published
  if (flags.output === undefined) await terminal.result(text)
  else await writeResultFile(shell, flags.output, text)
  const silent = flags.quiet || flags.progress
  for (const remark of silent ? [] : remarks(analysis, flags))
    terminal.note(`sightline: ${visibleLine(remark)}\n`)
  for (const line of flags.progress ? [] : await loudLines(review, format))
    terminal.note(`sightline: ${visibleLine(line)}\n`)
  const { exitCodes, exitCodeOf } = await import('./output/exit-code.ts')
  if (flags.estimate) return exitCodes.clean
  return exitCodeOf(review, {
    failOn: flags['fail-on'] ?? config.review.failOn,
    requireComplete: flags['require-complete'] || config.review.requireComplete,
    allowIncomplete: flags['allow-incomplete'],
  })
}

/** The three stages in one process, as `sightline collect`, `analyze` and `publish` run them in three. */
async function reviewWith(
  { folder, selector, flags, shell, signal }: ReviewRun,
  { onEvent }: ProgressView,
  asked: ModelOptions,
  deliver: ReviewTarget<string>['deliver'],
): Promise<{ analysis: Analysis; published: Publication<string> }> {
  const { analyze, collect, localSource, openServices, prepareModels, publish } = await import('../index.ts')
  const services = await openServices({
    ...servicesIn(shell),
    onEvent,
    signal,
    ...(flags['no-cache'] ? { cacheFolder: null } : {}),
  })
  try {
    // Before any work: a depth that no model can serve is refused here.
    const models = prepareModels(asked, services, flags.depth)
    const { borrowFrom } = services.settings.repositories
    const source = localSource({ folder, selector, borrowFrom })
    const change = await collect(source, services, { ticket: await readTicket(flags.ticket, shell) })
    try {
      const record = flags.estimate || flags['no-record'] ? null : { fresh: flags.fresh }
      const analysis = await analyze(change, services, { overrides: overridesOf(flags), models, record })
      return { analysis, published: await publish(analysis.review, { change, deliver }) }
    } finally {
      await change.close()
    }
  } finally {
    await services.close()
  }
}

function overridesOf(flags: ReviewFlags): ReviewOverrides {
  return {
    ...(flags.planes.length > 0 ? { exactPlanes: [...flags.planes] } : {}),
    ...(flags.only.length > 0 ? { onlyPlanes: [...flags.only] } : {}),
    ...(flags.skip.length > 0 ? { skipPlanes: [...flags.skip] } : {}),
    overrides: {
      ...(flags.depth ? { depth: flags.depth } : {}),
      ...(flags['no-agent'] ? { followUps: 0 } : {}),
      ...(flags['min-severity'] ? { minSeverity: flags['min-severity'] } : {}),
    },
  }
}

function remarks({ review, remarks: told }: Analysis, flags: ReviewFlags): string[] {
  return [...told, ...(flags.output === undefined ? [] : [`wrote ${flags.output}`]), ...editedConfig(review)]
}

/** Told whatever the result is written to: a model that could not be asked, and what a format has no place for. */
async function loudLines({ conclusion, models }: Review, format: FormatName): Promise<string[]> {
  const { modelNotices } = await import('../index.ts')
  return format === 'rdjson'
    ? [conclusion.headline, ...conclusion.notices]
    : modelNotices(models?.groups ?? [])
}

function editedConfig({ files }: Review): string[] {
  const edited = files.find(({ path }) => configFileNames.some((name) => name === path))
  return edited ? [`this change edits ${edited.path}; this review used the version before the change`] : []
}
