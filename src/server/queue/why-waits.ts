/** Why jobs of a tenant wait that could be next by their order, in words for people. */
import type { Queries } from '../database/contract.ts'

type Waiting = {
  id: number
  runAt: Date | null
  reason: string | null
  lastError: string | null
  isLaneBusy: boolean
}

/** By id of the job; without those that wait for nothing but the jobs before them. */
export async function whyJobsWait(
  queries: Queries,
  tenant: string,
  kind: string,
): Promise<ReadonlyMap<number, string>> {
  const [share] = await queries.query<{ running: number; most: number }>(
    `select (select count(*)::int from job where tenant = $1 and kind = $2 and state = 'running') as running,
       ${mostRunning} as most from (select $1::text as tenant) as one left join tenant using (tenant)`,
    [tenant, kind],
  )
  const rows = await queries.query<Waiting>(
    `select id, case when run_at > now() then run_at end as "runAt", reason, last_error as "lastError",
       exists (select 1 from job as other where other.tenant = $1 and other.lane = waiting.lane
         and other.state = 'running') as "isLaneBusy"
     from job as waiting where tenant = $1 and kind = $2 and state = 'queued'
     order by priority desc, id limit 200`,
    [tenant, kind],
  )
  const full =
    share && share.running >= share.most
      ? `waits until one of ${share.running} running jobs ends: more may not run at a time`
      : null
  return new Map(
    rows.flatMap((row) => {
      const why = whyOf(row) ?? full
      return why === null ? [] : [[row.id, why]]
    }),
  )
}

/** Jobs of one kind that a tenant without a number in the table `tenant` may have running; in SQL. */
export const mostRunning = 'coalesce(most_running, 8)'

function whyOf({ runAt, reason, lastError, isLaneBusy }: Waiting): string | null {
  if (runAt) {
    const after = reason ?? lastError
    return `waits until ${runAt.toISOString()}${after === null ? '' : `: ${after}`}`
  }
  return isLaneBusy ? 'waits for the running review of the same change request' : null
}
