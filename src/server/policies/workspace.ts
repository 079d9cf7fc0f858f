/**
 * Which repositories of a tenant are one another's workspace, by the operator's policy alone. Never one of another tenant, one that
 * is not reviewed, or one that the App may no longer read.
 */
import { matchGlobs, type PathMatcher } from '../../base/globs.ts'
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
  const words = all.map(({ connection, fullName: repository }) =>
    wordOf(settings, { tenant, connection, repository }),
  )
  return all.filter(({ fullName }, at) =>
    words.some((word, own) => own !== at && isNamedBy(word, fullName, () => words[at] ?? false)),
  )
}

/** Whether a review of `scope` looks into this one, if it is reviewed at all. */
export function isMemberOf(settings: PolicySettings, scope: RepositoryScope, member: MemberName): boolean {
  return isMemberFor(settings, scope)(member)
}

type MemberName = Pick<WorkspaceMember, 'connection' | 'fullName'>

function isMemberFor(settings: PolicySettings, scope: RepositoryScope): (member: MemberName) => boolean {
  const word = wordOf(settings, scope)
  return ({ connection, fullName: repository }) => {
    if (connection === scope.connection && repository === scope.repository) return false
    return isNamedBy(word, repository, () => wordOf(settings, { ...scope, connection, repository }))
  }
}

type Word = boolean | PathMatcher

function wordOf(settings: PolicySettings, scope: RepositoryScope): Word {
  const { workspace } = effectivePolicy(settings, scope).policy
  return typeof workspace === 'boolean' ? workspace : matchGlobs(workspace)
}

/** `true` is for all that say so; a list is the operator's word on those that it names. */
function isNamedBy(word: Word, fullName: string, own: () => Word): boolean {
  return typeof word === 'function' ? word(fullName) : word && own() === true
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
