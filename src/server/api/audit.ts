/** Who changed what, by tenant. Entries are only added. */
import type { Queries } from '../database/contract.ts'
import type { Caller } from '../http/caller.ts'
import type { AuditEntry, AuditPage } from './contract/operation.ts'

export type Audited = Pick<AuditEntry, 'action' | 'target'> & { detail?: Record<string, unknown> }

/** In the transaction of the change itself, where there is one. */
export async function recordChange(
  queries: Queries,
  { tenant, kind, name }: Pick<Caller, 'tenant' | 'kind' | 'name'>,
  { action, target, detail = {} }: Audited,
): Promise<void> {
  await queries.query(
    `insert into audit_entry (tenant, actor_kind, actor_name, action, target, detail)
     values ($1, $2, $3, $4, $5, $6::jsonb)`,
    [tenant, kind, name, action, target, JSON.stringify(detail)],
  )
}

type Row = {
  id: number
  at: Date
  kind: AuditEntry['actor']['kind']
  name: string
  action: string
  target: string
  detail: Record<string, unknown>
}

/** Newest first, those with a smaller number than `before`. */
export async function listChanges(
  queries: Queries,
  tenant: string,
  before: number | null,
  limit: number,
): Promise<AuditPage> {
  const rows = await queries.query<Row>(
    `select id, at, actor_kind as kind, actor_name as name, action, target, detail from audit_entry
     where tenant = $1 and ($2::bigint is null or id < $2) order by id desc limit $3`,
    [tenant, before, limit + 1],
  )
  const items = rows.slice(0, limit).map(({ id, at, kind, name, ...rest }) => ({
    id: String(id),
    at: at.toISOString(),
    actor: { kind, name },
    ...rest,
  }))
  return { items, next: rows.length > limit ? (items.at(-1)?.id ?? null) : null }
}
