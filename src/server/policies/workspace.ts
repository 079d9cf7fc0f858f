/**
 * Which repositories of a tenant are one another's workspace, by the operator's policy alone. Never one of another tenant, one that
 * is not reviewed, or one that the App may no longer read.
 */
import { matchGlobs } from '../../base/globs.ts'
import { repositoryUrl } from '../../hosts/remote/facts.ts'
import { addressesOf } from '../connections/host-addresses.ts'
import type { Queries } from '../database/contract.ts'
import type { ServerSettings } from '../settings/schema.ts'
import { effectivePolicy } from './effective.ts'

type PolicySettings = Pick<ServerSettings, 'policy' | 'budget' | 'tenants' | 'connections'>

/** `id`: the host's own. `address`: in a browser. `quietMs`: since something was heard of its change requests. */
export type WorkspaceMember = {
  connection: string
  id: string
  installation: string | null
  fullName: string
  address: string
  quietMs: number
}

export type RepositoryScope = { tenant: string; connection: string; repository: string }

/** Those that a review of `scope` looks into, in order of their names. */
export async function workspaceOf(
  database: Queries,
  settings: PolicySettings,
  scope: RepositoryScope,
): Promise<WorkspaceMember[]> {
  if (effectivePolicy(settings, scope).policy.workspace === false) return []
  const all = await repositoriesOf(database, settings, scope.tenant)
  return all.filter(isMemberFor(settings, scope))
}

/** Those that some review of the tenant looks into. */
export async function workspacesOf(
  database: Queries,
  settings: PolicySettings,
  tenant: string,
): Promise<WorkspaceMember[]> {
  const all = await repositoriesOf(database, settings, tenant)
  const words = all.map(({ connection, fullName: repository }) => {
    const { workspace } = effectivePolicy(settings, { tenant, connection, repository }).policy
    return Array.isArray(workspace) ? matchGlobs(workspace) : workspace
  })
  const share = words.filter((word) => word === true).length
  return all.filter(({ fullName }, own) => {
    const isShared = words[own] === true && share > 1
    return isShared || words.some((word, at) => at !== own && typeof word === 'function' && word(fullName))
  })
}

/** Whether a review of `scope` looks into this one, if it is reviewed at all. */
export function isMemberOf(settings: PolicySettings, scope: RepositoryScope, member: MemberName): boolean {
  return isMemberFor(settings, scope)(member)
}

type MemberName = Pick<WorkspaceMember, 'connection' | 'fullName'>

/** `true` is for all that say so; a list is the operator's word on those that it names. */
function isMemberFor(settings: PolicySettings, scope: RepositoryScope): (member: MemberName) => boolean {
  const { workspace } = effectivePolicy(settings, scope).policy
  if (workspace === false) return () => false
  const isNamed = workspace === true ? null : matchGlobs(workspace)
  return ({ connection, fullName: repository }) => {
    if (connection === scope.connection && repository === scope.repository) return false
    if (isNamed) return isNamed(repository)
    return effectivePolicy(settings, { ...scope, connection, repository }).policy.workspace === true
  }
}

async function repositoriesOf(
  database: Queries,
  settings: PolicySettings,
  tenant: string,
): Promise<WorkspaceMember[]> {
  const rows = await database.query<Omit<WorkspaceMember, 'address'>>(
    `select r.connection, r.id, r.installation, r.full_name as "fullName",
       extract(epoch from now() - r.seen_at)::float8 * 1000 as "quietMs"
     from repository r
     left join installation i on i.connection = r.connection and i.id = r.installation
     where r.tenant = $1 and r.is_enabled
       and (r.installation is null or (i.tenant = r.tenant and i.state = 'active'))
     order by r.full_name, r.connection`,
    [tenant],
  )
  return rows.flatMap((row) => {
    const connection = settings.connections[row.connection]
    const scope = { tenant, connection: row.connection, repository: row.fullName }
    if (!connection || effectivePolicy(settings, scope).offBy !== null) return []
    const [name = '', ...owner] = row.fullName.split('/').toReversed()
    const { webUrl } = addressesOf(connection)
    return [
      { ...row, address: repositoryUrl({ kind: connection.kind, webUrl, owner: owner.toReversed(), name }) },
    ]
  })
}
