/** Repositories and installations that a server knows of a tenant. */
import { readdirSync } from 'node:fs'
import { isAnyIndexed } from '../../assembly/warm-indexes.ts'
import { readWorkspaceGraph } from '../../assembly/workspace/graph.ts'
import { defaultSettings } from '../../config/settings/schema.ts'
import { addressesOf } from '../connections/host-addresses.ts'
import type { Database } from '../database/contract.ts'
import { namesWithin } from '../http/caller.ts'
import { Refused } from '../http/contract.ts'
import { placesOf } from '../jobs/places.ts'
import { workspacesOf } from '../policies/workspace.ts'
import type { ServerSettings } from '../settings/schema.ts'
import { recordChange } from './audit.ts'
import { numberIn } from './cursors.ts'
import type { Handlers } from './routes.ts'

/** As runs name it. */
export function hostOf({ connections }: ServerSettings, name: string): string {
  const connection = connections[name]
  return connection ? new URL(addressesOf(connection).webUrl).host : name
}

type RepositoryRow = {
  id: string
  name: string
  isPrivate: boolean
  isEnabled: boolean
  runs: number
  lastRunAt: string | null
}

const repositoryColumns = `r.connection || '/' || r.id as id, r.full_name as name, r.is_private as "isPrivate",
  r.is_enabled as "isEnabled", coalesce(c.runs, 0) as runs, c.last_run_at as "lastRunAt"`

type InstallationRow = {
  connection: string
  account: string
  state: 'active' | 'suspended' | 'removed'
  seenAt: Date
  repositories: number
}

export function repositoryHandlers({
  database,
  settings,
  data,
}: {
  database: Database
  settings: ServerSettings
  /** The server's data folder. */
  data: string
}): Pick<Handlers, 'repositories' | 'changeRepository' | 'installations' | 'workspace'> {
  return {
    async repositories({ caller, query: { text = '', cursor = '', limit } }) {
      const connections = Object.keys(settings.connections)
      const rows = await database.query<RepositoryRow>(
        `select ${repositoryColumns} from repository r
           left join unnest($5::text[], $6::text[]) as h (connection, host) on h.connection = r.connection
           left join run_repository c
             on c.tenant = r.tenant and c.repository = coalesce(h.host, r.connection) || '/' || r.full_name
         where r.tenant = $1 and strpos(lower(r.full_name), lower($2)) > 0
           and r.full_name || ' ' || r.connection || '/' || r.id > $3
           and ($7::text[] is null or coalesce(h.host, r.connection) || '/' || r.full_name = any($7::text[]))
         order by r.full_name || ' ' || r.connection || '/' || r.id limit $4`,
        [
          ...[caller.tenant, text, cursor, limit + 1],
          ...[connections, connections.map((name) => hostOf(settings, name)), namesWithin(caller)],
        ],
      )
      const { cacheOwn } = placesOf(data, caller.tenant)
      // Workers on other machines keep theirs to themselves.
      const seesIndexes = readdirSync(cacheOwn).length > 0
      const items = rows.slice(0, limit).map((row) => {
        const label = `${hostOf(settings, row.id.split('/')[0] ?? '')}/${row.name}`
        return { ...row, isIndexed: seesIndexes ? isAnyIndexed(label, cacheOwn) : null }
      })
      const last = items.at(-1)
      return { items, next: rows.length > limit && last ? `${last.name} ${last.id}` : null }
    },

    async changeRepository({ caller, parameters: { connection = '', id = '' }, body: { isEnabled } }) {
      return await database.transaction(async (queries) => {
        const [changed] = await queries.query<RepositoryRow>(
          `update repository r set is_enabled = $4 where tenant = $1 and connection = $2 and id = $3
           returning connection || '/' || id as id, full_name as name, is_private as "isPrivate",
             is_enabled as "isEnabled", 0 as runs, null as "lastRunAt"`,
          [caller.tenant, connection, id, isEnabled],
        )
        if (!changed) throw new Refused(404, 'There is no such repository.')
        await recordChange(queries, caller, {
          action: 'repository.update',
          target: changed.name,
          detail: { isEnabled },
        })
        return { ...changed, isIndexed: null }
      })
    },

    async workspace({ caller }) {
      const [members, within] = [await workspacesOf(database, settings, caller.tenant), namesWithin(caller)]
      const seen = members.filter(
        ({ connection, fullName }) =>
          within === null || within.includes(`${hostOf(settings, connection)}/${fullName}`),
      )
      const hosts = Object.entries(settings.connections).map(([name, connection]) => {
        const { webUrl: url, apiUrl } = addressesOf(connection)
        return [name, { kind: connection.kind, url, apiUrl }] as const
      })
      return await readWorkspaceGraph({
        settings: {
          ...defaultSettings,
          hosts: Object.fromEntries(hosts),
          workspace: { ...defaultSettings.workspace, repositories: seen.map(({ address }) => address) },
        },
        environment: {},
        folders: { cache: placesOf(data, caller.tenant).fetchedOwn },
      })
    },

    async installations({ caller, query: { cursor, limit } }) {
      const after = numberIn(cursor) ?? 0
      const rows = await database.query<InstallationRow>(
        `select i.connection, i.account, i.state, i.seen_at as "seenAt",
           (select count(*)::int from repository r
            where r.tenant = i.tenant and r.connection = i.connection and r.installation = i.id) as repositories
         from installation i where i.tenant = $1 order by i.connection, i.id offset $2 limit $3`,
        [caller.tenant, after, limit + 1],
      )
      const items = rows.slice(0, limit).map(({ seenAt, ...row }) => ({
        ...row,
        kind: settings.connections[row.connection]?.kind ?? 'removed',
        seenAt: seenAt.toISOString(),
      }))
      return { items, next: rows.length > limit ? String(after + limit) : null }
    },
  }
}
