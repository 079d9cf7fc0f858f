/**
 * Work whose result does not follow from the frozen input alone, or needs a repository that a replay does not have: done
 * once, kept in the journal, and found there by whoever asks the same again.
 */
import type { Journal, JournalRequest } from '../domain/journal.ts'

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
