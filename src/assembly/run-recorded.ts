/**
 * Work whose result does not follow from the frozen input alone, or needs a repository that a replay does not have: done
 * once, kept in the journal, and found there by whoever asks the same again.
 */
import { canonicalJson } from '../base/canonical-json.ts'
import type { Journal, JournalRequest } from '../domain/journal.ts'

export type Work = {
  /** Where in the run, for people. */
  address: string
  /** What is done: `tool`, `retrieval`, `clock`. Part of the key. */
  name: string
  /** All that the result depends on. Part of the key. */
  input: unknown
}

/**
 * `work` gives plain JSON. A replay rejects instead of working. What is on record and does not `stand` any more is done
 * and recorded anew.
 */
export async function runRecorded<Result>(
  journal: Journal | null,
  task: Work,
  work: () => Promise<Result>,
  stands: (result: Result) => Promise<boolean> = async () => true,
): Promise<{ result: Result; isKept: boolean }> {
  if (!journal) return { result: await work(), isKept: false }
  const request = requestOf(task)
  const known = await journal.find(request)
  const kept = known && (JSON.parse(known.body) as Result)
  if (kept !== null && (await stands(kept))) return { result: kept, isKept: true }
  const startedAt = performance.now()
  const result = await work()
  await journal.record(request, {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(result),
    durationMs: Math.round(performance.now() - startedAt),
  })
  return { result, isKept: false }
}

/** What the journal is asked for a piece of work. */
export function requestOf({ address, name, input }: Work): JournalRequest {
  return {
    kind: 'fetch',
    role: null,
    address,
    method: 'GET',
    url: `sightline:${name}`,
    body: canonicalJson(input),
    sample: 0,
  }
}
