/** Sends what a recorded run has to say to everyone whom the operator named, side by side and within one time. */
import { z } from 'zod'
import type { Services } from '../assembly/services.ts'
import { sha256 } from '../base/canonical-json.ts'
import { loadSettings } from '../config/settings/load.ts'
import type { TelemetrySettings } from '../config/settings/telemetry.ts'
import { Review } from '../domain/review.ts'
import type { LedgerEvent } from '../ledger/contract.ts'
import { describeRun } from '../storage/catalog/describe-run.ts'
import { openStoredRun, type StoredRun } from '../storage/runs/stored-run.ts'
import { destinationsOf, isTelemetryOn } from './destinations.ts'
import { type ExceptionContext, exceptionBody } from './exceptions.ts'
import { type Families, familiesBody } from './families.ts'
import { measuresOf } from './measures.ts'
import { metricsBody, traceBody } from './otlp.ts'
import { type Destination, post } from './post.ts'
import {
  type Evaluation,
  evaluationScores,
  outcomeScores,
  reviewScores,
  type Score,
  scoresBody,
} from './scores.ts'
import { spansOf } from './spans.ts'
import { timelineOf } from './timeline.ts'

/** What one of them took. `why`: null when nothing was dropped. */
export type Exported = {
  to: string
  what: 'spans' | 'metrics' | 'scores' | 'exceptions' | 'exports'
  sent: number
  dropped: number
  why: string | null
}

export type ExportParts = {
  settings: TelemetrySettings
  environment: NodeJS.ProcessEnv
  /** The ledger of the run's repository, for what became of earlier findings. */
  ledger: readonly LedgerEvent[]
  now: () => Date
  signal: AbortSignal
}

/** So many spans are one request. */
const batch = 500
const json = 'application/json'

/** By its name. Never rejects, and ends within `settings.seconds` of having read it. */
export async function exportRun(
  name: string,
  { runs, ledger, settings, environment, now, signal }: ExportServices,
): Promise<Exported[]> {
  const { telemetry } = settings
  if (!isTelemetryOn(telemetry)) return []
  try {
    const run = await openStoredRun(runs, name)
    const read = telemetry.langfuse ? await ledger.read(ledgerKeyOf(run.header)) : null
    const parts = { settings: telemetry, environment, ledger: read?.events ?? [], now, signal }
    return await exportStoredRun(run, parts)
  } catch {
    return [unreadable]
  }
}

export type ExportServices = Pick<Services, 'runs' | 'ledger' | 'environment' | 'now' | 'signal'> & {
  settings: Pick<Services['settings'], 'telemetry'>
}

const unreadable: Exported = {
  ...{ to: 'all', what: 'spans', sent: 0, dropped: 0 },
  why: 'the run could not be read, so nothing was sent',
}

/** As reviews name the ledger of their repository. */
function ledgerKeyOf({ place, repository }: StoredRun['header']): string {
  const parts = place.split('/')
  return parts[0] === 'local'
    ? `local/${parts[1]}-${sha256(repository).slice(0, 8)}`
    : parts.slice(0, -1).join('/')
}

/** Never rejects, and ends within `settings.seconds`. */
export async function exportStoredRun(run: StoredRun, parts: ExportParts): Promise<Exported[]> {
  const { settings, environment, ledger, now } = parts
  try {
    const to = destinationsOf(settings, environment)
    const end = run.entries.find((entry) => entry.type === 'end')
    const text = end?.review ? await run.object(end.review) : null
    const review = text === null ? null : (Review.safeParse(JSON.parse(text)).data ?? null)
    const { row } = await describeRun(run)
    const spans = spansOf({ run, row, review }, settings.dashboardUrl ?? null)
    const signal = limited(parts)
    const started = Date.parse(row.startedAt)
    const measured = measuresOf(timelineOf(run))
    const scores = [...(review ? reviewScores(row.run, review) : []), ...outcomeScores(ledger)]
    return await Promise.all([
      ...to.traces.map((destination) => sendSpans(destination, spans, signal)),
      ...to.metrics.map((destination) =>
        send(
          destination,
          'metrics',
          measured.length,
          metricsBody(measured, started, now().getTime()),
          signal,
        ),
      ),
      ...to.scores.map((destination) => sendScoresTo(destination, scores, now(), signal)),
      ...to.unusable.map(
        async (why): Promise<Exported> => ({ to: 'settings', what: 'spans', sent: 0, dropped: 0, why }),
      ),
    ])
  } catch {
    return [unreadable]
  }
}

/** Sends the scores of an evaluation; resolves to what was dropped and why, in words. Throws `settings-invalid`. */
export async function exportEvaluation(
  evaluation: Evaluation,
  environment: NodeJS.ProcessEnv,
): Promise<string[]> {
  const { settings } = await loadSettings(environment)
  const { telemetry } = settings
  const to = destinationsOf(telemetry, environment)
  if (to.scores.length === 0) return ['telemetry: the settings name no Langfuse that can be used']
  const { signal } = new AbortController()
  const limit = limited({ settings: telemetry, signal })
  const scores = evaluationScores(evaluation)
  return describeExport(
    await Promise.all(to.scores.map((each) => sendScoresTo(each, scores, new Date(), limit))),
  )
}

/** An error of ours. Never rejects; sends nothing for what a user can fix. */
export async function exportException(
  error: unknown,
  context: ExceptionContext,
  parts: Omit<ExportParts, 'ledger'>,
): Promise<Exported[]> {
  const { exceptions } = destinationsOf(parts.settings, parts.environment)
  const signal = limited(parts)
  return await Promise.all(
    exceptions.map(async (destination): Promise<Exported> => {
      const body = exceptionBody(error, context, destination.environment, parts.now())
      if (body === null) return { to: destination.name, what: 'exceptions', sent: 0, dropped: 0, why: null }
      const { why } = await post(destination, body, 'application/x-sentry-envelope', signal)
      return exported(destination, 'exceptions', 1, why)
    }),
  )
}

/** What a server counted since it began. Never rejects; nothing is sent where no collector of OTLP is named. */
export async function exportFamilies(
  families: Families,
  origin: { from: number; instance: string },
  parts: Omit<ExportParts, 'ledger'>,
): Promise<Exported[]> {
  const { metrics } = destinationsOf(parts.settings, parts.environment)
  const signal = limited(parts)
  const { metrics: count, body } = familiesBody(families, { ...origin, to: parts.now().getTime() })
  return await Promise.all(metrics.map((to) => send(to, 'metrics', count, body, signal)))
}

/** For people: one line for each that did not take everything; empty when all is well. */
export function describeExport(all: readonly Exported[]): string[] {
  return all.flatMap(({ to, what, dropped, why }) =>
    why === null
      ? []
      : [dropped === 0 ? `telemetry: ${why}` : `telemetry: ${dropped} ${what} for ${to} dropped: ${why}`],
  )
}

function limited({ settings, signal }: Pick<ExportParts, 'settings' | 'signal'>): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(settings.seconds * 1000)])
}

/** One batch after the other; after the first that is refused, the rest is dropped too. */
async function sendSpans(
  destination: Destination,
  spans: ReturnType<typeof spansOf>,
  signal: AbortSignal,
): Promise<Exported> {
  let sent = 0
  for (let at = 0; at < spans.length; at += batch) {
    const part = spans.slice(at, at + batch)
    const { why, body } = await post(destination, JSON.stringify(traceBody(part)), json, signal)
    if (why !== null) return { ...exported(destination, 'spans', 0, why), sent, dropped: spans.length - sent }
    sent += part.length - rejectedIn(body)
  }
  const dropped = spans.length - sent
  return { to: destination.name, what: 'spans', sent, dropped, why: dropped > 0 ? 'it refused some' : null }
}

const PartialSuccess = z.object({
  partialSuccess: z.object({ rejectedSpans: z.coerce.number().int().nonnegative().default(0) }),
})

/** A collector may take some of them; an answer that is not OTLP's says nothing. */
function rejectedIn(body: string): number {
  try {
    return PartialSuccess.parse(JSON.parse(body)).partialSuccess.rejectedSpans
  } catch {
    return 0
  }
}

async function sendScoresTo(
  destination: Destination,
  scores: readonly Score[],
  now: Date,
  signal: AbortSignal,
): Promise<Exported> {
  if (scores.length === 0) return exported(destination, 'scores', 0, null)
  return await send(destination, 'scores', scores.length, scoresBody(scores, now), signal)
}

async function send(
  destination: Destination,
  what: Exported['what'],
  items: number,
  body: object,
  signal: AbortSignal,
): Promise<Exported> {
  const { why } = await post(destination, JSON.stringify(body), json, signal)
  return exported(destination, what, items, why)
}

function exported(
  { name }: Destination,
  what: Exported['what'],
  items: number,
  why: string | null,
): Exported {
  return { to: name, what, sent: why === null ? items : 0, dropped: why === null ? 0 : items, why }
}
