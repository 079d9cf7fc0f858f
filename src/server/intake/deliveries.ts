/**
 * Deliveries on disk: written before a webhook is answered, many in one commit, and never twice. A delivery that was
 * taken up by a process that then died is taken up again.
 */
import type { Database, Queries } from '../database/contract.ts'
import type { WebhookEvent } from '../webhooks/contract.ts'

export type NewDelivery = {
  /** Name of the connection it came over. */
  connection: string
  /** The host's id of it; the hash where a host sends none. */
  id: string
  /** SHA-256 of its bytes: the same body under another id is a replay. */
  hash: string
  receivedAt: Date
  event: Exclude<WebhookEvent, { type: 'none' }>
}

export type StoredDelivery = {
  number: number
  connection: string
  event: NewDelivery['event']
  receivedAt: Date
  /** How often it was taken up before; with `number`, names this taking. */
  attempts: number
}

/** Events of one lane wait for each other. */
export function laneOf(connection: string, event: NewDelivery['event']): string {
  return event.type === 'installation'
    ? `${connection}/installation/${event.installation}`
    : `${connection}/${event.repository.id}/${event.number}`
}

type Waiting = {
  delivery: NewDelivery
  resolve: (isNew: boolean) => void
  reject: (error: unknown) => void
}

/** In one statement; more senders wait for the next one. */
const mostInOneWrite = 500

/** Collects what arrives while a write is under way, so that a burst costs few commits. */
export class DeliveryWriter {
  private readonly database: Database
  private readonly onWritten: () => void
  private waiting: Waiting[] = []
  private isWriting = false

  /** `onWritten` is called after each commit that stored something new. */
  constructor(database: Database, onWritten: () => void) {
    this.database = database
    this.onWritten = onWritten
  }

  /** Resolves after the commit: whether it is new. Rejects when it could not be stored. */
  write(delivery: NewDelivery): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ delivery, resolve, reject })
      if (!this.isWriting) void this.drain()
    })
  }

  private async drain(): Promise<void> {
    this.isWriting = true
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, mostInOneWrite)
      try {
        const stored = await storeDeliveries(
          this.database,
          batch.map(({ delivery }) => delivery),
        )
        for (const { delivery, resolve } of batch) {
          const key = `${delivery.connection} ${delivery.id}`
          // Of two alike in one batch, one is new.
          resolve(stored.delete(key))
        }
        this.onWritten()
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    this.isWriting = false
  }
}

/** Returns `connection id` of those that are new. */
export async function storeDeliveries(
  queries: Queries,
  deliveries: readonly NewDelivery[],
): Promise<Set<string>> {
  if (deliveries.length === 0) return new Set()
  const column = (read: (delivery: NewDelivery) => string) => deliveries.map(read)
  const rows = await queries.query<{ connection: string; id: string }>(
    `insert into webhook_delivery (connection, id, hash, received_at, lane, event)
     select connection, id, hash, received_at::timestamptz, lane, event::jsonb
     from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
       as sent (connection, id, hash, received_at, lane, event)
     on conflict do nothing
     returning connection, id`,
    [
      column(({ connection }) => connection),
      column(({ id }) => id),
      column(({ hash }) => hash),
      column(({ receivedAt }) => receivedAt.toISOString()),
      column(({ connection, event }) => laneOf(connection, event)),
      column(({ event }) => JSON.stringify(event)),
    ],
  )
  return new Set(rows.map(({ connection, id }) => `${connection} ${id}`))
}

/** Renewed while a process is at it; of one that died, another takes it over. */
export const takenSeconds = 8
/** Of a long line, only its beginning is read: what arrives in a storm must not slow down what takes it up. */
const mostConsidered = 500
/** Any number: everybody who takes up deliveries holds it for a moment, so that no lane is taken twice. */
const takingLock = 7_710_001

/** Up to `most` lanes with everything that waits in them, oldest first. Each is this caller's until it is settled or too old. */
export async function takeDeliveries(database: Database, most: number): Promise<StoredDelivery[][]> {
  return await database.transaction(async (queries) => {
    await queries.query('select pg_advisory_xact_lock($1)', [takingLock])
    const rows = await queries.query<Taken>(
      `update webhook_delivery set taken_until = now() + make_interval(secs => $2), attempts = attempts + 1
       where settled_at is null and lane in (
         select lane from (
           select lane, number from webhook_delivery own
           where settled_at is null and not_before <= now() and coalesce(taken_until, '-infinity') < now()
             and not exists (select 1 from webhook_delivery other
               where other.lane = own.lane and other.settled_at is null and other.taken_until >= now())
           order by number
           limit $3) oldest
         group by lane
         order by min(number)
         limit $1)
       returning number, lane, connection, event, received_at, attempts`,
      [most, takenSeconds, mostConsidered],
    )
    const lanes = Map.groupBy(rows, ({ lane }) => lane)
    return [...lanes.values()].map((lane) =>
      lane
        .sort((a, b) => a.number - b.number)
        .map(({ number, connection, event, received_at, attempts }) => ({
          number,
          connection,
          event,
          receivedAt: received_at,
          attempts: attempts - 1,
        })),
    )
  })
}

const heldRows = `(select number, attempts + 1 as attempts from unnest($1::bigint[], $2::int[]) as held (number, attempts))`

const heldValues = (deliveries: readonly StoredDelivery[]) => [
  deliveries.map(({ number }) => number),
  deliveries.map(({ attempts }) => attempts),
]

/** Holds what is not settled for longer. False when somebody else took it up meanwhile. */
export async function renewDeliveries(queries: Queries, lane: readonly StoredDelivery[]): Promise<boolean> {
  const [row] = await queries.query<{ is_ours: boolean }>(
    `with held as ${heldRows},
       renewed as (
         update webhook_delivery own set taken_until = now() + make_interval(secs => $3) from held
         where own.number = held.number and own.attempts = held.attempts
           and own.settled_at is null and own.taken_until is not null)
     select not exists (select 1 from webhook_delivery own join held using (number)
       where own.attempts > held.attempts) as is_ours`,
    [...heldValues(lane), takenSeconds],
  )
  return row?.is_ours ?? false
}

type Taken = {
  number: number
  lane: string
  connection: string
  event: NewDelivery['event']
  received_at: Date
  attempts: number
}

/** Somebody else took them up meanwhile, because their time was over, and answers them. */
export class Retaken extends Error {
  override readonly name = 'Retaken'
}

/** `result` says for people what became of them; part of the transaction that acts on them. Throws `Retaken`. */
export async function settleDeliveries(
  queries: Queries,
  deliveries: readonly StoredDelivery[],
  { tenant, result }: { tenant: string; result: string },
): Promise<void> {
  const settled = await queries.query(
    `update webhook_delivery own set settled_at = now(), taken_until = null, tenant = $3, result = $4 from ${heldRows} held
     where own.number = held.number and own.attempts = held.attempts and own.settled_at is null returning own.number`,
    [...heldValues(deliveries), tenant, result],
  )
  if (settled.length < deliveries.length) throw new Retaken()
}

/** They are taken up again after so many seconds. */
export async function postponeDeliveries(
  queries: Queries,
  deliveries: readonly StoredDelivery[],
  seconds: number,
): Promise<void> {
  await queries.query(
    `update webhook_delivery own set taken_until = null, not_before = now() + make_interval(secs => $3) from ${heldRows} held
     where own.number = held.number and own.attempts = held.attempts`,
    [...heldValues(deliveries), seconds],
  )
}
