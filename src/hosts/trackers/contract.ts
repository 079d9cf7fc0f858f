/**
 * What a tracker is: a service beside the host that knows what a change was asked for, or what breaks in production.
 * Trackers with tickets are `TicketSource`s like the issues of a host. Only the operator's settings name a tracker and
 * the projects that may be read in it; the words of a change choose among these and nothing else.
 */
import type { ProductionError } from '../../domain/production-error.ts'
import type { TicketSource } from '../tickets/contract.ts'

export interface ErrorSource {
  /** For people: `Sentry`. */
  readonly name: string
  /**
   * Open errors whose stack runs through one of these files, the most frequent first. `paths`: what a file is called in
   * production (before the change), and in the change. Throws for failures of the wire.
   */
  through(paths: ReadonlyMap<string, string>, signal: AbortSignal): Promise<readonly ProductionError[]>
}

export type Trackers = {
  readonly tickets: readonly TicketSource[]
  readonly errors: ErrorSource | null
  /** For each of them. */
  readonly seconds: number
}
