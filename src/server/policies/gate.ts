/** The gate of a change request now: as the policy says, and who opened it for which commit. */
import type { Gate } from '../../domain/gate.ts'
import type { Queries } from '../database/contract.ts'
import type { GatePolicy } from '../settings/policy.ts'

/** Null where the check only informs. */
export function gateOf({ until, ...gate }: GatePolicy, now: Date): Gate | null {
  if (gate.failOn === 'never') return null
  // The whole of the day belongs to it.
  return until !== undefined && now.toISOString().slice(0, 10) > until ? null : gate
}

export type OpenedGate = { head: string; by: string; because: string }

/** For the record of commands, where `readOpened` finds it. */
export function openedOutcome(opened: OpenedGate): string {
  return JSON.stringify(opened)
}

/** Who opened it last; null when nobody did. It counts for one commit and no later one. */
export async function readOpened(
  queries: Queries,
  at: { connection: string; repository: string; number: number },
): Promise<OpenedGate | null> {
  const [row] = await queries.query<{ outcome: string }>(
    `select outcome from host_command
     where connection = $1 and lane = $2 and name = 'open-gate' and done_at is not null and not is_refused and starts_with(outcome, '{')
     order by done_at desc limit 1`,
    [at.connection, `${at.connection}/${at.repository}/${at.number}`],
  )
  return row ? (JSON.parse(row.outcome) as OpenedGate) : null
}
