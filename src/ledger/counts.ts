/** The findings of a change request as people count them, the same in its check, in its overview and on its page. */
import type { LedgerEvent } from './contract.ts'
import { isOpen, type Ledger, type LedgerFinding } from './fold.ts'

export type CountedState = 'open' | 'fixed' | 'dismissed'

/** `names`: every id that its records had. */
export type Counted = { names: string[]; state: CountedState }

/** Every finding that an event of this change is about; null in place of a state for one that is in no count. */
export function statesIn(
  { findings, settled }: Ledger,
  events: readonly LedgerEvent[],
  change: string,
): Map<LedgerFinding, CountedState | null> {
  const ids = new Set(
    events.flatMap((event) => ('finding' in event && event.change === change ? [event.finding] : [])),
  )
  return new Map(
    [...ids].flatMap((id) => {
      const finding = findings.get(id)
      return finding ? [[finding, stateOf(finding, settled.has(id))] as const] : []
    }),
  )
}

/** `isSettled`: people resolved or deleted its comment. */
function stateOf(finding: LedgerFinding, isSettled: boolean): CountedState | null {
  const { state, aside, wasCounted } = finding
  if (state === 'dismissed') return state
  // One that nobody was ever shown is not fixed for anybody.
  if (!isOpen(finding)) return wasCounted ? 'fixed' : null
  if (aside !== null) return aside === 'dismissed' ? aside : null
  return isSettled ? 'dismissed' : 'open'
}

export function countStates(states: Iterable<CountedState | null>): Record<CountedState, number> {
  const counts = { open: 0, fixed: 0, dismissed: 0 }
  for (const state of states) if (state !== null) counts[state]++
  return counts
}
