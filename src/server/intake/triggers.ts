/** What asked for a review, and the one visible state that it ends in. */
import { randomUUID } from 'node:crypto'
import { redactText } from '../../base/secrets/redact.ts'
import type { ReviewItem } from '../api/contract/operation.ts'
import type { Parameter, Queries } from '../database/contract.ts'
import type { TriggerKind } from '../jobs/contract.ts'

export type NewTrigger = {
  tenant: string
  connection: string
  /** The host's id, and the name it has now. */
  repository: { id: string; name: string }
  number: number
  kind: TriggerKind
  askedBy: string | null
  head: string | null
  /** What its author called the change; foreign. Absent where nobody asked the host. */
  title?: string
  receivedAt: Date
  /** For people: `review at depth auto`, `skipped: draft, by the policy of acme`. */
  decision: string
  /** The job that its state is that of; null when it ended here. */
  job: number | null
  /** It made this job, and what the job costs counts once, for this trigger. */
  ownsJob: boolean
  holdUsd: number
  /** Only of one that ended here. */
  ended: { state: TriggerState; reason: string } | null
}

/** `waiting` until the job has an outcome. */
export type TriggerState = 'waiting' | 'reviewed' | 'partly' | 'not-reviewed' | 'superseded' | 'skipped'

export function newTriggerId(): string {
  return randomUUID()
}

/** Characters. */
const longestTitle = 500

export async function storeTrigger(queries: Queries, id: string, trigger: NewTrigger): Promise<void> {
  const { tenant, connection, repository, number, kind, askedBy, head, receivedAt } = trigger
  const { decision, job, ownsJob, holdUsd, ended, title } = trigger
  const values: Parameter[] = [
    ...[id, tenant, connection, repository.id, repository.name, number, kind, askedBy, head],
    ...[receivedAt, decision, job, ownsJob, holdUsd, ended?.state ?? null, ended?.reason ?? null],
    title === undefined ? null : redactText(title).slice(0, longestTitle),
  ]
  await queries.query(
    `insert into review_trigger (id, tenant, connection, repository, repository_name, number, kind, asked_by,
       head, received_at, decision, job, owns_job, hold_usd, state, reason, title)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`,
    values,
  )
}

const columns = `t.id, t.repository_name, t.number, t.kind, t.asked_by,
  coalesce(j.result->>'head', t.head) as head, t.received_at, t.decision,
  case when j.state in ('queued', 'running') then 'waiting' else coalesce(j.state, t.state, 'not-reviewed') end as state,
  coalesce(j.result->>'reason', t.reason) as reason, j.reason as detail, j.result->>'run' as run,
  case when t.owns_job then (select sum(s.usd) from spending s where s.tenant = t.tenant and s.job = t.job) end as usd`

const source = 'review_trigger t left join job j on j.tenant = t.tenant and j.id = t.job'

type TriggerRow = {
  id: string
  repository_name: string
  number: number
  kind: string
  asked_by: string | null
  head: string | null
  received_at: Date
  decision: string
  state: TriggerState
  reason: string | null
  detail: string | null
  usd: number | null
  run: string | null
}

/** Of one tenant, the newest first. `repositories`: `connection/name` of those that may be shown; null: all. */
export async function listTriggers(
  queries: Queries,
  tenant: string,
  { offset, limit }: { offset: number; limit: number },
  repositories: readonly string[] | null,
): Promise<ReviewItem[]> {
  const rows = await queries.query<TriggerRow>(
    `select ${columns} from ${source}
     where t.tenant = $1 and ($4::text[] is null or t.connection || '/' || t.repository_name = any($4::text[]))
     order by t.received_at desc, t.id offset $2 limit $3`,
    [tenant, offset, limit, repositories],
  )
  return rows.map(shown)
}

/** Null for one that does not exist or is another tenant's. */
export async function readTrigger(
  queries: Queries,
  tenant: string,
  id: string,
  repositories: readonly string[] | null,
): Promise<ReviewItem | null> {
  const rows = await queries.query<TriggerRow>(
    `select ${columns} from ${source} where t.tenant = $1 and t.id::text = $2
       and ($3::text[] is null or t.connection || '/' || t.repository_name = any($3::text[]))`,
    [tenant, id, repositories],
  )
  return rows[0] ? shown(rows[0]) : null
}

function shown({ repository_name, asked_by, received_at, usd, ...row }: TriggerRow): ReviewItem {
  return {
    ...row,
    repository: repository_name,
    askedBy: asked_by,
    receivedAt: received_at.toISOString(),
    usd: usd === null ? null : Number(usd),
  }
}
