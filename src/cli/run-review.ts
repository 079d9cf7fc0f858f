/** Runs one review for a command: progress while it goes, the result when it is there, and the exit code. */
import { configFileNames } from '../config/file-names.ts'
import type {
  Analysis,
  ChangeSelector,
  ChangeSource,
  Publication,
  Review,
  ReviewOverrides,
  ReviewTarget,
  Services,
  Severity,
  TicketOrigin,
} from '../index.ts'
import { readTicket } from './input/change.ts'
import { chooseFormat, type OutputFlags, renderReview } from './output/format.ts'
import type { Shell } from './shell.ts'
import { stoppedBefore, tellStage } from './supervision/supervised.ts'
import { requireWritable, type Terminal, writeResultFile } from './terminal.ts'
import { type ModelFlags, type WithModels, withModels } from './with-models.ts'

export type ReviewFlags = OutputFlags &
  ModelFlags & {
    readonly 'max-inline': number | undefined
    readonly 'fail-on': Severity | 'never' | undefined
    readonly 'min-severity': Severity | undefined
    readonly 'require-complete': boolean
    readonly 'allow-incomplete': boolean
    readonly planes: readonly string[]
    readonly only: readonly string[]
    readonly skip: readonly string[]
    readonly 'no-agent': boolean
    readonly fresh: boolean
    readonly 'no-record': boolean
    readonly ticket: string | undefined
  }

/** A change of a repository on this machine, or a change request of a host. */
export type Reviewed =
  | { readonly folder: string; readonly selector: ChangeSelector }
  | { readonly address: string }

export type ReviewRun = {
  readonly what: Reviewed
  readonly flags: ReviewFlags
  readonly terminal: Terminal
  readonly shell: Shell
  readonly signal: AbortSignal
}

export async function runReview(run: ReviewRun): Promise<number> {
  const { flags, terminal, shell, signal } = run
  const format = chooseFormat(flags)
  if (flags.output !== undefined) await requireWritable(shell, flags.output)
  const { analysis, published } = await withModels(run, async (opened) =>
    reviewWith(run, opened, async (review, config) =>
      flags.estimate
        ? opened.cost.renderEstimate(format === 'json')
        : await renderReview(review, format, flags, flags['max-inline'] ?? config.review.maxInline, terminal),
    ),
  )
  signal.throwIfAborted()
  const { review, config, refused, delivered: text } = published
  tellStage('publish')
  if (flags.output === undefined) await terminal.result(text)
  else await writeResultFile(shell, flags.output, text)
  const { exitCodes, reportOutcome } = await import('./output/outcome.ts')
  const code = await reportOutcome(
    {
      review,
      refused,
      format,
      remarks: remarks(analysis, flags),
      failOn: flags['fail-on'] ?? config.review.failOn,
      requireComplete: flags['require-complete'] || config.review.requireComplete,
      allowIncomplete: flags['allow-incomplete'],
    },
    flags,
    terminal,
  )
  return flags.estimate ? exitCodes.clean : code
}

/** The three stages in one process, as `sightline collect`, `analyze` and `publish` run them in three. */
async function reviewWith(
  { what, flags, shell }: ReviewRun,
  { services, models }: WithModels,
  deliver: ReviewTarget<string>['deliver'],
): Promise<{ analysis: Analysis; published: Publication<string> }> {
  const { analyze, collect, publish } = await import('../index.ts')
  const { source, ticket } = await openSource(what, services)
  const change = await collect(source, services, {
    ticket: (await readTicket(flags.ticket, shell)) ?? ticket,
  })
  try {
    const record = flags.estimate || flags['no-record'] ? null : { fresh: flags.fresh }
    const analysis = await analyze(change, services, {
      overrides: overridesOf(flags),
      models,
      record,
      stopped: stoppedBefore(),
    })
    return { analysis, published: await publish(analysis.review, { change, deliver }) }
  } finally {
    await change.close()
    await source.close?.()
  }
}

/** Where the change comes from, and the tickets that belong to it. Throws for an address of an unknown host. */
export async function openSource(
  what: Reviewed,
  services: Pick<Services, 'settings' | 'environment'>,
): Promise<{ source: ChangeSource; ticket: TicketOrigin | null }> {
  const { localSource, openChangeRequest } = await import('../index.ts')
  if ('address' in what) return openChangeRequest(what.address, services)
  const { borrowFrom } = services.settings.repositories
  return { source: localSource({ ...what, borrowFrom }), ticket: null }
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

function editedConfig({ files }: Review): string[] {
  const edited = files.find(({ path }) => configFileNames.some((name) => name === path))
  return edited ? [`this change edits ${edited.path}; this review used the version before the change`] : []
}
