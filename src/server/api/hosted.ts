/** The API of a server: what its database and its run stores know, of the tenant of whoever asks and of nobody else. */

import { remembered } from '../../base/remembered.ts'
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
import type { Sealer } from '../connections/sealed-secrets.ts'
import { dashboardFolder, prepareDashboard } from '../dashboard-build.ts'
import type { Database } from '../database/contract.ts'
import { assetRoutes } from '../http/asset-routes.ts'
import type { Admission } from '../http/caller.ts'
import type { Route } from '../http/contract.ts'
import { sessionCookies } from '../http/cookies.ts'
import type { DeliveryWriter } from '../intake/deliveries.ts'
import { placesOf } from '../jobs/places.ts'
import { openSqlLedger } from '../ledger/sql-ledger.ts'
import type { Log } from '../log.ts'
import { openQueue } from '../queue/sql-queue.ts'
import type { Secrets } from '../settings/load.ts'
import type { ServerSettings } from '../settings/schema.ts'
import { syncOutcomes } from './fresh-catalog.ts'
import { HostedAdmission } from './hosted-admission.ts'
import { hostedConversations } from './hosted-conversations.ts'
import { operationHandlers } from './hosted-operations.ts'
import { operatorHandlers } from './hosted-operator.ts'
import { queueHandlers } from './hosted-queue.ts'
import { hostOf, repositoryHandlers } from './hosted-repositories.ts'
import { reviewHandlers } from './hosted-reviews.ts'
import { tokenHandlers } from './hosted-tokens.ts'
import { apiV1Routes, type Handlers } from './routes.ts'
import { type RunHome, runHandlers } from './run-handlers.ts'

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

/** The routes, and who may call them. */
export type Site = { routes: Route[]; admission: Admission }

export function openHosted(parts: HostedParts): Site {
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
    const opening = remembered(stores, tenant, () => tenantRuns(parts, tenant))
    const [{ runs, telemetry }, catalog] = [await opening, openSqlCatalog(database, tenant)]
    const ledger = openSqlLedger(database, tenant)
    if (now().getTime() - (refreshedAt.get(tenant) ?? 0) > refreshMs) {
      refreshedAt.set(tenant, now().getTime())
      // Whoever asks does not wait for it: runs are put in when they end, and this finds what was missed.
      refresh(runs, ledger, catalog).catch((error: unknown) => failed('catalog', error))
    }
    return { catalog, runs, ledger, telemetry }
  }
  const handlers: Partial<Handlers> = {
    ...runHandlers(homeOf, now),
    ...admission.handlers(),
    ...queueHandlers(database),
    ...repositoryHandlers(parts),
    ...tokenHandlers(database),
    ...operationHandlers(parts),
    ...operatorHandlers(database, settings),
    ...reviewHandlers(parts),
    ...hostedConversations({ ...parts, queue: openQueue(database) }),
  }
  const routes = [
    ...signInRoutes({ flows, sessions, cookies, sealer: parts.sealer, log }),
    ...apiV1Routes(handlers),
    agentRoute({
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
  return { routes, admission }
}

/** How often the catalog of a tenant that is looked at is compared with its runs and its ledger. */
const refreshMs = 60_000

async function refresh(runs: RunStore, ledger: LedgerStore, catalog: Catalog): Promise<void> {
  const { signal } = new AbortController()
  await syncCatalog(runs, catalog, signal)
  await syncOutcomes(ledger, catalog, signal)
}

/** Come after all other routes: they answer whatever no other does. */
export function dashboardRoutes(log: Log, signal: AbortSignal): Route[] {
  const built = prepareDashboard((line) => log.info('dashboard', { line }), signal)
  built.catch((error: unknown) => log.warn('dashboard-unbuilt', { why: String(error) }))
  return assetRoutes(dashboardFolder, built)
}

/** Where the analyzer of a tenant keeps its runs. */
async function tenantRuns(
  { environment, data }: Pick<HostedParts, 'environment' | 'data'>,
  tenant: string,
): Promise<Omit<RunHome, 'catalog' | 'ledger'>> {
  const { settings } = await loadSettings(environment)
  const { state } = placesOf(data, tenant)
  const runs = await openRunStore(settings.journal, {
    environment: { ...environment, XDG_STATE_HOME: state },
    tenant,
  })
  return { runs, telemetry: settings.telemetry }
}

/** Puts the run of a job that ended into the catalog of its tenant, with what it says of earlier findings. */
export async function catalogRun(
  parts: Pick<HostedParts, 'database' | 'environment' | 'data'>,
  tenant: string,
  run: string,
): Promise<void> {
  const { runs } = await tenantRuns(parts, tenant)
  const stored = await openStoredRun(runs, run)
  const [catalog, described] = [openSqlCatalog(parts.database, tenant), await describeRun(stored)]
  await catalog.put([described])
  const ledger = openSqlLedger(parts.database, tenant)
  await syncOutcomes(ledger, catalog, new AbortController().signal, described.row.repository)
}
