/** Puts jobs into the queue: the same again is the same job, and a newer one may replace older ones of its lane. */
import type { Queries } from '../database/contract.ts'
import type { Enqueued, JobRequest, JobState } from './contract.ts'
import { stopChannel, workChannel } from './expired-claims.ts'

const day = 86_400

/** See `Queue.enqueue`. `tx`: within a transaction. */
export async function enqueueIn(tx: Queries, request: JobRequest): Promise<Enqueued> {
  const { tenant, kind, lane, contentKey, priority = 0, supersedes = false } = request
  const newest = await lockLane(tx, request)
  if (newest && isSame(newest, contentKey)) {
    await tx.query(
      `update job set priority = greatest(priority, $3) where tenant = $1 and id = $2 and state = 'queued'`,
      [tenant, newest.id, priority],
    )
    return { id: newest.id, isNew: false }
  }
  const id = await insert(tx, request, null)
  if (supersedes) await supersede(tx, tenant, kind, lane, id)
  await tx.query(
    // An idle tenant starts level with the others: it saved up nothing.
    `insert into job_turn (tenant, kind, used, next_at)
     values ($1, $2, coalesce((select min(used) from job_turn where kind = $2 and next_at is not null), 0), now())
     on conflict (tenant, kind) do update set
       used = case when job_turn.next_at is null then greatest(job_turn.used, excluded.used) else job_turn.used end,
       next_at = least(job_turn.next_at, excluded.next_at)`,
    [tenant, kind],
  )
  await tx.query('select pg_notify($1, $2)', [workChannel, ''])
  return { id, isNew: true }
}

/** See `Queue.skip`. `tx`: within a transaction. */
export async function skipIn(
  tx: Queries,
  request: JobRequest,
  why: { actor: string; reason: string },
): Promise<Enqueued> {
  await lockLane(tx, request)
  return { id: await insert(tx, request, why), isNew: true }
}

type Newest = { id: number; contentKey: string; state: JobState; stop: string | null }

/** Who enqueues in one lane does it one after the other. Returns the newest job of the kind in the lane. */
async function lockLane(tx: Queries, { tenant, kind, lane }: JobRequest): Promise<Newest | undefined> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended($1 || chr(31) || $2, 0))`, [tenant, lane])
  const [newest] = await tx.query<Newest>(
    `select id, content_key as "contentKey", state, stop from job
     where tenant = $1 and lane = $2 and kind = $3 order by id desc limit 1`,
    [tenant, lane, kind],
  )
  return newest
}

/** What was not reviewed, skipped or replaced may be asked for again. */
function isSame({ contentKey, state, stop }: Newest, wanted: string): boolean {
  return contentKey === wanted && stop === null && !['not-reviewed', 'superseded', 'skipped'].includes(state)
}

async function insert(
  tx: Queries,
  { tenant, kind, lane, contentKey, payload, priority = 0, mostAttempts = 5, giveUpAfter = day }: JobRequest,
  skipped: { actor: string; reason: string } | null,
): Promise<number> {
  const [row] = await tx.query<{ id: number }>(
    `insert into job (tenant, kind, lane, content_key, payload, priority, most_attempts, give_up_at, state, actor,
       reason, ended_at)
     values ($1, $2, $3, $4, $5::jsonb, $6, $7, now() + make_interval(secs => $8),
       case when $9::text is null then 'queued' else 'skipped' end, $9, $10, case when $9::text is null then null else now() end)
     returning id`,
    [
      ...[tenant, kind, lane, contentKey, JSON.stringify(payload), priority, mostAttempts, giveUpAfter],
      ...[skipped?.actor ?? null, skipped?.reason ?? null],
    ],
  )
  if (!row) throw new Error('the database returned no id for a new job')
  return row.id
}

/** Older jobs that wait end at once; the worker of one that runs is told. */
async function supersede(tx: Queries, tenant: string, kind: string, lane: string, id: number): Promise<void> {
  const ended = await tx.query<Stopped>(
    `update job set
       state = case when state = 'queued' then 'superseded' else state end,
       stop = case when state = 'running' then 'superseded' end,
       ended_at = case when state = 'queued' then now() end,
       superseded_by = $4, reason = 'replaced by a newer change', changed_at = now()
     where tenant = $1 and kind = $2 and lane = $3 and id < $4 and state in ('queued', 'running')
     returning stop`,
    [tenant, kind, lane, id],
  )
  await tellStopped(tx, ended)
}

/** `stop` is null for a job that did not run. */
export type Stopped = { stop: string | null }

export async function tellStopped(queries: Queries, ended: readonly Stopped[]): Promise<void> {
  if (ended.some(({ stop }) => stop !== null))
    await queries.query('select pg_notify($1, $2)', [stopChannel, ''])
}
