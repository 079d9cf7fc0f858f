/**
 * The graph retrieval within its time, with what became of it on record: also that it came too late or failed. A replay
 * then tells the same, and a later review, which finds more prepared, looks again.
 */
import { OutOfTime, withinSeconds } from '../base/time-budget.ts'
import type { Journal } from '../domain/journal.ts'
import { type GraphRetrieval, timeRanOut } from '../pipeline/context/retrieval/contract.ts'
import { runRecorded } from './run-recorded.ts'

type Outcome = GraphRetrieval | { late: string } | { failed: string }

export type RecordedGraph = {
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
