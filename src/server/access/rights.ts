/** What a person may do: by tenant, and in it by repository where the host says so. */
import { z } from 'zod'
import { matchGlobs } from '../../base/globs.ts'
import { Role } from '../api/contract/operation.ts'
import { addressesOf } from '../connections/host-addresses.ts'
import type { Queries } from '../database/contract.ts'
import type { ServerSettings } from '../settings/schema.ts'
import type { Allowed } from './sign-in/contract.ts'

export const TenantRights = z.object({
  /** For what belongs to the tenant as a whole. */
  role: Role,
  /** By name (`github.com/owner/name`); null: `role` in all. Those that are missing do not exist for this person. */
  repositories: z.record(z.string(), Role).nullable(),
})
export type TenantRights = z.infer<typeof TenantRights>

/** By tenant. Without any, somebody may not sign in. */
export const Rights = z.record(z.string(), TenantRights)
export type Rights = z.infer<typeof Rights>

type RepositoryRow = { tenant: string; connection: string; id: string; name: string }

/** The roles from least to most. */
const ranks: readonly Role[] = Role.options

export async function rightsOf(
  database: Queries,
  settings: Pick<ServerSettings, 'connections'>,
  allowed: Allowed,
): Promise<Rights> {
  if (allowed.by === 'grants' && allowed.grants.length === 0) return {}
  const tenants = allowed.by === 'grants' ? allowed.grants.map(({ tenant }) => tenant) : null
  const rows = await database.query<RepositoryRow>(
    `select tenant, connection, id, full_name as name from repository
     where ${tenants ? 'tenant = any($1::text[])' : `tenant in (select tenant from repository where connection = $1)`}`,
    [tenants ?? (allowed.by === 'repositories' ? allowed.connection : '')],
  )
  const hosts = new Map(
    Object.entries(settings.connections).map(([name, connection]) => [
      name,
      new URL(addressesOf(connection).webUrl).host,
    ]),
  )
  const byTenant = Map.groupBy(rows, ({ tenant }) => tenant)
  const rights: Rights = {}
  for (const tenant of new Set([...byTenant.keys(), ...(tenants ?? [])])) {
    const own = byTenant.get(tenant) ?? []
    const found =
      allowed.by === 'grants' ? grantedIn(tenant, own, allowed.grants, hosts) : hostedIn(own, allowed, hosts)
    if (found) rights[tenant] = found
  }
  return rights
}

type Hosts = ReadonlyMap<string, string>

function nameOf({ connection, name }: RepositoryRow, hosts: Hosts): string {
  return `${hosts.get(connection) ?? connection}/${name}`
}

/**
 * Of the tenant as a whole, somebody may do what they may do in each of its repositories: the owners of an organization
 * administer all of them. Whoever may read some of them sees the tenant, and no more.
 */
function hostedIn(
  rows: readonly RepositoryRow[],
  { connection, roles }: Extract<Allowed, { by: 'repositories' }>,
  hosts: Hosts,
): TenantRights | null {
  const held = rows.map((row) => (row.connection === connection ? roles.get(row.id) : undefined))
  const repositories = Object.fromEntries(
    rows.flatMap((row, at) => (held[at] ? [[nameOf(row, hosts), held[at]] as const] : [])),
  )
  if (Object.keys(repositories).length === 0) return null
  const least = held.reduce<number>(
    (rank, role) => Math.min(rank, role ? ranks.indexOf(role) : 0),
    ranks.length - 1,
  )
  return { role: ranks[least] ?? 'viewer', repositories }
}

/** The most that any value of the claim gives. */
function grantedIn(
  tenant: string,
  rows: readonly RepositoryRow[],
  grants: Extract<Allowed, { by: 'grants' }>['grants'],
  hosts: Hosts,
): TenantRights | null {
  const own = grants.filter((grant) => grant.tenant === tenant)
  const most = (roles: readonly (Role | null)[]) => ranks.findLast((role) => roles.includes(role)) ?? null
  const whole = most(own.filter(({ repositories }) => repositories === null).map(({ role }) => role))
  const parts = own.flatMap(({ role, repositories }) =>
    repositories === null ? [] : [{ role, covers: matchGlobs(repositories) }],
  )
  if (parts.length === 0) return whole && { role: whole, repositories: null }
  const named = rows.flatMap((row) => {
    const role = most([whole, ...parts.map((part) => (part.covers(row.name) ? part.role : null))])
    return role ? [[nameOf(row, hosts), role] as const] : []
  })
  if (whole === null && named.length === 0) return null
  return { role: whole ?? 'viewer', repositories: Object.fromEntries(named) }
}
