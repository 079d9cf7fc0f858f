/** Takes jobs back from workers that are silent, ends those whose time is over, and lets what waits for a job begin. */
import type { Database, Queries } from '../database/contract.ts'
import type { JobState } from './contract.ts'

/** Where the database says that there is work. */
export const workChannel = 'job'
/** Where it says that a job that runs is not wanted any more. */
export const stopChannel = 'job_stop'

type Expired = { tenant: string; id: number; fence: number }

const mostAtOnce = 200
/** Seconds that a row may be from the future before the clock is said to have jumped back. */
const clockTolerance = 5

export class ExpiredClaims {
  private readonly database: Database
  private readonly lease: number
  private readonly now: () => number
  /** When a claim was first found expired, by the clock of this process that never jumps. By fence. */
  private seen = new Map<number, number>()

  constructor(database: Database, lease: number, now: () => number) {
    this.database = database
    this.lease = lease
    this.now = now
  }

  async recover(): Promise<{ requeued: number; ended: number }> {
    await this.followClockBack()
    const states: JobState[] = []
    for (const claim of await this.foundTwice()) {
      const state = await this.takeBack(claim)
      if (state) states.push(state)
    }
    const givenUp = await this.giveUp()
    await this.wakeForgotten()
    const requeued = states.filter((state) => state === 'queued').length
    return { requeued, ended: states.length - requeued + givenUp }
  }

  /** After the database's clock was set back, a lease or a waiting time would last as long as the jump. */
  private async followClockBack(): Promise<void> {
    await this.database.query(
      `update job set changed_at = now(),
         run_at = case when state = 'queued' then now() else run_at end,
         lease_until = case when state = 'running' then now() + make_interval(secs => $1) end
       where state in ('queued', 'running') and changed_at > now() + make_interval(secs => $2)`,
      [this.lease, clockTolerance],
    )
  }

  /** After a clock jumped forward all claims look expired, until their workers' next heartbeats. */
  private async foundTwice(): Promise<Expired[]> {
    const expired = await this.database.query<Expired>(
      `select tenant, id, fence from job where state = 'running' and lease_until < now() order by id limit $1`,
      [mostAtOnce],
    )
    const now = this.now()
    const before = this.seen
    this.seen = new Map(expired.map(({ fence }) => [fence, before.get(fence) ?? now]))
    const ripe = now - (this.lease * 1000) / 2
    return expired.filter(({ fence }) => (before.get(fence) ?? now) <= ripe)
  }

  private async takeBack({ tenant, id, fence }: Expired): Promise<JobState | null> {
    return await this.database.transaction(async (tx) => {
      const [job] = await tx.query<{ state: JobState }>(
        `update job set
           state = coalesce(stop, case when attempt >= most_attempts then 'not-reviewed' else 'queued' end),
           ended_at = case when stop is not null or attempt >= most_attempts then now() end,
           reason = case when stop is null and attempt >= most_attempts
             then 'its worker ended ' || attempt || ' times without an answer' else reason end,
           last_error = 'its worker ended or could not be reached',
           fence = null, worker = null, lease_until = null, progress = null, run_at = now(), changed_at = now()
         where tenant = $1 and id = $2 and fence = $3 and state = 'running' and lease_until < now()
         returning state`,
        [tenant, id, fence],
      )
      if (!job) return null
      await wake(tx, tenant)
      return job.state
    })
  }

  private async giveUp(): Promise<number> {
    const ended = await this.database.query(
      `update job set state = 'not-reviewed', ended_at = now(), changed_at = now(),
         reason = coalesce(reason || '; ', '') || 'no worker could finish it in time'
       where state = 'queued' and give_up_at < now() returning id`,
    )
    return ended.length
  }

  /** No turn should be asleep while its tenant has a job to do; one that is would delay it, so it is woken. */
  private async wakeForgotten(): Promise<void> {
    await this.database.query(
      `update job_turn set next_at = now() from (
         select tenant, kind from job_turn as turn where (next_at is null or next_at > now())
           and exists (select 1 from job where tenant = turn.tenant and kind = turn.kind and state = 'queued'
             and run_at <= now())
         for update skip locked) as asleep
       where job_turn.tenant = asleep.tenant and job_turn.kind = asleep.kind`,
    )
  }
}

/** After a job left its lane: whatever waited for the lane, or for a free place of the tenant, can be claimed. */
export async function wake(tx: Queries, tenant: string): Promise<void> {
  await tx.query(
    `update job_turn set next_at = now() from (
       select kind from job_turn as turn where tenant = $1
         and exists (select 1 from job where tenant = $1 and kind = turn.kind and state = 'queued')
       order by kind for update) as waiting
     where job_turn.tenant = $1 and job_turn.kind = waiting.kind`,
    [tenant],
  )
  await tx.query('select pg_notify($1, $2)', [workChannel, ''])
}
