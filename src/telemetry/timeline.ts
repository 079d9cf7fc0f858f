/** The log of a run as a timeline: stages, and in them model calls, tool calls, retries and what was taken from the record. */
import { count } from '../base/count.ts'
import type { JournalKind } from '../domain/journal.ts'
import { ModelCall, type ModelRole, type TokenUsage } from '../domain/model-call.ts'
import { spanIdOf, type TraceIds, traceIdsOf } from '../domain/trace-ids.ts'
import type { RunEntry } from '../storage/runs/contract.ts'
import type { StoredRun } from '../storage/runs/stored-run.ts'

export type Stage = {
  name: string
  state: 'running' | 'finished'
  /** Milliseconds since the run began. */
  startMs: number
  durationMs: number
  detail: string
}

export type TimelineSpan = {
  /** `s3`: stable within the run. */
  id: string
  /** Of the exported span: 16 hexadecimal digits. */
  spanId: string
  /** The stage that it happened in; null for stages themselves. */
  parent: string | null
  kind: 'stage' | 'plane' | 'retry' | 'event' | 'note' | JournalKind
  name: string
  startMs: number
  durationMs: number
  outcome: 'ok' | 'failed' | 'running'
  /** Number of the call; null for what is not a call. */
  call: number | null
  /** `record`: answered from the record of an earlier run. */
  served: 'live' | 'record' | null
  role: ModelRole | null
  model: string | null
  usage: TokenUsage | null
  usd: number | null
  /** In words. */
  detail: string
}

export type RunTimeline = { durationMs: number; spans: TimelineSpan[]; trace: TraceIds }

type AnswerEntry = Extract<RunEntry, { type: 'answer' }>
type EventEntry = Extract<RunEntry, { type: 'event' }>

/** In the order in which they began. */
export function stagesOf({ entries }: Pick<StoredRun, 'entries'>): Stage[] {
  const stages = new Map<string, Stage>()
  const last = lastMoment(entries)
  for (const { at, event } of eventsIn(entries)) {
    const name = String(event.stage)
    if (event.type === 'stage-start')
      stages.set(name, {
        name,
        state: 'running',
        startMs: at,
        durationMs: Math.max(0, last - at),
        detail: '',
      })
    if (event.type !== 'stage-end') continue
    const durationMs = Number(event.durationMs) || 0
    const startMs = stages.get(name)?.startMs ?? Math.max(0, at - durationMs)
    stages.set(name, { name, state: 'finished', startMs, durationMs, detail: String(event.detail ?? '') })
  }
  return [...stages.values()]
}

export function timelineOf(run: Pick<StoredRun, 'entries' | 'header'>): RunTimeline {
  const { entries, header } = run
  const stages = stagesOf(run)
  const calls = new CallMatcher(entries)
  const spans: NewSpan[] = stages.map((stage) => ({
    ...blank,
    kind: 'stage',
    name: stage.name,
    startMs: stage.startMs,
    durationMs: stage.durationMs,
    outcome: stage.state === 'running' ? 'running' : 'ok',
    detail: stage.detail,
  }))
  const stageSpans = spans.length
  let number = 0
  for (const entry of entries) {
    if (entry.type === 'answer') spans.push(answerSpan(entry, number++, calls.take(entry)))
    if (entry.type === 'note') spans.push(noteSpan(entry.at, entry.note))
    if (entry.type === 'event') {
      const span = eventSpan(entry)
      if (span) spans.push(span)
    }
  }
  return {
    durationMs: lastMoment(entries),
    spans: spans
      .map((span, at) => ({
        id: `s${at}`,
        spanId: spanIdOf(header.run, `s${at}`),
        parent: at < stageSpans ? null : parentOf(span.startMs + span.durationMs / 2, stages),
        ...span,
      }))
      .sort((a, b) => a.startMs - b.startMs || Number(a.id.slice(1)) - Number(b.id.slice(1))),
    trace: traceIdsOf(header.run),
  }
}

type NewSpan = Omit<TimelineSpan, 'id' | 'spanId' | 'parent'>

const blank = { call: null, served: null, role: null, model: null, usage: null, usd: null }

function answerSpan(entry: AnswerEntry, call: number, model: ModelCall | null): NewSpan {
  const { kind, address, target, status, durationMs, served, at, role } = entry
  // What was served from the record took no time, whatever it took when it was first asked.
  const length = served === 'record' ? 0 : durationMs
  return {
    kind,
    name: kind === 'tool' || kind === 'clock' || kind === 'random' ? target : address,
    startMs: Math.max(0, at - length),
    durationMs: length,
    outcome: status >= 400 || (model !== null && model.outcome !== 'answered') ? 'failed' : 'ok',
    call,
    served,
    role,
    model: model?.model ?? null,
    usage: model?.usage ?? null,
    usd: model?.usd ?? null,
    detail: model?.reason ?? `${address}, status ${status}`,
  }
}

function noteSpan(at: number, { type, address, detail }: Record<string, unknown>) {
  return {
    ...blank,
    kind: 'note' as const,
    name: String(type),
    startMs: at,
    durationMs: 0,
    outcome: 'ok' as const,
    detail: `${String(address)} ${JSON.stringify(detail ?? {})}`.slice(0, 2_000),
  }
}

/** Stages and calls have spans already; progress is no event of its own. */
const shownElsewhere: ReadonlySet<unknown> = new Set([
  'run-start',
  'run-end',
  'stage-start',
  'stage-progress',
  'stage-end',
  'model-call',
])

function eventSpan({ at, event }: EventEntry): NewSpan | null {
  const { type, ...rest } = event
  if (shownElsewhere.has(type)) return null
  const durationMs =
    type === 'plane-end'
      ? Number(rest.durationMs) || 0
      : type === 'model-retry'
        ? Number(rest.waitMs) || 0
        : 0
  const isRetry = type === 'model-retry'
  return {
    ...blank,
    kind: type === 'plane-end' ? 'plane' : isRetry ? 'retry' : 'event',
    name: type === 'plane-end' ? String(rest.plane) : isRetry ? String(rest.address) : String(type),
    startMs: isRetry ? at : Math.max(0, at - durationMs),
    durationMs,
    outcome: isRetry ? 'failed' : 'ok',
    detail: detailOf(type, rest).slice(0, 2_000),
  }
}

/** Ids of stages are their places in the list. */
function parentOf(middle: number, stages: readonly Stage[]): string | null {
  const at = stages.findLastIndex(
    ({ startMs, durationMs }) => startMs <= middle && middle <= startMs + durationMs,
  )
  return at < 0 ? null : `s${at}`
}

/** Finds the reported call behind an answer: by address, in order. */
export class CallMatcher {
  private readonly calls = new Map<string, ModelCall[]>()

  constructor(entries: readonly RunEntry[]) {
    for (const { event } of eventsIn(entries)) {
      const read = event.type === 'model-call' ? ModelCall.safeParse(event.call) : null
      if (read?.success)
        this.calls.set(read.data.address, [...(this.calls.get(read.data.address) ?? []), read.data])
    }
  }

  /** Null for what is no call of a model. Each call is given once. */
  take({ address, role }: Pick<AnswerEntry, 'address' | 'role'>): ModelCall | null {
    if (role === null) return null
    return this.calls.get(address)?.shift() ?? null
  }
}

function eventsIn(entries: readonly RunEntry[]): EventEntry[] {
  return entries.filter((entry) => entry.type === 'event')
}

function lastMoment(entries: readonly RunEntry[]): number {
  const last = entries.at(-1)
  return last && 'at' in last ? last.at : 0
}

/** For people where there are words for it; else the plain data. */
function detailOf(type: unknown, rest: Record<string, unknown>): string {
  if (type === 'plane-end') return count(Number(rest.candidates), 'candidate')
  return type === 'model-retry' ? String(rest.reason) : JSON.stringify(rest)
}
