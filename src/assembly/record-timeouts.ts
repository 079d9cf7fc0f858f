/** Which parts of a bundle ran out of time or failed, on record for a replay; nothing is kept of those that did not. */
import { UserError } from '../base/errors.ts'
import type { KeepEnd, TimedEnd } from '../base/time-budget.ts'
import type { Journal } from '../domain/journal.ts'
import { runRecorded, type Work } from './run-recorded.ts'

export type KeptEnds = { journal: Journal | null; isReplay: boolean; base: string; head: string }

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
