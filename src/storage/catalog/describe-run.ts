/** What the catalog keeps of a run on record: its row, and the amounts that trends are made of. */

import { shortenIds } from '../../base/short-ids.ts'
import { ChangedCode } from '../../domain/changed-code.ts'
import { asksModel } from '../../domain/journal.ts'
import { ModelCall } from '../../domain/model-call.ts'
import { Review } from '../../domain/review.ts'
import { type Severity, severityRank } from '../../domain/severity.ts'
import type { StoredRun } from '../runs/stored-run.ts'
import { bucketOf } from './amounts.ts'
import { type Amount, type AmountKind, type CataloguedRun, isReviewOfPush, type RunRow } from './contract.ts'
import { graphOfReview } from './graph-of-review.ts'

/** Characters. */
const longestTitle = 500

/** Reads its log, and its review when it kept one; nothing else. */
export async function describeRun(run: StoredRun): Promise<CataloguedRun> {
  const { header, entries, isOpen, damage } = run
  const end = entries.find((entry) => entry.type === 'end')
  const review = end?.review ? readReview(await run.object(end.review)) : null
  const calls = callsOf(run)
  const last = entries.at(-1)
  const findings = { critical: 0, high: 0, medium: 0, low: 0 }
  for (const { severity } of review?.findings ?? []) findings[severity]++
  const sum = (pick: (call: ModelCall) => number) => calls.reduce((total, call) => total + pick(call), 0)
  const row: RunRow = {
    run: header.run,
    startedAt: header.startedAt,
    kind: kindOf(header.options),
    ...(header.options.replay === undefined ? {} : { isReplay: true }),
    repository: repositoryOf(header),
    change: changeOf(header.place),
    url: review?.request.changeRequest?.url ?? null,
    label: clip(shortenIds(header.label)),
    title: clip(review?.request.title ?? ''),
    place: header.place,
    depth: header.depth,
    state: end ? 'finished' : isOpen ? 'running' : 'killed',
    word: review?.conclusion.word ?? null,
    headline: review ? clip(review.conclusion.headline) : null,
    complete: end?.complete ?? null,
    findings,
    candidates: review?.verdicts.length ?? 0,
    calls: Math.max(
      calls.length,
      entries.filter((entry) => entry.type === 'answer' && asksModel(entry)).length,
    ),
    cachedCalls: calls.filter(({ served }) => served === 'record').length,
    tokens: {
      input: sum(({ usage }) => usage.input),
      cacheRead: sum(({ usage }) => usage.cacheRead),
      output: sum(({ usage }) => usage.output),
    },
    usd: end?.usd ?? sum(({ usd }) => usd ?? 0),
    unpricedCalls: end?.unpricedCalls ?? calls.filter(({ usd }) => usd === null).length,
    durationMs: last && 'at' in last ? last.at : 0,
    damage,
  }
  return {
    row,
    amounts: row.state === 'running' ? [] : amountsOf(row, review, stagesOf(run)),
    ...(review && isReviewOfPush(row) ? { graph: graphOfReview(review, codeOf(run)) } : {}),
  }
}

function kindOf({ ask, prove }: StoredRun['header']['options']): RunRow['kind'] {
  if (ask !== undefined) return 'question'
  return prove === undefined ? 'review' : 'proof'
}

/** A list of runs has many rows, and whoever wrote a change may have given it a title of any length. */
function clip(text: string): string {
  return text.length > longestTitle ? `${text.slice(0, longestTitle)}…` : text
}

/** `github.com/owner/repo` of a change request; the name of a local repository. */
function repositoryOf({ place }: { place: string }): string {
  const parts = place.split('/')
  return parts[0] === 'local' ? (parts[1] ?? 'repository') : parts.slice(0, -1).join('/')
}

function changeOf(place: string): number | null {
  const last = place.split('/').at(-1) ?? ''
  return !place.startsWith('local/') && /^\d{1,9}$/.test(last) ? Number(last) : null
}

/** A review of another version has another shape; its row then lacks what would be read of it. */
function readReview(text: string | null): Review | null {
  if (text === null) return null
  try {
    return Review.parse(JSON.parse(text))
  } catch {
    return null
  }
}

/** Every model call that the run reported, in order. */
export function callsOf({ entries }: Pick<StoredRun, 'entries'>): ModelCall[] {
  return entries.flatMap((entry) => {
    if (entry.type !== 'event' || entry.event.type !== 'model-call') return []
    const read = ModelCall.safeParse(entry.event.call)
    return read.success ? [read.data] : []
  })
}

function stagesOf({ entries }: StoredRun): { stage: string; durationMs: number }[] {
  return entries.flatMap((entry) => {
    if (entry.type !== 'event' || entry.event.type !== 'stage-end') return []
    const { stage, durationMs } = entry.event
    return typeof stage === 'string' && typeof durationMs === 'number' ? [{ stage, durationMs }] : []
  })
}

/** Null for a run of an earlier version. */
function codeOf({ entries }: StoredRun): ChangedCode | null {
  const entry = entries.find((one) => one.type === 'event' && one.event.type === 'changed-code')
  return entry?.type === 'event' ? (ChangedCode.safeParse(entry.event.code).data ?? null) : null
}

function amountsOf(
  row: RunRow,
  review: Review | null,
  stages: readonly { stage: string; durationMs: number }[],
): Amount[] {
  const amounts = new Map<string, Amount>()
  const add = (kind: AmountKind, name: string, bucket: number, amount = 1): void => {
    if (amount === 0) return
    const key = JSON.stringify([kind, name, bucket])
    const known = amounts.get(key)
    amounts.set(key, { kind, name, bucket, amount: (known?.amount ?? 0) + amount })
  }
  const sums = {
    runs: 1,
    usd: row.usd,
    input: row.tokens.input,
    cacheRead: row.tokens.cacheRead,
    output: row.tokens.output,
    calls: row.calls,
    cachedCalls: row.cachedCalls,
  }
  // A question, a proof or a replay keeps the review that it is about; its findings were counted with that.
  const isReview = isReviewOfPush(row)
  for (const [name, amount] of Object.entries(sums))
    if (isReview || name !== 'runs') add('sum', name, 0, amount)
  if (!isReview) return [...amounts.values()]
  for (const [severity, amount] of Object.entries(row.findings))
    add('severity', severity, severityRank(severity as Severity), amount)
  for (const { plane, rule, severity } of review?.findings ?? []) {
    const rank = severityRank(severity)
    add('plane', plane, rank)
    add('rule', rule, rank)
    add('repository', row.repository, rank)
  }
  for (const { stage, durationMs } of stages) add('stage', stage, bucketOf(durationMs))
  if (row.state === 'finished') add('stage', 'run', bucketOf(row.durationMs))
  return [...amounts.values()]
}
