/** What the steps of the intake share: what they use, and which change request they are asked about. */
import type { HostConnection } from '../connections/connections.ts'
import type { Database } from '../database/contract.ts'
import type { TriggerKind } from '../jobs/contract.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import type { Queue } from '../queue/contract.ts'
import type { ServerSettings } from '../settings/schema.ts'
import type { BesideEvent } from '../webhooks/contract.ts'

export type IntakeParts = {
  database: Database
  settings: ServerSettings
  /** What a review may cost by the settings for models, in US dollars. */
  defaultPerReviewUsd: number
  connections: ReadonlyMap<string, HostConnection>
  queue: Pick<Queue, 'enqueue' | 'cancel' | 'jobs' | 'depth'>
  metrics: Metrics
  log: Log
  now: () => Date
}

export type AskedChange = {
  connection: HostConnection
  tenant: string
  installation: string | null
  repository: { id: string; fullName: string }
  number: number
  kind: TriggerKind
  askedBy: string | null
  /** Review again even what was reviewed; what the policy holds back for others is done. */
  isOrdered: boolean
  /** Ask models about all of it again. */
  isFull: boolean
  /** What happened to those that belong to it, in other repositories. */
  beside: readonly BesideEvent[]
  /** Heads that events knew. */
  knownHeads: readonly string[]
  receivedAt: Date
  /** The host had time enough to show what the events are about. */
  isPatient: boolean
  /** Holds the events for longer. Throws `Retaken`. */
  hold(): Promise<void>
}

/** One change request is one lane: the name of the connection keeps two hosts apart. */
export function laneOf({
  connection,
  repository,
  number,
}: Pick<AskedChange, 'connection' | 'repository' | 'number'>): string {
  return `${connection.name}/${repository.id}#${number}`
}
