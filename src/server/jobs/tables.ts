/** What workers keep in the database beside the queue: who may have written to a host when, and what reviews cost. */
import type { Queries } from '../database/contract.ts'
import type { Claim } from '../queue/contract.ts'
import type { ReviewJob } from './contract.ts'

export async function recordPublication(
  queries: Queries,
  { tenant, id, fence, lane }: Claim,
  head: string | null,
): Promise<void> {
  await queries.query(
    `insert into publication (tenant, job, fence, lane, head) values ($1, $2, $3, $4, $5)
     on conflict (tenant, job, fence) do update set last_at = now(), head = excluded.head`,
    [tenant, id, fence, lane, head],
  )
}

/** Replaces what was recorded of this claim before. */
export async function recordSpending(
  queries: Queries,
  { tenant, id, fence }: Claim,
  { repository }: Pick<ReviewJob, 'repository'>,
  { usd, unpricedCalls }: { usd: number; unpricedCalls: number },
): Promise<void> {
  await queries.query(
    `insert into spending (tenant, job, fence, host, repository, usd, unpriced_calls)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (tenant, job, fence)
     do update set usd = excluded.usd, unpriced_calls = excluded.unpriced_calls, last_at = now()`,
    [tenant, id, fence, repository.host, repository.name, usd, unpricedCalls],
  )
}

/** US dollars since a moment, of a tenant or of one of its repositories. */
export async function spentSince(
  queries: Queries,
  tenant: string,
  since: Date,
  repository: ReviewJob['repository'] | null = null,
): Promise<number> {
  const [row] = await queries.query<{ usd: number | null }>(
    `select sum(usd) as usd from spending where tenant = $1 and began_at >= $2
     and ($3::text is null or (host = $3 and repository = $4))`,
    [tenant, since, repository?.host ?? null, repository?.name ?? null],
  )
  return row?.usd ?? 0
}

export type Unshown = { tenant: string; payload: Record<string, unknown>; reason: string | null }

/** Each is handed out once, to whoever is first. */
export async function takeUnshown(queries: Queries, kind: string): Promise<Unshown[]> {
  return await queries.query<Unshown>(
    `with ended as (
       select tenant, id, payload, reason from job
       where kind = $1 and state = 'not-reviewed' and result is null
         and ended_at > now() - interval '1 hour'
         and not exists (select 1 from shown where shown.tenant = job.tenant and shown.job = job.id)
       limit 20
     ), taken as (
       insert into shown (tenant, job) select tenant, id from ended on conflict do nothing returning tenant, job
     )
     select ended.tenant, ended.payload, ended.reason from ended
     join taken on taken.tenant = ended.tenant and taken.job = ended.id`,
    [kind],
  )
}
