/**
 * Finds what no webhook reported: deliveries that failed are sent again by the host, and open changes whose head nobody
 * asked about are taken up as if they had been reported, as are those whose review failed for a reason that may be over, and
 * each closed one after a day, for what people showed of its findings since. Repositories are shared out among the processes.
 */
import { UserError } from '../../base/errors.ts'
import { hostOf } from '../../hosts/remote/registry.ts'
import type { ListedChange } from '../../hosts/repository/contract.ts'
import { addressOf } from '../connections/address.ts'
import type { HostConnection } from '../connections/connections.ts'
import type { Database } from '../database/contract.ts'
import { passingReasons } from '../jobs/failures.ts'
import { failureFields, type Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { type DeliveryWriter, laneOf, type NewDelivery } from './deliveries.ts'
import { followRename } from './follow-rename.ts'
import { newTriggerId, storeTrigger } from './triggers.ts'

export type ReconcileParts = {
  database: Database
  connections: ReadonlyMap<string, HostConnection>
  writer: Pick<DeliveryWriter, 'write'>
  everyMinutes: number
  metrics: Metrics
  log: Log
}

export type Reconciler = { stop(): Promise<void> }

/** How often it looks whether a repository is due. */
const lookMs = 15_000
const repositoriesAtOnce = 4
/** Hosts keep failed deliveries for three days. */
const redeliveryMs = 3 * 24 * 3_600_000
const mostRedeliveries = 200
/** Most people have reacted by then. */
const afterClosing = '1 day'
const mostClosed = 50
/** What still fails after that is no outage; until then, each wait is as long as all before it. */
const triedFor = '1 day'

export function startReconciler(parts: ReconcileParts): Reconciler {
  const stopping = new AbortController()
  let running: Promise<unknown> = Promise.resolve()
  const look = () => {
    running = running
      .then(() => reconcileDue(parts, stopping.signal))
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) parts.log.error('reconcile-failed', failureFields(error))
      })
  }
  const timer = setInterval(look, lookMs)
  look()
  return {
    async stop() {
      clearInterval(timer)
      stopping.abort()
      await running
    },
  }
}

/** Everything whose time has come. Returns how many changes and deliveries were missing. */
export async function reconcileDue(
  parts: ReconcileParts,
  signal: AbortSignal,
): Promise<{ changes: number; deliveries: number }> {
  const found = { changes: 0, deliveries: 0 }
  for (const connection of parts.connections.values())
    found.deliveries += await redeliver(parts, connection, signal).catch((error: unknown) => {
      signal.throwIfAborted()
      parts.log.warn('redelivery-failed', { connection: connection.name, ...failureFields(error) })
      return 0
    })
  for (;;) {
    const due = await takeDue(parts)
    if (due.length === 0 || signal.aborted) return found
    const counts = await Promise.all(due.map((repository) => reconcileRepository(parts, repository, signal)))
    found.changes += counts.reduce((sum, count) => sum + count, 0)
  }
}

/** With a GitHub App: has failed deliveries sent again, and learns who installed it since. */
async function redeliver(
  { database, everyMinutes, metrics, log }: ReconcileParts,
  connection: HostConnection,
  signal: AbortSignal,
): Promise<number> {
  const app = await connection.app()
  if (!app) return 0
  await database.query('insert into redelivery (connection) values ($1) on conflict do nothing', [
    connection.name,
  ])
  const [mine] = await database.query(
    `update redelivery set at = now() where connection = $1 and at < now() - make_interval(mins => $2)
     returning connection`,
    [connection.name, everyMinutes],
  )
  if (!mine) return 0
  await connection.refreshInstallations(signal)
  await rememberRepositories(database, connection, signal)
  const failed = await app.listFailedDeliveries(Date.now() - redeliveryMs, signal)
  // What we refused once, we would refuse again.
  const worth = failed.filter(({ status }) => status < 400 || status >= 500 || status === 429)
  for (const { id } of worth.slice(0, mostRedeliveries)) await app.redeliver(id, signal)
  if (worth.length > 0) {
    metrics.reconciled.inc({ what: 'delivery' }, worth.length)
    log.info('deliveries-repeated', { connection: connection.name, count: worth.length })
  }
  return worth.length
}

/** So that a repository is known before its first webhook. */
async function rememberRepositories(
  database: Database,
  connection: HostConnection,
  signal: AbortSignal,
): Promise<void> {
  const app = await connection.app()
  const installations = await database.query<{ id: string; tenant: string }>(
    `select id, tenant from installation where connection = $1 and state = 'active'`,
    [connection.name],
  )
  for (const { id, tenant } of installations)
    for (const repository of (await app?.listRepositories(id, signal)) ?? [])
      await database.transaction(async (queries) => {
        await followRename(queries, connection, repository.id, repository.fullName)
        await queries.query(
          `insert into repository (connection, id, tenant, installation, full_name, is_private)
           values ($1, $2, $3, $4, $5, $6)
           on conflict (connection, id) do update set tenant = excluded.tenant, installation = excluded.installation`,
          [connection.name, repository.id, tenant, id, repository.fullName, repository.isPrivate],
        )
      })
}

type DueRepository = {
  connection: string
  id: string
  tenant: string
  installation: string | null
  full_name: string
  connected_at: Date
  is_known: boolean
  /** Its turn before this one, of the last three days. */
  last_at: Date
}

async function takeDue({ database, everyMinutes }: ReconcileParts): Promise<DueRepository[]> {
  return await database.query<DueRepository>(
    `with due as (
       select connection, id, greatest(reconciled_at, now() - interval '3 days') as last_at from repository
       where is_enabled and reconciled_at < now() - make_interval(mins => $1)
       order by reconciled_at limit $2 for update skip locked)
     update repository own set reconciled_at = now() from due
     where own.connection = due.connection and own.id = due.id
     returning own.connection, own.id, tenant, installation, full_name, connected_at, is_known, last_at`,
    [everyMinutes, repositoriesAtOnce],
  )
}

/** How many changes were missing. Never rejects. */
async function reconcileRepository(
  parts: ReconcileParts,
  repository: DueRepository,
  signal: AbortSignal,
): Promise<number> {
  const connection = parts.connections.get(repository.connection)
  if (!connection) return 0
  try {
    const { installation, id, full_name: fullName } = repository
    if (installation !== null && (await connection.tenantOf(installation, signal)) !== repository.tenant)
      return 0
    const access = await connection.open({ installation, id }, 'read', signal)
    const address = addressOf(connection, { id, fullName }, 1)
    const reader = hostOf(connection.kind).openRepository(address, access)
    const open = await reader.listOpen(signal)
    const missing = await withoutReview(parts.database, repository, open)
    const isOld = (change: ListedChange) =>
      !repository.is_known && change.updatedAt < repository.connected_at.getTime()
    for (const change of missing.filter(isOld)) await noteOld(parts.database, repository, change)
    const missed = missing.filter((change) => !isOld(change))
    const closed = await closedBefore(parts.database, repository)
    for (const change of [...missed, ...closed]) await parts.writer.write(deliveryOf(repository, change))
    await parts.database.query('update repository set is_known = true where connection = $1 and id = $2', [
      repository.connection,
      id,
    ])
    if (missed.length > 0) {
      parts.metrics.reconciled.inc({ what: 'change' }, missed.length)
      parts.log.info('changes-reconciled', { connection: connection.name, count: missed.length })
    }
    return missed.length
  } catch (error) {
    // The server stops.
    if (signal.aborted) return 0
    // Of a repository that is no longer ours nothing more is expected; anything else is tried at the next turn.
    const isGone = error instanceof UserError && error.code !== 'host-unavailable'
    parts.log[isGone ? 'info' : 'warn']('reconcile-failed', {
      connection: connection.name,
      ...failureFields(error),
    })
    return 0
  }
}

/** `after`: the job that failed, whose review is tried again; null for a head without a job. */
type Missing = ListedChange & { after: number | null }

/** Open changes that no delivery is waiting for, and whose head has no review that ended well or for good. */
async function withoutReview(
  database: Database,
  { connection, id, tenant }: DueRepository,
  open: readonly ListedChange[],
): Promise<Missing[]> {
  const rows = await database.query<{ number: number; after: number | null }>(
    `select sent.number::int as number, asked.job as after
     from unnest($3::int[], $4::text[]) as sent (number, head)
     cross join lateral (
       select max(t.job) as job, min(t.received_at) as first_at from review_trigger t
       where t.connection = $1 and t.repository = $2 and t.number = sent.number and starts_with(t.head, sent.head)) as asked
     left join job j on j.tenant = $5 and j.id = asked.job
     where (asked.first_at is null or (
         (j.result->>'reason' = any($6::text[]) or (j.state = 'not-reviewed' and j.result is null))
         and now() - j.ended_at > j.ended_at - asked.first_at and asked.first_at > now() - interval '${triedFor}'))
       and not exists (select 1 from webhook_delivery d
         where d.settled_at is null and d.lane = $1 || '/' || $2 || '/' || sent.number)`,
    [
      ...[connection, id, open.map(({ number }) => number), open.map(({ head }) => head)],
      ...[tenant, [...passingReasons]],
    ],
  )
  const found = new Map(rows.map(({ number, after }) => [number, after]))
  return open.flatMap((change) => {
    const after = found.get(change.number)
    return after === undefined ? [] : [{ ...change, after }]
  })
}

/** Changes whose day after closing ended since the last turn: hosts report no reactions, so they are read once more. */
async function closedBefore(
  database: Database,
  { connection, id, last_at: last }: DueRepository,
): Promise<Pick<ListedChange, 'number' | 'head'>[]> {
  return await database.query(
    `select number, max(head) as head from review_trigger
     where connection = $1 and repository = $2 and reason = 'closed' and kind <> 'reconciler' and head is not null
       and received_at > $3::timestamptz - interval '${afterClosing}'
       and received_at <= now() - interval '${afterClosing}'
     group by number order by number desc limit ${mostClosed}`,
    [connection, id, last],
  )
}

/** What was open before anybody connected the repository is not reviewed without being asked for. */
async function noteOld(
  database: Database,
  { connection, id, tenant, full_name: name }: DueRepository,
  { number, head }: ListedChange,
): Promise<void> {
  await storeTrigger(database, newTriggerId(), {
    ...{ tenant, connection, repository: { id, name }, number, kind: 'reconciler', askedBy: null, head },
    ...{ receivedAt: new Date(), job: null, ownsJob: false, holdUsd: 0 },
    decision: 'skipped: open since before the repository was connected',
    ended: { state: 'skipped', reason: 'policy' },
  })
}

/** The hour is part of its id, so that one that came to nothing is tried again, and so is the review that failed. */
function deliveryOf(
  { connection, id, installation, full_name: fullName }: DueRepository,
  { number, head, after = null }: Pick<ListedChange, 'number' | 'head'> & Partial<Missing>,
): NewDelivery {
  const event = {
    type: 'change',
    repository: { id, fullName },
    installation,
    number,
    action: 'reconciled',
    head,
  } as const
  const receivedAt = new Date()
  const hour = receivedAt.toISOString().slice(0, 13)
  const name = ['reconciled', laneOf(connection, event), head, hour, ...(after === null ? [] : [after])].join(
    ' ',
  )
  return { connection, id: name, hash: name, receivedAt, event }
}
