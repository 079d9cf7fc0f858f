/** What is on record about the findings of a job's change request, and what its review adds to that. */
import type { LedgerEvent, LedgerStore } from '../../ledger/contract.ts'
import { type Counted, statesIn } from '../../ledger/counts.ts'
import { foldLedger } from '../../ledger/fold.ts'
import { settledEvents } from '../../ledger/reactions.ts'
import { ledgerKey } from '../ledger/lent-ledger.ts'
import type { ReviewJob } from './contract.ts'

export type JobRecord = {
  /** How its findings stand with these events; null for a review that could not follow them: the host alone knows earlier ones. */
  counted(added: readonly LedgerEvent[]): Promise<Counted[] | null>
  /** The events, and those of findings that people settled on the host. */
  withSettled(added: readonly LedgerEvent[], settled: readonly string[]): Promise<LedgerEvent[]>
}

export function openJobRecord(job: ReviewJob, ledger: LedgerStore): JobRecord {
  const change = `${job.number}`
  const eventsWith = async (added: readonly LedgerEvent[]): Promise<LedgerEvent[]> => [
    ...(await ledger.read(ledgerKey(job.repository))).events,
    ...added,
  ]
  return {
    async counted(added) {
      if (!added.some(({ type }) => type === 'reviewed')) return null
      const events = await eventsWith(added)
      // What people settled by hand, the publisher sees as it is now.
      const states = statesIn({ ...foldLedger(events), settled: new Set() }, events, change)
      return [...states].flatMap(([{ names }, state]) => (state ? [{ names: [...names], state }] : []))
    },
    async withSettled(added, settled) {
      const scope = { change, at: new Date() }
      return [...added, ...settledEvents(foldLedger(await eventsWith(added)), new Set(settled), scope)]
    },
  }
}
