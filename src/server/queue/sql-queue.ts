/** The queue in SQL. What each statement locks, and in which order, is what makes it safe: job rows before turns. */
import { type Database, type Queries, StatementError } from '../database/contract.ts'
import {
  type Claim,
  type ClaimOptions,
  type Ending,
  type Enqueued,
  type Held,
  type Job,
  type JobRequest,
  type JobState,
  LostClaimError,
  type Queue,
} from './contract.ts'
import { enqueueIn, type Stopped, skipIn, tellStopped } from './enqueue.ts'
import { ExpiredClaims, stopChannel, wake, workChannel } from './expired-claims.ts'
import { mostRunning } from './why-waits.ts'

/** Seconds. Short, because workers renew it often: what one was at goes on elsewhere within two of them. */
export const leaseSeconds = 7

const longestBackoff = 300
const uniqueViolation = '23505'

export type QueueOptions = {
  /** Seconds that a claim holds without a heartbeat. */
  lease?: number
  /** Milliseconds, of a clock that never jumps. */
  now?: () => number
  /** The share of its time that is waited after an error; 1 when not given. Tests wait less. */
  patience?: number
}

export function openQueue(database: Database, options: QueueOptions = {}): Queue {
  return new SqlQueue(database, options)
}

class SqlQueue implements Queue {
  private readonly database: Database
  private readonly lease: number
  private readonly patience: number
  private readonly expired: ExpiredClaims
  private readonly listeners = new Set<() => void>()

  constructor(database: Database, options: QueueOptions) {
    const { lease = leaseSeconds, now = () => performance.now(), patience = 1 } = options
    this.database = database
    this.lease = lease
    this.patience = patience
    this.expired = new ExpiredClaims(database, lease, now)
  }

  async enqueue(request: JobRequest, queries?: Queries): Promise<Enqueued> {
    return await this.within(queries, (tx) => enqueueIn(tx, request))
  }

  async skip(
    request: JobRequest,
    why: { actor: string; reason: string },
    queries?: Queries,
  ): Promise<Enqueued> {
    return await this.within(queries, (tx) => skipIn(tx, request, why))
  }

  async cancel(
    tenant: string,
    lane: string,
    { actor, reason }: { actor: string; reason: string },
  ): Promise<number> {
    const ended = await this.database.query<Stopped>(
      `update job set
         state = case when state = 'queued' then 'skipped' else state end,
         stop = case when state = 'running' then 'skipped' end,
         ended_at = case when state = 'queued' then now() end,
         actor = $3, reason = $4, changed_at = now()
       where tenant = $1 and lane = $2 and state in ('queued', 'running') returning stop`,
      [tenant, lane, actor, reason],
    )
    await tellStopped(this.database, ended)
    return ended.length
  }

  async claim({ worker, kinds, slots }: ClaimOptions): Promise<Claim[]> {
    const claims: Claim[] = []
    while (claims.length < slots) {
      const found = await this.claimOne(worker, kinds).catch((error: unknown) => {
        // A job of another kind in the same lane was claimed at the same moment.
        if (error instanceof StatementError && error.code === uniqueViolation) return 'again' as const
        throw error
      })
      if (found === 'none') break
      if (found !== 'again') claims.push(found)
    }
    return claims
  }

  async heartbeat(
    claims: readonly Claim[],
    progress: ReadonlyMap<Claim, Record<string, unknown>> = new Map(),
  ): Promise<Held[]> {
    if (claims.length === 0) return []
    const rows = await this.database.query<{ fence: number; stop: Held | null }>(
      `update job set lease_until = clock_timestamp() + make_interval(secs => $2), changed_at = clock_timestamp(),
         progress = coalesce(held.progress, job.progress)
       from jsonb_to_recordset($1::jsonb) as held (tenant text, id bigint, fence bigint, progress jsonb)
       where job.tenant = held.tenant and job.id = held.id and job.fence = held.fence and job.state = 'running'
       returning job.fence, job.stop`,
      [
        JSON.stringify(
          claims.map((claim) => {
            const { tenant, id, fence } = claim
            return { tenant, id, fence, progress: progress.get(claim) }
          }),
        ),
        this.lease,
      ],
    )
    const held = new Map(rows.map(({ fence, stop }) => [fence, stop ?? 'running']))
    return claims.map(({ fence }) => held.get(fence) ?? 'lost')
  }

  async fenced<T>(claim: Claim, work: (queries: Queries) => Promise<T>): Promise<T> {
    return await this.database.transaction(async (tx) => {
      const [row] = await tx.query<{ stop: Held | null }>(
        `select stop from job where tenant = $1 and id = $2 and fence = $3 and state = 'running' for update`,
        [claim.tenant, claim.id, claim.fence],
      )
      if (!row || row.stop) throw new LostClaimError(claim, row?.stop ?? 'lost')
      return await work(tx)
    })
  }

  async finish(
    claim: Claim,
    { state, reason, actor, result }: Ending,
    within?: (queries: Queries) => Promise<void>,
  ): Promise<boolean> {
    const ended = await this.leave(
      claim,
      `state = $4, ended_at = now(), reason = coalesce($5, reason), actor = coalesce($6, actor), result = $7::jsonb`,
      [state, reason ?? null, actor ?? null, result === undefined ? null : JSON.stringify(result)],
      within,
    )
    return ended !== 'lost'
  }

  async retry(claim: Claim, error: string): Promise<JobState | 'lost'> {
    return await this.leave(
      claim,
      `state = coalesce(stop, case when attempt >= most_attempts then 'not-reviewed' else 'queued' end),
       ended_at = case when stop is not null or attempt >= most_attempts then now() end,
       reason = case when stop is null and attempt >= most_attempts then $4 else reason end,
       last_error = $4,
       run_at = now() + make_interval(secs => $6::float8 * least($5::float8, power(2, attempt) * (0.5 + random() / 2)))`,
      [error, longestBackoff, this.patience],
    )
  }

  async park(
    claim: Claim,
    { seconds, reason }: { seconds: number; reason: string },
  ): Promise<JobState | 'lost'> {
    return await this.leave(
      claim,
      `state = coalesce(stop, 'queued'), ended_at = case when stop is not null then now() end,
       attempt = attempt - 1, reason = case when stop is null then $4 else reason end,
       run_at = now() + make_interval(secs => $5::float8)`,
      [reason, seconds],
    )
  }

  async release(claim: Claim): Promise<JobState | 'lost'> {
    return await this.leave(
      claim,
      `state = coalesce(stop, 'queued'), ended_at = case when stop is not null then now() end,
       attempt = attempt - 1, run_at = now()`,
      [],
    )
  }

  async recover(): Promise<{ requeued: number; ended: number }> {
    return await this.expired.recover()
  }

  async job(tenant: string, id: number): Promise<Job | null> {
    const [row] = await this.database.query<Job>(`select ${columns} from job where tenant = $1 and id = $2`, [
      tenant,
      id,
    ])
    return row ?? null
  }

  async jobs(
    tenant: string,
    { lane, state, limit = 100 }: { lane?: string; state?: JobState; limit?: number } = {},
  ): Promise<Job[]> {
    return await this.database.query<Job>(
      `select ${columns} from job
       where tenant = $1 and ($2::text is null or lane = $2) and ($3::text is null or state = $3)
       order by id desc limit $4`,
      [tenant, lane ?? null, state ?? null, limit],
    )
  }

  async depth(): Promise<
    { kind: string; state: 'queued' | 'running'; count: number; oldestSeconds: number }[]
  > {
    return await this.database.query(
      `select kind, state, count(*)::int as count,
         extract(epoch from now() - min(created_at))::float8 as "oldestSeconds"
       from job where state in ('queued', 'running') group by kind, state order by kind, state`,
    )
  }

  async onWork(onWork: () => void): Promise<() => Promise<void>> {
    const unlisten = await this.database.listen(workChannel, onWork)
    this.listeners.add(onWork)
    return async () => {
      this.listeners.delete(onWork)
      await unlisten()
    }
  }

  async onStop(onStop: () => void): Promise<() => Promise<void>> {
    return await this.database.listen(stopChannel, onStop)
  }

  private async within<T>(queries: Queries | undefined, work: (tx: Queries) => Promise<T>): Promise<T> {
    return queries ? await work(queries) : await this.database.transaction(work)
  }

  /** The tenant whose turn it is, and its most urgent job. Others who claim meanwhile take the next tenant. */
  private async claimOne(worker: string, kinds: readonly string[]): Promise<Claim | 'none' | 'again'> {
    return await this.database.transaction(async (tx) => {
      const [turn] = await tx.query<{ tenant: string; kind: string }>(
        `select tenant, kind from job_turn where kind = any($1::text[]) and next_at <= now()
         order by used, tenant limit 1 for update skip locked`,
        [kinds],
      )
      if (!turn) return 'none'
      const at = [turn.tenant, turn.kind]
      const [share] = await tx.query<{ isFull: boolean; weight: number }>(
        `select coalesce(weight, 1) as weight, (select count(*) from job
            where tenant = $1 and kind = $2 and state = 'running') >= ${mostRunning} as "isFull"
         from (select $1::text as tenant) as one left join tenant using (tenant)`,
        at,
      )
      const [job] = share?.isFull ? [] : await tx.query<{ id: number }>(nextOfTenant, at)
      if (!job) {
        // What is blocked by a running job is woken when that ends.
        await tx.query(
          `update job_turn set next_at = (select min(run_at) from job
             where tenant = $1 and kind = $2 and state = 'queued' and run_at > now() and not $3)
           where tenant = $1 and kind = $2`,
          [...at, share?.isFull ?? false],
        )
        return 'again'
      }
      await tx.query('update job_turn set used = used + 1 / $3::float8 where tenant = $1 and kind = $2', [
        ...at,
        share?.weight ?? 1,
      ])
      const [claim] = await tx.query<Claim>(
        `update job set state = 'running', attempt = attempt + 1, fence = nextval('job_fence'), worker = $3,
           lease_until = clock_timestamp() + make_interval(secs => $4), changed_at = clock_timestamp(),
           started_at = coalesce(started_at, now()), reason = null
         where tenant = $1 and id = $2
         returning tenant, id, fence, kind, lane, content_key as "contentKey", payload, attempt,
           most_attempts as "mostAttempts", last_error as "lastError"`,
        [turn.tenant, job.id, worker, this.lease],
      )
      return claim ?? 'again'
    })
  }

  /** Ends the claim with `changes`, whose parameters begin at `$4`, and lets the next job of the tenant begin. */
  private async leave(
    { tenant, id, fence }: Claim,
    changes: string,
    parameters: readonly (string | number | null)[],
    within?: (queries: Queries) => Promise<void>,
  ): Promise<JobState | 'lost'> {
    const left = await this.database.transaction(async (tx) => {
      const [job] = await tx.query<{ state: JobState; waits: number }>(
        `update job set ${changes}, fence = null, worker = null, lease_until = null, progress = null, changed_at = now()
         where tenant = $1 and id = $2 and fence = $3 and state = 'running'
         returning state, extract(epoch from run_at - now())::float8 as waits`,
        [tenant, id, fence, ...parameters],
      )
      if (!job) return null
      await within?.(tx)
      await wake(tx, tenant)
      return job
    })
    if (left?.state === 'queued' && left.waits > 0) this.callIn(left.waits)
    return left?.state ?? 'lost'
  }

  /** No process is notified of a job whose time to wait is over; the one that let it wait need not poll for it. */
  private callIn(seconds: number): void {
    const call = () => {
      for (const onWork of this.listeners) onWork()
    }
    setTimeout(call, Math.ceil(seconds * 1000)).unref()
  }
}

const columns = `tenant, id, kind, lane, content_key as "contentKey", payload, priority, state, reason, actor, result,
  progress,  superseded_by as "supersededBy", attempt, last_error as "lastError", created_at as "createdAt", run_at as "runAt",
  started_at as "startedAt", ended_at as "endedAt"`

const nextOfTenant = `select id from job as waiting
  where tenant = $1 and kind = $2 and state = 'queued' and run_at <= now()
    and not exists (select 1 from job as other
      where other.tenant = $1 and other.lane = waiting.lane and other.state = 'running')
  order by priority desc, id limit 1 for update skip locked`
