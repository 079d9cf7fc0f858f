/**
 * Work whose result does not follow from the frozen input alone, or needs a repository that a replay does not have: done
 * once, kept in the journal, and found there by whoever asks the same again. Also what ran out of time or failed on the way.
 */
import { UserError } from '../base/errors.ts'
import { type KeepEnd, OutOfTime, type TimedEnd, withinSeconds } from '../base/time-budget.ts'
import type { Journal, JournalRequest } from '../domain/journal.ts'
import { type GraphRetrieval, timeRanOut } from '../pipeline/context/retrieval/contract.ts'

export type Work = Extract<JournalRequest, { kind: 'tool' | 'clock' }>

/**
 * `work` gives plain JSON. A replay rejects instead of working. A recorded result that is no longer valid (`stands`) is computed
 * and recorded again.
 */
export async function runRecorded<Result>(
  journal: Journal | null,
  task: Work,
  work: () => Promise<Result>,
  stands: (result: Result) => Promise<boolean> = async () => true,
): Promise<{ result: Result; isKept: boolean }> {
  if (!journal) return { result: await work(), isKept: false }
  const known = await journal.find(task)
  const kept = known && (JSON.parse(known.body) as Result)
  if (kept !== null && (await stands(kept))) return { result: kept, isKept: true }
  const startedAt = performance.now()
  const result = await work()
  await journal.record(task, {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(result),
    durationMs: Math.round(performance.now() - startedAt),
  })
  return { result, isKept: false }
}

/** Which parts of a bundle ran out of time or failed, on record for a replay; nothing is kept of those that did not. */
type KeptEnds = { journal: Journal | null; isReplay: boolean; base: string; head: string }

/** Only a replay uses the record: another review may have more time, or find more prepared. */
export function recordTimeouts({ journal, isReplay, base, head }: KeptEnds): KeepEnd {
  return async (name, work) => {
    const input = { version: 1, name, base, head }
    const task: Work = { kind: 'clock', address: `context/${name}`, clock: 'end', input }
    if (journal && isReplay) return await endOnRecord(journal, task)
    const end = await work()
    if (end.late === null && end.failed === null) return end
    return (
      await runRecorded(
        journal,
        task,
        async () => end,
        async () => false,
      )
    ).result
  }
}

async function endOnRecord(journal: Journal, task: Work): Promise<TimedEnd> {
  try {
    const known = await journal.find(task)
    if (known) return JSON.parse(known.body) as TimedEnd
  } catch (error) {
    // Not on record: it came to its end.
    if (!(error instanceof UserError)) throw error
  }
  return { late: null, failed: null }
}

/**
 * The graph retrieval within its time, with what became of it on record: also that it came too late or failed. A replay
 * then tells the same, and a later review, which finds more prepared, looks again.
 */
type Outcome = GraphRetrieval | { late: string } | { failed: string }

type RecordedGraph = {
  journal: Journal | null
  /** All that the retrieval depends on, but time. */
  input: unknown
  /** After which it is cut off; by itself it stops earlier. */
  seconds: number
  /** What is on record stands, also when it was cut. */
  isReplay: boolean
  signal: AbortSignal
}

/** Throws `OutOfTime`, or what the retrieval throws. */
export async function graphOnRecord(
  { journal, input, seconds, isReplay, signal }: RecordedGraph,
  work: (signal: AbortSignal) => Promise<GraphRetrieval>,
): Promise<GraphRetrieval> {
  const attempt = async (): Promise<Outcome> => {
    try {
      return await withinSeconds(seconds, signal, work)
    } catch (error) {
      signal.throwIfAborted()
      const why = error instanceof Error ? error.message : String(error)
      return error instanceof OutOfTime ? { late: why } : { failed: why }
    }
  }
  const stands = async (outcome: Outcome) => isReplay || isWhole(outcome)
  const task = { kind: 'tool', address: 'context/graph', tool: 'graph-retrieval', input } as const
  const { result } = await runRecorded(journal, task, attempt, stands)
  if ('late' in result) throw new OutOfTime(result.late)
  if ('failed' in result) throw new Error(result.failed)
  return result
}

function isWhole(outcome: Outcome): boolean {
  return 'cuts' in outcome && !outcome.cuts.some((cut) => cut.startsWith(timeRanOut))
}
