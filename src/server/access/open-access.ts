/**
 * What each role of a job may use: a token of the host for one repository to the collector and the publisher, the tokens of
 * trackers to the collector, the keys of models to the analyzer, and to no role anything else.
 */
import { stringify } from 'yaml'
import { UserError } from '../../base/errors.ts'
import { loadSettings } from '../../config/settings/load.ts'
import type { Settings } from '../../config/settings/schema.ts'
import { trackersFor, trackerTokens } from '../../hosts/trackers/registry.ts'
import { agreeByPolicy } from '../../llm/agreement.ts'
import { knownProviders } from '../../llm/routes/find-providers.ts'
import type { HostConnection } from '../connections/connections.ts'
import { markerKeysFor } from '../connections/marker-keys.ts'
import type { Database } from '../database/contract.ts'
import type { OpenAccess } from '../jobs/contract.ts'
import type { WorkspaceSource } from '../jobs/workspaces.ts'
import { effectivePolicy } from '../policies/effective.ts'
import { gateOf, readOpened } from '../policies/gate.ts'
import { readAllowance } from '../policies/spending.ts'
import { type WorkspaceMember, workspaceOf, workspacesOf } from '../policies/workspace.ts'
import type { ServerSettings } from '../settings/schema.ts'

export type AccessParts = {
  database: Database
  settings: ServerSettings
  connections: ReadonlyMap<string, HostConnection>
  secretKey: string
  /** Where the operator's settings for models and their keys are. */
  environment: NodeJS.ProcessEnv
  now: () => Date
}

/** The variable that the roles find the token of the host in. */
const tokenName = 'SIGHTLINE_HOST_TOKEN'

/** How long the host's word on rights is believed, and how long a job waits for it. */
const believedMs = 10 * 60_000
const patienceMs = 5_000

export function makeOpenAccess(parts: AccessParts): OpenAccess {
  const lacksOf = openLacks(parts)
  return async (tenant, job, signal) => {
    const { connections, database, environment, secretKey } = parts
    const connection = connections.get(job.connection)
    const { repository, installation } = job
    if (!connection) throw new UserError('host-unknown', `the connection ${job.connection} was removed`)
    const id = repository.id ?? ''
    // An account that took the App away, or whose tenant is another now, gets nothing.
    if ((await connection.tenantOf(installation, signal)) !== tenant)
      throw new UserError('host-refused', 'the App is not installed there any more')
    const [collect, publish, { settings }, markers, lacks] = await Promise.all([
      connection.open({ installation, id }, 'collect', signal),
      connection.open({ installation, id }, 'publish', signal),
      loadSettings(environment),
      markerKeysFor({ secretKey, connection, tenant, repository: id }),
      lacksOf(connection, { installation, repositories: [repository.name] }, signal),
    ])
    const { webUrl: url, apiUrl, kind, host } = connection
    const trackers = trackersFor(settings.trackers, `${host}/${repository.name}`)
    const scope = { tenant, connection: job.connection, repository: repository.name }
    const { budgets, policy } = effectivePolicy(parts.settings, scope)
    const members = await workspaceOf(database, parts.settings, scope)
    const gate = gateOf(policy.gate, parts.now())
    const opened = gate && (await readOpened(database, { ...scope, repository: id, number: job.number }))
    const serverUrl = parts.settings.url
    const spending = { ...scope, repository: id, trigger: job.trigger.id }
    const { leftUsd } = await database.transaction((queries) =>
      readAllowance(queries, budgets, spending, parts.now()),
    )
    return {
      settings: stringify({
        ...settings,
        models: agreeByPolicy(settings.models, policy.depth),
        trackers,
        // Programs and addresses of the operator are not for the changes of many tenants.
        mcp: { servers: {} },
        workspace: workspaceSettings(members, policy.sharedReaders),
        hosts: {
          [job.connection]: { kind, url, apiUrl, token: tokenName },
          ...hostsBeside(connection, members, connections),
        },
      }),
      secrets: {
        collector: { ...named(trackerTokens(trackers), environment), ...tokenOf(collect.token) },
        analyzer: modelKeys(settings, environment),
        publisher: {
          ...tokenOf(publish.token),
          SIGHTLINE_MARKER_KEYS: markers.keys.join(','),
          SIGHTLINE_MARKER_LEGACY: markers.legacy,
        },
      },
      ...{ allowanceUsd: leftUsd, lacks },
      ...(gate ? { gate } : {}),
      ...(opened ? { opened } : {}),
      ...(serverUrl === undefined ? {} : { url: serverUrl }),
    }
  }
}

/** The operator's own repositories are for no tenant. What is kept of the tenant's is read, without a token for them. */
function workspaceSettings(
  members: readonly WorkspaceMember[],
  sharedReaders: boolean,
): Settings['workspace'] {
  return { repositories: members.map(({ address }) => address), sharedReaders, offline: true }
}

/** Other hosts, so that their addresses are known; no token is for them. */
function hostsBeside(
  { webUrl }: HostConnection,
  members: readonly WorkspaceMember[],
  connections: AccessParts['connections'],
): Settings['hosts'] {
  return Object.fromEntries(
    members.flatMap(({ connection: name }) => {
      const other = connections.get(name)
      if (!other || other.webUrl === webUrl) return []
      return [[name, { kind: other.kind, url: other.webUrl, apiUrl: other.apiUrl }]]
    }),
  )
}

/** What the background may use to fetch the repositories of workspaces: for each a token of its own. */
export function makeWorkspaceSource({ database, settings, connections }: AccessParts): WorkspaceSource {
  const listOf = (tenant: string) => workspacesOf(database, settings, tenant)
  return {
    async list() {
      const tenants = await database.query<{ tenant: string }>('select distinct tenant from repository')
      return new Map(
        await Promise.all(tenants.map(async ({ tenant }) => [tenant, await listOf(tenant)] as const)),
      )
    },
    async open(tenant, { connection: name, id, installation }, signal) {
      const connection = connections.get(name)
      if (!connection) throw new UserError('host-unknown', `the connection ${name} was removed`)
      const members = await listOf(tenant)
      const { kind, webUrl: url, apiUrl } = connection
      const hosts = {
        [name]: { kind, url, apiUrl, token: tokenName },
        ...hostsBeside(connection, members, connections),
      }
      return {
        settings: stringify({ hosts, workspace: workspaceSettings(members, false) }),
        secrets: tokenOf(await memberToken(connection, { tenant, id, installation }, signal)),
      }
    },
  }
}

/** Null where there is none any more: then the host says what everybody may read, and the rest is removed. */
async function memberToken(
  connection: HostConnection,
  { tenant, id, installation }: { tenant: string; id: string; installation: string | null },
  signal: AbortSignal,
): Promise<string | null> {
  if ((await connection.tenantOf(installation, signal)) !== tenant) return null
  try {
    return (await connection.open({ installation, id }, 'collect', signal)).token
  } catch (error) {
    if (error instanceof UserError && error.code !== 'host-unavailable') return null
    throw error
  }
}

/** In words; nothing where the host does not tell in time, since the review says what it could not do. */
function openLacks({ now }: AccessParts) {
  const known = new Map<string, { lacks: string[]; until: number }>()
  return async (
    connection: HostConnection,
    about: { installation: string | null; repositories: string[] },
    signal: AbortSignal,
  ): Promise<string[]> => {
    const key = JSON.stringify([connection.name, about])
    const held = known.get(key)
    const at = now().getTime()
    if (held && held.until > at) return held.lacks
    for (const [other, { until }] of known) if (until <= at) known.delete(other)
    const limited = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
    try {
      const missing = await connection.missingRights(about, limited)
      const lacks = missing.map(({ right, without }) => `${right}: ${without}`)
      known.set(key, { lacks, until: at + believedMs })
      return lacks
    } catch {
      signal.throwIfAborted()
      return []
    }
  }
}

function tokenOf(token: string | null): Record<string, string> {
  return token === null ? {} : { [tokenName]: token }
}

/** Only those that a provider reads. */
function modelKeys(settings: Settings, environment: NodeJS.ProcessEnv): Record<string, string> {
  const { models, embedding, rerank } = settings
  const names = [
    ...Object.values(models.providers).map(({ keyFrom }) => keyFrom),
    embedding?.keyFrom,
    rerank?.keyFrom,
    ...knownProviders.flatMap(({ signs, baseUrlFrom, regionFrom = [], resourceNameFrom }) => [
      ...signs.flat(),
      ...regionFrom,
      baseUrlFrom,
      resourceNameFrom,
    ]),
    ...searchKeys,
  ]
  return named(
    names.filter((name) => name !== undefined),
    environment,
  )
}

/** These variables, as far as they are set. */
function named(names: readonly string[], environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    [...new Set(names)].flatMap((name) => (environment[name] ? [[name, environment[name]] as const] : [])),
  )
}

/** Of embedders and rerankers. */
const searchKeys = ['VOYAGE_API_KEY', 'CO_API_KEY', 'COHERE_API_KEY']
