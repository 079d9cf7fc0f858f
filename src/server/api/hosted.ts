/** The API of a server: what its database and its run stores know, of the tenant of whoever asks and of nobody else. */

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isAnyIndexed } from '../../assembly/warm-indexes.ts'
import { packageRoot } from '../../base/package-root.ts'
import { loadSettings } from '../../config/settings/load.ts'
import type { LedgerStore } from '../../ledger/contract.ts'
import type { Catalog } from '../../storage/catalog/contract.ts'
import { describeRun } from '../../storage/catalog/describe-run.ts'
import { openSqlCatalog } from '../../storage/catalog/sql-catalog.ts'
import { openSqlGraph } from '../../storage/catalog/sql-graph.ts'
import { syncCatalog } from '../../storage/catalog/sync.ts'
import type { RunStore } from '../../storage/runs/contract.ts'
import { openRunStore } from '../../storage/runs/registry.ts'
import { openStoredRun } from '../../storage/runs/stored-run.ts'
import { Sessions } from '../access/sessions.ts'
import { openSignInFlows } from '../access/sign-in/registry.ts'
import { signInRoutes } from '../access/sign-in/routes.ts'
import { agentHome } from '../agents/home.ts'
import { agentRoute } from '../agents/route.ts'
import { addressesOf } from '../connections/connections.ts'
import type { Sealer } from '../connections/sealed-secrets.ts'
import type { Database } from '../database/contract.ts'
import { makeToken } from '../http/access.ts'
import { assetRoutes } from '../http/asset-routes.ts'
import { Refused, type Route } from '../http/contract.ts'
import { sessionCookies } from '../http/cookies.ts'
import type { DeliveryWriter } from '../intake/deliveries.ts'
import { ReviewJob, reviewKind } from '../jobs/contract.ts'
import { placesOf } from '../jobs/places.ts'
import { JobProgress } from '../jobs/progress.ts'
import { openSqlLedger } from '../ledger/sql-ledger.ts'
import type { Log } from '../log.ts'
import { effectivePolicy } from '../policies/effective.ts'
import { readSpent } from '../policies/spending.ts'
import { openQueue } from '../queue/sql-queue.ts'
import { whyJobsWait } from '../queue/why-waits.ts'
import type { Secrets } from '../settings/load.ts'
import type { ServerSettings } from '../settings/schema.ts'
import { listChanges, recordChange } from './audit.ts'
import { type Caller, namesWithin } from './caller.ts'
import type { ApiToken, QueueItem, QueueState } from './contract/operation.ts'
import { syncOutcomes } from './fresh-catalog.ts'
import { HostedAdmission } from './hosted-admission.ts'
import { hostedConversations } from './hosted-conversations.ts'
import { liveQueue } from './live-queue.ts'
import { openapiRoute } from './openapi.ts'
import { apiV1Routes, type Handlers } from './routes.ts'
import { type RunHome, runHandlers } from './run-handlers.ts'
import { settingsInForce } from './views/settings.ts'

export type HostedParts = {
  database: Database
  settings: ServerSettings
  /** Of sign-in providers. */
  clientSecrets: Secrets['clientSecrets']
  sealer: Sealer
  environment: NodeJS.ProcessEnv
  /** The server's data folder. */
  data: string
  /** What agents ask to be reviewed goes there; not given where nothing can be queued. */
  writer?: Pick<DeliveryWriter, 'write'>
  log: Log
  /** For what is a bug of ours. */
  onFailure?: (where: string, error: unknown) => void
  now: () => Date
}

export function hostedRoutes(parts: HostedParts): Route[] {
  const { database, settings, log, now } = parts
  const flows = openSignInFlows({ settings, secrets: parts })
  const sessions = new Sessions({ database, settings, sealer: parts.sealer, flows, log })
  const cookies = sessionCookies(settings.url ?? null)
  const nameOf = async (tenant: string, connection: string, id: string) => {
    const [found] = await database.query<{ name: string }>(
      'select full_name as name from repository where tenant = $1 and connection = $2 and id = $3',
      [tenant, connection, id],
    )
    return found ? `${hostOf(settings, connection)}/${found.name}` : null
  }
  const admission = new HostedAdmission({ database, sessions, flows, cookies, nameOf })
  const stores = new Map<string, ReturnType<typeof tenantRuns>>()
  const failed = (route: string, error: unknown) => {
    log.error('route-failed', { route, why: error instanceof Error ? error.message : String(error) })
    parts.onFailure?.(route, error)
  }
  const refreshedAt = new Map<string, number>()
  const homeOf = async (tenant: string) => {
    const opening = stores.get(tenant) ?? tenantRuns(parts, tenant)
    stores.set(tenant, opening)
    const [{ runs, telemetry }, catalog] = [await opening, openSqlCatalog(database, tenant)]
    if (now().getTime() - (refreshedAt.get(tenant) ?? 0) > refreshMs) {
      refreshedAt.set(tenant, now().getTime())
      // Whoever asks does not wait for it: runs are put in when they end, and this finds what was missed.
      refresh(runs, openSqlLedger(database, tenant), catalog).catch((error: unknown) =>
        failed('catalog', error),
      )
    }
    return { catalog, runs, telemetry }
  }
  const handlers: Partial<Handlers> = {
    ...runHandlers(homeOf, now),
    ...admission.handlers(),
    ...operationHandlers(parts),
    ...hostedConversations({ ...parts, queue: openQueue(database) }),
  }
  return [
    openapiRoute(),
    ...signInRoutes({ flows, sessions, cookies, sealer: parts.sealer, log }),
    ...apiV1Routes(handlers, admission, failed),
    agentRoute({
      admission,
      url: settings.url ?? null,
      homeOf: (caller) =>
        agentHome(
          {
            ...{ database, homeOf, writer: parts.writer ?? null },
            catalogOf: (tenant) => openSqlCatalog(database, tenant),
            graphOf: (tenant) => openSqlGraph(database, tenant),
            ledgerOf: (tenant) => openSqlLedger(database, tenant),
            hostOf: (connection) => hostOf(settings, connection),
          },
          caller,
        ),
    }),
  ]
}

/** As runs name it. */
function hostOf({ connections }: ServerSettings, name: string): string {
  const connection = connections[name]
  return connection ? new URL(addressesOf(connection).webUrl).host : name
}

/** How often the catalog of a tenant that is looked at is compared with its runs and its ledger. */
const refreshMs = 60_000

async function refresh(runs: RunStore, ledger: LedgerStore, catalog: Catalog): Promise<void> {
  const { signal } = new AbortController()
  await syncCatalog(runs, catalog, signal)
  await syncOutcomes(ledger, catalog, signal)
}

/** Come after all other routes: they answer whatever no other does. */
export function dashboardRoutes(): Route[] {
  return assetRoutes(join(packageRoot, 'dashboard', 'dist'))
}

/** Where the analyzer of a tenant keeps its runs. */
async function tenantRuns(
  { environment, data }: Pick<HostedParts, 'environment' | 'data'>,
  tenant: string,
): Promise<Omit<RunHome, 'catalog'>> {
  const { settings } = await loadSettings(environment)
  const { state } = placesOf(data, tenant)
  const runs = await openRunStore(settings.journal, {
    environment: { ...environment, XDG_STATE_HOME: state },
    tenant,
  })
  return { runs, telemetry: settings.telemetry }
}

/** Puts the run of a job that ended into the catalog of its tenant. */
export async function catalogRun(
  parts: Pick<HostedParts, 'database' | 'environment' | 'data'>,
  tenant: string,
  run: string,
): Promise<void> {
  const { runs } = await tenantRuns(parts, tenant)
  const stored = await openStoredRun(runs, run)
  await openSqlCatalog(parts.database, tenant).put([await describeRun(stored)])
}

type JobRow = {
  id: number
  state: QueueItem['state']
  payload: unknown
  reason: string | null
  attempt: number
  run: string | null
  progress: unknown
  created_at: Date
  started_at: Date | null
  ended_at: Date | null
}

const jobColumns =
  "id, state, payload, reason, attempt, result->>'run' as run, progress, created_at, started_at, ended_at"

function operationHandlers({
  database,
  settings,
  environment,
  data,
  now,
}: HostedParts): Pick<
  Handlers,
  | ('queue' | 'queueEvents' | 'policy' | 'audit' | 'repositories' | 'changeRepository')
  | ('installations' | 'tokens' | 'makeToken' | 'endToken' | 'health')
> {
  const queueOf = async ({ tenant, repositories }: Caller): Promise<QueueState> => {
    const [active, ended, waits] = await Promise.all([
      database.query<JobRow>(
        `select ${jobColumns} from job where tenant = $1 and kind = $2 and state in ('queued', 'running')
         order by state desc, priority desc, id limit 200`,
        [tenant, reviewKind],
      ),
      database.query<JobRow>(
        `select ${jobColumns} from job where tenant = $1 and kind = $2 and ended_at is not null
         order by ended_at desc limit 20`,
        [tenant, reviewKind],
      ),
      whyJobsWait(database, tenant, reviewKind),
    ])
    let ahead = 0
    const items = [...active, ...ended]
      .map((row) => itemOf(row, row.state === 'queued' ? ahead++ : null, waits.get(row.id) ?? null))
      .filter(({ repository }) => repositories?.has(repository) ?? true)
    const count = (state: string) => items.filter((item) => item.state === state).length
    return { items, queued: count('queued'), running: count('running') }
  }
  return {
    queue: ({ caller }) => queueOf(caller),
    queueEvents: async ({ caller, signal }) => liveQueue(() => queueOf(caller), signal),

    async policy({ caller: { tenant, repositories }, query: { repository = '' } }) {
      if (repository !== '' && !isAmong(repository, repositories))
        throw new Refused(404, 'There is no such repository.')
      const of = { tenant, connection: '', repository }
      const { policy, sources, perReviewUsd, budgets } = effectivePolicy(settings, of)
      const operators = await loadSettings(environment)
      const spent = await Promise.all(
        budgets.map((rule) =>
          rule.scope === 'server'
            ? null
            : readSpent(database, { period: rule.period, scope: rule.scope }, of, now()),
        ),
      )
      return {
        // Of the operator's settings, what is no place of a key and no address of the inside.
        configuration: settingsInForce(
          operators.settings,
          'the settings of the operator',
          ({ path }) => ['money', 'limits', 'journal'].includes(path[0] ?? '') && !path.includes('s3'),
        ),
        policies: Object.entries(policy).map(([path, value]) => ({
          path,
          value: value ?? null,
          origin: Reflect.get(sources, path) as string,
        })),
        budgets: [
          ...(perReviewUsd === null
            ? []
            : [{ name: 'each review', period: 'review' as const, limitUsd: perReviewUsd, spentUsd: null }]),
          ...budgets.map(({ name, period, limitUsd }, at) => ({
            ...{ name, period, limitUsd },
            spentUsd: spent[at] ?? null,
          })),
        ],
      }
    },

    async audit({ caller, query: { cursor, limit } }) {
      return await listChanges(database, caller.tenant, numberIn(cursor), limit)
    },

    async repositories({ caller, query: { text = '', cursor = '', limit } }) {
      const names = namesWithin(caller)?.map((name) => name.slice(name.indexOf('/') + 1)) ?? null
      const rows = await database.query<RepositoryRow>(
        `select ${repositoryColumns} from repository r left join run_repository c
           on c.tenant = r.tenant and c.repository like '%/' || r.full_name
         where r.tenant = $1 and strpos(lower(r.full_name), lower($2)) > 0 and r.full_name > $3
           and ($5::text[] is null or r.full_name = any($5::text[]))
         order by r.full_name limit $4`,
        [caller.tenant, text, cursor, limit + 1, names],
      )
      const { cacheOwn } = placesOf(data, caller.tenant)
      // Workers on other machines keep theirs to themselves.
      const seesIndexes = readdirSync(cacheOwn).length > 0
      const items = rows.slice(0, limit).map((row) => {
        const label = `${hostOf(settings, row.id.split('/')[0] ?? '')}/${row.name}`
        return { ...row, isIndexed: seesIndexes ? isAnyIndexed(label, cacheOwn) : null }
      })
      return { items, next: rows.length > limit ? (items.at(-1)?.name ?? null) : null }
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

    async tokens({ caller, query: { cursor = '', limit } }) {
      const rows = await database.query<TokenRow>(
        `select ${tokenColumns} from api_token where tenant = $1 and hash > $2 order by hash limit $3`,
        [caller.tenant, cursor, limit + 1],
      )
      const items = rows.slice(0, limit).map(shownToken)
      return { items, next: rows.length > limit ? (rows[limit - 1]?.hash ?? null) : null }
    },

    async makeToken({ caller, body }) {
      return await database.transaction(async (queries) => {
        const token = await makeToken(queries, caller.tenant, { ...body, madeBy: caller.name })
        const [made] = await queries.query<TokenRow>(
          `select ${tokenColumns} from api_token where tenant = $1 order by made_at desc limit 1`,
          [caller.tenant],
        )
        if (!made) throw new Error('the token was not stored')
        const { name, scopes, days } = body
        await recordChange(queries, caller, {
          action: 'token.create',
          target: name,
          detail: { scopes, days },
        })
        return { token, made: shownToken(made) }
      })
    },

    async endToken({ caller, parameters: { id = '' } }) {
      await database.transaction(async (queries) => {
        const [gone] = await queries.query<{ name: string }>(
          'delete from api_token where tenant = $1 and left(hash, 16) = $2 returning name',
          [caller.tenant, id],
        )
        if (!gone) throw new Refused(404, 'There is no such token.')
        await recordChange(queries, caller, { action: 'token.revoke', target: gone.name })
      })
      return { done: true }
    },

    async health() {
      const [found] = await database.query<{ oldest: number | null }>(
        "select extract(epoch from now() - min(created_at))::float as oldest from job where state = 'queued'",
      )
      const isLate = (found?.oldest ?? 0) > lateSeconds
      return {
        state: isLate ? 'degraded' : 'ok',
        parts: [
          { name: 'database', state: 'ok', detail: database.kind },
          {
            name: 'queue',
            state: isLate ? 'degraded' : 'ok',
            detail: isLate ? 'a job has waited for more than ten minutes' : 'jobs are taken in time',
          },
        ],
      }
    },
  }
}

const lateSeconds = 600

/** `repository` without its host, as policies name it, or with it. */
function isAmong(repository: string, among: Caller['repositories']): boolean {
  return !among || [...among.keys()].some((name) => name === repository || name.endsWith(`/${repository}`))
}

function itemOf(row: JobRow, ahead: number | null, waits: string | null): QueueItem {
  const job = ReviewJob.safeParse(row.payload).data
  const progress = JobProgress.safeParse(row.progress).data
  return {
    id: String(row.id),
    state: row.state,
    repository: job ? `${job.repository.host}/${job.repository.name}` : '',
    change: job?.number ?? null,
    url: job?.address ?? null,
    trigger: job?.trigger.kind ?? '',
    createdAt: row.created_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    endedAt: row.ended_at?.toISOString() ?? null,
    stage: progress?.stage ?? null,
    progress: progress?.steps ? Math.min(1, progress.steps.done / Math.max(1, progress.steps.total)) : null,
    files: progress?.files ?? null,
    calls: progress?.calls ?? null,
    usd: progress?.usd ?? null,
    attempt: row.attempt,
    why: progress?.waits ?? waits ?? row.reason,
    ahead,
    run: row.run,
  }
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

type TokenRow = {
  hash: string
  name: string
  scopes: string
  made_at: Date
  expires_at: Date | null
  last_used_at: Date | null
  made_by: string | null
}

const tokenColumns = 'hash, name, scopes, made_at, expires_at, last_used_at, made_by'

function shownToken({ hash, name, scopes, made_at, expires_at, last_used_at, made_by }: TokenRow): ApiToken {
  return {
    id: hash.slice(0, 16),
    name,
    scopes: scopes.split(' ') as ApiToken['scopes'],
    createdAt: made_at.toISOString(),
    expiresAt: expires_at?.toISOString() ?? null,
    lastUsedAt: last_used_at?.toISOString() ?? null,
    createdBy: made_by,
  }
}

function numberIn(cursor: string | undefined): number | null {
  if (cursor === undefined) return null
  if (!/^\d{1,15}$/.test(cursor)) throw new Refused(400, 'cursor: is not one of this list')
  return Number(cursor)
}
