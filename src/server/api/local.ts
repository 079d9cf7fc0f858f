/**
 * The dashboard of one machine (`sightline ui`): the API and the pages over the runs of this user, for whoever has the
 * one-time token that was printed. It listens on 127.0.0.1 only and answers no page of another site.
 */

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { openServices, type Services } from '../../assembly/services.ts'
import { readWorkspaceGraph } from '../../assembly/workspace/graph.ts'
import { packageVersion } from '../../base/package-root.ts'
import { isSameSecret } from '../../base/secrets/same-secret.ts'
import { loadSettings } from '../../config/settings/load.ts'
import { openSqlCatalog } from '../../storage/catalog/sql-catalog.ts'
import { openSqlite } from '../../storage/catalog/sqlite.ts'
import { localTenant } from '../../storage/runs/registry.ts'
import { openRunExporter } from '../../telemetry/exporter.ts'
import { dashboardFolder, prepareDashboard } from '../dashboard-build.ts'
import { assetRoutes } from '../http/asset-routes.ts'
import type { CallHead } from '../http/caller.ts'
import { type Admission, type Caller, scopesOf } from '../http/caller.ts'
import { Refused } from '../http/contract.ts'
import { cookieIn } from '../http/cookies.ts'
import { openListener } from '../http/listen.ts'
import { refuseForged, refuseOtherSites } from '../http/same-site.ts'
import { openLog } from '../log.ts'
import { openMetrics } from '../metrics.ts'
import { apiBase } from './contract/common.ts'
import type { QueueState, Session } from './contract/operation.ts'
import { conversationHandlers } from './conversation-handlers.ts'
import { keepCatalogFresh } from './fresh-catalog.ts'
import { liveQueue } from './live-queue.ts'
import { localAudit } from './local-audit.ts'
import { apiV1Routes, type Handlers, WithCookie } from './routes.ts'
import { runHandlers } from './run-handlers.ts'
import { settingsInForce } from './views/settings.ts'

export type LocalOptions = {
  environment: NodeJS.ProcessEnv
  /** The current folder: of the repository that questions are about. */
  folder: string
  /** 0 picks a free one. */
  port: number
  signal: AbortSignal
  /** One line of the log, without its end. */
  writeLog: (line: string) => void
  onReady(local: { url: string; token: string }): void
}

const sessionHours = 12

/** Resolves after `signal`. Throws `server-unusable` for a port that is taken, `dashboard-unbuilt` and `settings-invalid`. */
export async function serveLocal(options: LocalOptions): Promise<void> {
  const { environment, folder, port, signal, writeLog, onReady } = options
  await prepareDashboard((line) => writeLog(`sightline: ${line}`), signal)
  const services = await openServices({ environment, signal })
  const database = openSqlite(join(services.runs.keyFolder, 'catalog.sqlite'))
  const catalog = openSqlCatalog(database, services.tenant)
  const log = openLog({ level: 'warn', write: writeLog })
  const failed = (what: string, error: unknown) =>
    log.warn('request-failed', { what, why: error instanceof Error ? error.message : String(error) })
  const fresh = keepCatalogFresh({ ...services, catalog, onFailure: (error) => failed('catalog', error) })
  const exporter = openRunExporter(services, (why) => log.warn('telemetry-dropped', { why }))
  const admission = new LocalAdmission()
  const handlers: Partial<Handlers> = {
    ...runHandlers(
      async () => ({
        ...{ catalog, runs: services.runs, ledger: services.ledger },
        telemetry: services.settings.telemetry,
      }),
      () => new Date(),
    ),
    ...conversationHandlers({ environment, folder, reportFailure: failed, runEnded: exporter.runEnded }),
    ...admission.handlers(),
    ...localHandlers(services, catalog),
  }
  const listener = await openListener({
    routes: [...apiV1Routes(handlers), ...assetRoutes(dashboardFolder)],
    admission,
    host: '127.0.0.1',
    port,
    proxies: 0,
    strangersPerMinute: 1_200,
    metrics: openMetrics(),
    log,
  })
  try {
    admission.url = listener.url
    onReady({ url: listener.url, token: admission.token })
    if (!signal.aborted) await once(signal, 'abort')
  } finally {
    await listener.close(1_000)
    await fresh.stop()
    await exporter.stop()
    database.close()
    await services.close()
  }
}

/** One token, for one browser; its session ends after twelve hours or with the program. */
class LocalAdmission implements Admission {
  readonly token = randomBytes(24).toString('base64url')
  /** Set when the listener is open. */
  url = ''
  private isUsed = false
  private session: { key: string; csrf: string; until: number } | null = null

  refuseHead({ headers, path }: CallHead): void {
    // A name that another site made lead to this machine is not ours.
    const own = new URL(this.url)
    const hosts = [own.host, `localhost:${own.port}`]
    if (!hosts.includes(headers.host ?? '')) throw new Refused(403, 'This address is not served here.')
    if (!path.startsWith(`${apiBase}/`)) return
    const { origin } = headers
    if (origin !== undefined && !hosts.some((host) => origin === `http://${host}`))
      throw new Refused(403, 'Another site may not ask this.')
    refuseOtherSites({ headers })
  }

  async identify({ headers }: CallHead, isChange: boolean): Promise<Caller | null> {
    const key = cookieIn(headers.cookie, this.cookie)
    const { session } = this
    if (!session || session.until < Date.now() || !isSameSecret(key, session.key)) return null
    if (isChange) refuseForged({ headers }, session.csrf)
    return {
      kind: 'local',
      name: 'local',
      tenant: localTenant,
      scopes: new Set(scopesOf.admin),
      repositories: null,
      session: {
        tenants: [localTenant],
        user: null,
        role: 'admin',
        csrf: session.csrf,
        expiresAt: new Date(session.until).toISOString(),
      },
    }
  }

  handlers(): Pick<Handlers, 'session' | 'providers' | 'beginLocalSession' | 'endSession'> {
    return {
      session: async ({ caller }) => sessionOf(caller),
      providers: async () => ({ mode: 'local', providers: [] }),
      beginLocalSession: async ({ body: { token } }) => {
        if (this.isUsed || !isSameSecret(token, this.token))
          throw new Refused(401, 'This token was used already or is wrong; start `sightline ui` again.')
        this.isUsed = true
        const key = randomBytes(24).toString('base64url')
        const csrf = randomBytes(24).toString('base64url')
        this.session = { key, csrf, until: Date.now() + sessionHours * 3_600_000 }
        const caller = { tenants: [localTenant], user: null, role: 'admin' as const, csrf, expiresAt: null }
        return new WithCookie(
          sessionOf({ tenant: localTenant, session: caller }),
          this.setCookie(key, sessionHours * 3_600),
        )
      },
      endSession: async () => {
        this.session = null
        return new WithCookie({ done: true }, this.setCookie('', 0))
      },
    }
  }

  private setCookie(key: string, seconds: number): string {
    return `${this.cookie}=${key}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${seconds}`
  }

  /** Cookies do not know ports. */
  private get cookie(): string {
    return `sightline-${new URL(this.url).port}`
  }
}

function sessionOf({ tenant, session }: Pick<Caller, 'tenant' | 'session'>): Session {
  return {
    mode: 'local',
    version: packageVersion,
    tenant,
    ...session,
    features: { ask: true, replay: true, queue: true, installations: false },
  }
}

/** What runs on this machine is the queue; what its settings say is the policy. */
function localHandlers(
  services: Services,
  catalog: ReturnType<typeof openSqlCatalog>,
): Pick<Handlers, 'queue' | 'queueEvents' | 'policy' | 'audit' | 'repositories' | 'workspace' | 'health'> {
  const readQueue = async (): Promise<QueueState> => {
    const rows = await catalog.list({ state: 'running' }, { before: null, limit: 100 })
    const ended = await catalog.list({}, { before: null, limit: 20 })
    const shown = [...rows.reverse(), ...ended.filter(({ state }) => state !== 'running')]
    return {
      items: shown.map((row) => ({
        id: row.run,
        state:
          row.state === 'running'
            ? ('running' as const)
            : row.state === 'killed'
              ? ('not-reviewed' as const)
              : row.complete
                ? ('reviewed' as const)
                : ('partly' as const),
        repository: row.repository,
        change: row.change,
        title: row.title,
        url: row.url,
        trigger: row.label,
        createdAt: row.startedAt,
        startedAt: row.startedAt,
        endedAt:
          row.state === 'running' ? null : new Date(Date.parse(row.startedAt) + row.durationMs).toISOString(),
        stage: null,
        ...{ progress: null, files: null, calls: null, usd: null },
        attempt: 1,
        why: row.state === 'killed' ? 'the program was ended' : row.damage,
        ahead: null,
        run: row.run,
      })),
      queued: 0,
      running: rows.length,
    }
  }
  return {
    queue: readQueue,
    queueEvents: async ({ signal }) => liveQueue(readQueue, signal),
    async policy() {
      const { settings, path } = await loadSettings(services.environment)
      return {
        configuration: settingsInForce(
          settings,
          path ?? 'default',
          // Keys of tables whose names are free have no value of their own.
          (key) => !key.path.includes('NAME'),
        ),
        policies: [],
        budgets: [
          { name: 'Models', period: 'review' as const, limitUsd: settings.money.perRun, spentUsd: null },
        ],
      }
    },
    audit: ({ query }) => localAudit(services.ledger, query),
    async repositories({ query: { text = '', cursor = '', limit } }) {
      const all = (await catalog.repositories()).filter(
        ({ name }) => name.toLowerCase().includes(text.toLowerCase()) && name > cursor,
      )
      const items = all.slice(0, limit).map(({ name, runs, lastRunAt }) => ({
        ...{ id: name, name, runs, lastRunAt },
        isPrivate: null,
        isEnabled: null,
        isIndexed: null,
      }))
      return { items, next: all.length > limit ? (items.at(-1)?.name ?? null) : null }
    },
    workspace: () => readWorkspaceGraph(services),
    async health() {
      const format = await services.runs.format()
      return {
        state: 'ok' as const,
        parts: [
          {
            name: 'run store',
            state: 'ok' as const,
            detail: format === null ? 'no runs yet' : services.runs.address,
          },
        ],
      }
    },
  }
}
