/**
 * The server: opens what its role needs, serves until it is asked to stop, and hands over what is under way. The web role
 * takes webhooks in and decides; the worker role reviews. They meet in the database and nowhere else.
 */
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { isSameSecret } from '../base/secrets/same-secret.ts'
import { loadSettings } from '../config/settings/load.ts'
import { traceIdsOf } from '../domain/trace-ids.ts'
import { openTransport } from '../hosts/remote/transport.ts'
import { makeOpenAccess, makeWorkspaceSource } from './access/open-access.ts'
import { endedSign, type Sign, showSign } from './access/show-check.ts'
import { startRetention } from './admin/tenants.ts'
import { catalogRun, dashboardRoutes, type Site } from './api/hosted.ts'
import { type HostConnection, openConnections } from './connections/connections.ts'
import { repositoriesOf } from './connections/read-rights.ts'
import { openSealer } from './connections/sealed-secrets.ts'
import type { Database } from './database/contract.ts'
import { openDatabase } from './database/open-database.ts'
import { healthRoutes } from './http/health-routes.ts'
import { openListener } from './http/listen.ts'
import { openWeb } from './http/web-routes.ts'
import { DeliveryWriter } from './intake/deliveries.ts'
import { startIntake } from './intake/intake-loop.ts'
import { startReconciler } from './intake/reconcile.ts'
import type { ReviewJob } from './jobs/contract.ts'
import { reasonOfError, remedyOf } from './jobs/failures.ts'
import type { WorkerEvent } from './jobs/worker.ts'
import { failureFields, type Log, openLog } from './log.ts'
import { type Metrics, openMetrics } from './metrics.ts'
import { effectivePolicy } from './policies/effective.ts'
import { gateOf } from './policies/gate.ts'
import type { Queue } from './queue/contract.ts'
import { openQueue } from './queue/sql-queue.ts'
import { defaultLimits } from './roles/contract.ts'
import type { RunRole } from './roles/run-role.ts'
import { ownKeys, prepareDataFolder } from './settings/data-folder.ts'
import type { LoadedServerSettings } from './settings/load.ts'
import { openTelemetry, type ServerTelemetry } from './telemetry.ts'

export type ServeOptions = {
  environment: NodeJS.ProcessEnv
  /** Ends the server. */
  signal: AbortSignal
  /** One line of the log, without its end. */
  writeLog: (line: string) => void
  onReady?: (server: Ready) => void
  /** How jobs run their roles; each in a process of its own when not given. */
  runRole?: RunRole
  /** The share of its time that is waited until what failed is tried again; 1 when not given. Tests wait less. */
  patience?: number
  /** Opened already, with this version's schema, and left open. Opened as `loaded` says when not given. */
  database?: Database
}

export type Ready = {
  /** Where it listens. */
  url: string
  /** For people. */
  database: string
  adminTokenFile: string | null
}

type Parts = {
  loaded: LoadedServerSettings
  environment: NodeJS.ProcessEnv
  runRole: RunRole | undefined
  patience: number
  database: Database
  queue: Queue
  connections: ReadonlyMap<string, HostConnection>
  keys: { secretKey: string; adminToken: string }
  metrics: Metrics
  log: Log
  telemetry: ServerTelemetry
  isStopping: () => boolean
}

/** What a role started; stopped in the reverse order. */
type Running = { stop(): Promise<void> }

/** Resolves when everything has ended after `signal`. Throws `server-unusable`, `database-refused`, `settings-invalid`. */
export async function serve(loaded: LoadedServerSettings, options: ServeOptions): Promise<void> {
  const { environment, signal, writeLog, onReady = () => {}, runRole, patience = 1 } = options
  const { settings, secrets, dataFolder } = loaded
  const log = openLog({ level: settings.logLevel, write: writeLog })
  prepareDataFolder(dataFolder)
  const keys = ownKeys(dataFolder, secrets)
  const database =
    options.database ??
    (await openDatabase({ url: secrets.databaseUrl ?? undefined, folder: join(dataFolder, 'database') }))
  const running: Running[] = options.database ? [] : [{ stop: () => database.close() }]
  try {
    const queue = openQueue(database, { patience })
    const sealer = openSealer(keys.secretKey)
    const connections = openConnections({ settings, secrets, database, data: dataFolder, sealer })
    const metrics = openMetrics({ readQueue: () => readQueue(queue) })
    const isStopping = () => signal.aborted
    const telemetry = await openTelemetry({ database, environment, data: dataFolder, metrics, log })
    running.push(telemetry)
    const parts = {
      ...{ loaded, environment, database, queue, connections, keys, metrics, log, telemetry, isStopping },
      ...{ runRole, patience },
    }
    const site = settings.role === 'worker' ? null : await startWeb(parts, running)
    if (settings.role !== 'web') running.push(await startWorker(parts))
    if (settings.role !== 'worker') void tellRights(parts, signal)
    const listener = await openListener({
      ...settings.listen,
      routes: site
        ? [...site.routes, ...dashboardRoutes(log, signal)]
        : healthRoutes({ database, metrics, isStopping }),
      ...(site ? { admission: site.admission } : {}),
      strangersPerMinute: settings.intake.strangersPerMinute,
      isOperator: isTokenOf(keys.adminToken),
      ...(secrets.metricsToken === null ? {} : { isMetricsReader: isTokenOf(secrets.metricsToken) }),
      metrics,
      log,
      onFailure: (where, error) => telemetry.failed('web', where, error),
    })
    running.push({ stop: () => listener.close(settings.shutdownSeconds * 1000) })
    log.info('server-ready', { role: settings.role, url: listener.url, database: database.kind })
    onReady({ url: listener.url, database: database.address, adminTokenFile: keys.adminTokenFile })
    if (!signal.aborted) await once(signal, 'abort')
    log.info('server-stopping', { role: settings.role })
  } finally {
    for (const part of running.reverse())
      await part.stop().catch((error: unknown) => log.error('stop-failed', failureFields(error)))
    log.info('server-stopped')
  }
}

/** What the hosts do not let this server do, said once at its start. Never rejects. */
async function tellRights({ connections, database, log }: Parts, signal: AbortSignal): Promise<void> {
  for (const connection of connections.values())
    try {
      const about = { installation: null, repositories: await repositoriesOf(database, connection) }
      for (const { right, without } of await connection.missingRights(about, signal))
        log.warn('right-missing', { connection: connection.name, right, without })
    } catch (error) {
      if (!signal.aborted) log.warn('rights-unread', { connection: connection.name, ...failureFields(error) })
    }
}

function isTokenOf(expected: string): (token: string) => boolean {
  return (token) => isSameSecret(token, expected)
}

async function startWeb(parts: Parts, running: Running[]): Promise<Site> {
  const { loaded, environment, database, queue, connections, keys, metrics, log, telemetry, isStopping } =
    parts
  const { settings } = loaded
  const { patience } = parts
  const now = () => new Date()
  const operators = (await loadSettings(environment)).settings
  const intake = startIntake({
    ...{ database, queue, settings, connections, metrics, log, now, patience },
    defaultPerReviewUsd: operators.money.perRun,
    commandsPerHour: settings.intake.commandsPerHour,
    secretKey: keys.secretKey,
  })
  running.push(intake)
  const writer = new DeliveryWriter(database, () => intake.wake())
  const everyMinutes = settings.intake.reconcileMinutes
  const runPlaces = { journal: operators.journal, environment, dataFolder: loaded.dataFolder }
  running.push(
    startRetention(database, settings.retentionDays, runPlaces, (error) =>
      log.error('retention-failed', failureFields(error)),
    ),
  )
  running.push(startReconciler({ database, connections, writer, everyMinutes, metrics, log }))
  return openWeb({
    ...{ database, settings, environment, connections, writer, metrics, log, now, isStopping },
    clientSecrets: loaded.secrets.clientSecrets,
    data: loaded.dataFolder,
    sealer: openSealer(keys.secretKey),
    secretKey: keys.secretKey,
    isOperator: isTokenOf(keys.adminToken),
    url: settings.url?.replace(/\/$/, '') ?? null,
    fetch: openTransport(),
    onFailure: (where, error) => telemetry.failed('web', where, error),
  })
}

/** Four at a time for each processor: most of a review waits for a host or a model. */
const slotsPerProcessor = 4

async function startWorker(parts: Parts): Promise<Running> {
  const { loaded, database, queue, connections, environment, keys, metrics, log, telemetry } = parts
  const { runRole, patience } = parts
  const { settings, dataFolder } = loaded
  const { slots, minutes, cpuMinutes, memoryMb, sandbox } = settings.workers
  const secretKey = keys.secretKey
  const accessParts = {
    ...{ database, settings, connections, secretKey, environment },
    now: () => new Date(),
  }
  const signOn = async (job: ReviewJob, sign: Sign, isLast = false) => {
    const connection = connections.get(job.connection)
    const { installation, number, repository } = job
    if (!connection || repository.id === null) return null
    const named = { id: repository.id, fullName: repository.name }
    const at = { connection, installation, number, repository: named }
    return await showSign(at, { ...sign, url: settings.url }, { log, isLast })
  }
  // Half of what a web process would otherwise load.
  const { openWorker } = await import('./jobs/worker.ts')
  return await openWorker({
    database,
    queue,
    data: dataFolder,
    sandbox,
    runRole,
    patience,
    slots: slots ?? slotsPerProcessor * availableParallelism(),
    limits: {
      collector: { ...defaultLimits.collector, megabytes: memoryMb },
      analyzer: { ...defaultLimits.analyzer, minutes, cpuMinutes, megabytes: memoryMb },
      publisher: { ...defaultLimits.publisher, megabytes: memoryMb },
      indexer: { ...defaultLimits.indexer, megabytes: memoryMb },
      'live-index': defaultLimits['live-index'],
      workspace: { ...defaultLimits.workspace, megabytes: memoryMb },
    },
    openAccess: makeOpenAccess(accessParts),
    workspaces: makeWorkspaceSource(accessParts),
    showSign: (job, sign) => signOn(job, sign),
    async showUnwanted(tenant, job, head, why) {
      const scope = { tenant, connection: job.connection, repository: job.repository.name }
      const gate = gateOf(effectivePolicy(settings, scope).policy.gate, new Date())
      await signOn(job, endedSign(head, why, gate), true)
    },
    onEvent(event) {
      report(event, metrics, log)
      if (event.type === 'trouble') telemetry.failed('worker', 'job', event.error)
      if (event.type !== 'ended' || event.run === null) return
      telemetry.runEnded(event.tenant, event.run)
      catalogRun({ database, environment, data: dataFolder }, event.tenant, event.run).catch(
        (error: unknown) => log.warn('catalog-failed', failureFields(error)),
      )
    },
  })
}

function report(event: WorkerEvent, metrics: Metrics, log: Log): void {
  if (event.type === 'trouble') {
    const reason = reasonOfError(event.error)
    log.warn('job-trouble', {
      change: event.change,
      message: event.message,
      reason,
      remedy: remedyOf(reason),
    })
    return
  }
  const { type, ...fields } = event
  if (event.type === 'ended') {
    metrics.reviews.inc({ state: event.state, reason: event.reason ?? 'none' })
    metrics.dollars.inc(event.usd)
  }
  const run = 'run' in event ? event.run : null
  log[levelOf(event)](`job-${type}`, { ...fields, ...(run ? { trace: traceIdsOf(run).traceId } : {}) })
}

/** A failure is a warning once, with its reason, its change request and what to do; that it goes on is not said again. */
function levelOf(event: Exclude<WorkerEvent, { type: 'trouble' }>): 'debug' | 'info' | 'warn' {
  if (event.type === 'tried-again') return event.isKnown ? 'debug' : 'warn'
  if (event.type !== 'ended') return 'info'
  return event.state === 'not-reviewed' || (event.state === 'partly' && event.reason !== null)
    ? 'warn'
    : 'info'
}

async function readQueue(queue: Queue): Promise<{ jobs: Record<string, number>; oldestSeconds: number }> {
  const rows = await queue.depth()
  const jobs: Record<string, number> = { queued: 0, running: 0 }
  for (const { state, count } of rows) jobs[state] = (jobs[state] ?? 0) + count
  const waiting = rows.filter(({ state }) => state === 'queued')
  return { jobs, oldestSeconds: Math.max(0, ...waiting.map(({ oldestSeconds }) => oldestSeconds)) }
}
