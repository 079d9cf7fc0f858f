/** Runs one review for a command: progress while it goes, the result when it is there, and the exit code. */
import { UserError } from '../base/errors.ts'
import { discoverRepository } from '../base/git/discover.ts'
import { configFileNames } from '../config/file-names.ts'
import type {
  Analysis,
  ChangeSelector,
  ChangeSource,
  Delivery,
  Fixes,
  FormatName,
  IndexAdvice,
  OpenedChangeRequest,
  Publication,
  Review,
  ReviewOverrides,
  ReviewTarget,
  Services,
  TicketOrigin,
} from '../index.ts'
import { readSarif, readTicket } from './input/change.ts'
import { offerFixes, requireFixable } from './input/fixes.ts'
import type { ReviewFlags } from './input/review-options.ts'
import { type FileLinks, linkFilesIn, showsLinks } from './output/file-links.ts'
import { chooseFormat, renderReview } from './output/format.ts'
import { showResult } from './output/pager.ts'
import type { Shell } from './shell.ts'
import { afterReport } from './supervision/background-index.ts'
import { reportStage, stoppedBefore } from './supervision/supervised.ts'
import { sendTelemetry } from './telemetry.ts'
import { requireWritable, type Terminal, writeResultFile } from './terminal.ts'
import { type WithModels, withModels } from './with-models.ts'

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
  if (flags.fix) requireFixable(flags, run.what, terminal, shell)
  const files = linksOf(run, format)
  const reviewed = await withModels(run, async (opened) =>
    reviewWith(run, opened, async (review, config) =>
      flags.estimate
        ? opened.cost.renderEstimate(format === 'json')
        : await renderReview(
            review,
            format,
            flags,
            flags['max-inline'] ?? config.review.maxInline,
            terminal,
            files,
          ),
    ),
  )
  signal.throwIfAborted()
  const { exitCodes, reportOutcome } = await import('./output/outcome.ts')
  if ('already' in reviewed) {
    terminal.note(`sightline: ${reviewed.already}\n`)
    return exitCodes.clean
  }
  const { analysis, published } = reviewed
  const { review, config, refused, delivered } = published
  const { text, posted } = delivered
  reportStage('publish')
  if (flags.output === undefined)
    await (format === 'terminal' ? showResult(text, terminal, shell) : terminal.result(text))
  else await writeResultFile(shell, flags.output, text)
  const code = await reportOutcome(
    {
      review,
      refused,
      format,
      remarks: [...remarks(analysis, flags), ...posted],
      failOn: flags['fail-on'] ?? config.review.failOn,
      requireComplete: flags['require-complete'] || config.review.requireComplete,
      allowIncomplete: flags['allow-incomplete'],
    },
    flags,
    terminal,
  )
  if (reviewed.fixes) await offerFixes(reviewed.fixes, flags, run).finally(() => reviewed.fixes?.close())
  if (analysis.run !== null) await sendTelemetry(analysis.run, run)
  if ('folder' in run.what) {
    const { folder } = run.what
    await afterReport({ shell, terminal, folder, commit: reviewed.commit, advice: reviewed.advice })
  }
  return flags.estimate ? exitCodes.clean : code
}

/** Only on a terminal that shows links, for a repository with a work tree. */
function linksOf({ what, flags, shell }: ReviewRun, format: FormatName): FileLinks | null {
  const isShown = format === 'terminal' && flags.output === undefined && shell.stdout.isTTY === true
  if (!isShown || !('folder' in what) || !showsLinks(shell.environment)) return null
  try {
    const { workTree } = discoverRepository(what.folder)
    return workTree === null ? null : linkFilesIn(workTree)
  } catch {
    // The collector says it better.
    return null
  }
}

type Reviewing = {
  analysis: Analysis
  /** How to make the next review faster; null when nothing is to be gained. */
  advice: IndexAdvice | null
  /** Null for what is not committed. */
  commit: string | null
  published: Publication<{ text: string; posted: readonly string[] }>
  /** With `--fix`. */
  fixes: Fixes | null
}

/** How often a change is reviewed from the start because it got new commits meanwhile. */
const mostHeads = 3

/** The three stages in one process, as `sightline collect`, `analyze` and `publish` run them in three. */
async function reviewWith(
  run: ReviewRun,
  opened: WithModels,
  render: ReviewTarget<string>['deliver'],
): Promise<Reviewing | { already: string }> {
  const { what, flags, terminal, signal } = run
  const { services } = opened
  if (!('address' in what) || !flags.post)
    return await reviewOnce(run, opened, await openSource(what, services), render)
  const { openChangeRequest } = await import('../index.ts')
  for (let heads = 1; ; heads++) {
    const request = openChangeRequest(what.address, services)
    const done = flags.again ? null : await request.readReviewedHead(signal)
    if (done !== null)
      return {
        already: `${request.name} was already reviewed at ${done.slice(0, 12)}; use --again to review it again`,
      }
    try {
      return await reviewOnce(run, opened, request, render, request)
    } catch (error) {
      if (!(error instanceof UserError) || error.code !== 'head-moved' || heads >= mostHeads) throw error
      terminal.note(`sightline: ${error.message}; starting again with the new commits\n`)
    }
  }
}

/** `request`: where it is posted; it is also watched for new commits, which end the run. */
async function reviewOnce(
  { flags, shell }: ReviewRun,
  { services, models }: WithModels,
  { source, ticket }: { source: ChangeSource; ticket: TicketOrigin | null },
  render: ReviewTarget<string>['deliver'],
  request: OpenedChangeRequest | null = null,
): Promise<Reviewing> {
  const { adviseIndex, analyze, collect, Gate, openFixes, publish, watchHead } = await import('../index.ts')
  const change = await collect(source, services, {
    ticket: (await readTicket(flags.ticket, shell)) ?? ticket,
    toolResults: await readSarif(flags.sarif, shell),
    runsLinters: !flags.estimate && stoppedBefore() === null,
    depth: flags.depth ?? undefined,
  })
  const watch = request && watchHead(request, change, services.signal)
  try {
    const record = flags.estimate || flags['no-record'] ? null : { fresh: flags.fresh }
    const analysis = await analyze(change, watch ? { ...services, signal: watch.signal } : services, {
      overrides: overridesOf(flags),
      models,
      record,
      stopped: stoppedBefore(),
    })
    const published = await publish(analysis.review, {
      change,
      deliver: async (review, config) => {
        const gate = flags.gate ? Gate.parse({ failOn: flags['fail-on'] ?? config.review.failOn }) : null
        const target = request?.target(change, { maxInline: flags['max-inline'], gate })
        const posted = target && request ? postedWords(request, await target.deliver(review, config)) : []
        return { text: await render(review, config), posted }
      },
    })
    const advice = await adviseIndex(change, services.folders.cache)
    const fixes = flags.fix ? await openFixes(published.review, change, services) : null
    return { analysis, published, advice, commit: change.request.head.commit, fixes }
  } finally {
    watch?.stop()
    await change.close()
    await source.close?.()
  }
}

export function postedWords(
  { name }: Pick<OpenedChangeRequest, 'name'>,
  { tally, writes, remarks: trouble }: Delivery,
): string[] {
  const { posted, open, fixed, dismissed } = tally
  const done = `${posted} new, ${open} still open, ${fixed} fixed, ${dismissed} dismissed`
  return [
    writes === 0 ? `${name} is up to date; nothing was posted` : `posted to ${name}: ${done}`,
    ...trouble,
  ]
}

/** Where the change comes from, and the tickets that belong to it. Throws for an address of an unknown host. */
export async function openSource(
  what: Reviewed,
  services: Pick<Services, 'settings' | 'environment' | 'folders' | 'signal'>,
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
      ...(flags.full ? { incremental: false } : {}),
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
