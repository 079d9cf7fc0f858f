/**
 * The ledger of one repository, lent to a process that has no database: it gets the events as they are now, and what its
 * review adds goes back with its answer. The worker then decides what of it goes on record.
 */
import type { LedgerEvent, LedgerRead, LedgerStore } from '../../ledger/contract.ts'

/** A name to look the ledger up by, the same for workers and for commands in comments. */
export function ledgerKey({ host, name }: { host: string; name: string }): string {
  return `${host}/${name}`
}

/** Answers for its one repository, whatever the host calls it by now. `added` grows with what is appended. */
export function lendLedger(known: LedgerRead): LedgerStore & { readonly added: readonly LedgerEvent[] } {
  const added: LedgerEvent[] = []
  const seen = new Set(known.events.map(({ id }) => id))
  return {
    address: 'the ledger of the server',
    added,
    async append(_repository, events) {
      const fresh = events.filter(({ id }) => !seen.has(id) && seen.add(id))
      added.push(...fresh)
      return fresh.length
    },
    read: async () => ({ ...known, events: [...known.events, ...added] }),
    async repositories() {
      throw new Error('a lent ledger does not know its repository')
    },
    async remove() {
      throw new Error('a lent ledger cannot be removed')
    },
  }
}

/** What a review itself may say of findings. People dismiss and pause, and no process that read foreign text speaks for them. */
const ofReviews: ReadonlySet<string> = new Set([
  'seen',
  'fixed',
  'outdated',
  'reopened',
  'reviewed',
] satisfies LedgerEvent['type'][])

/** Of events that come from such a process, those that a review of this change request may add. */
export function eventsOfReview(events: readonly LedgerEvent[], number: number): LedgerEvent[] {
  return events.filter(({ type, change }) => ofReviews.has(type) && change === `${number}`)
}

/** Of the same, those that an answer may add: that the code itself shows a finding to be wrong, and where. */
export function eventsOfAnswer(events: readonly LedgerEvent[], number: number): LedgerEvent[] {
  return events.filter(
    (event) =>
      event.type === 'dismissed' &&
      event.by.kind === 'sightline' &&
      event.reach.kind === 'here' &&
      (event.evidence ?? []).length > 0 &&
      event.change === `${number}`,
  )
}
