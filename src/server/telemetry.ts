/** Traces, metrics and exceptions of a server for the operator's collectors, beside its work. */
import { randomUUID } from 'node:crypto'
import { loadSettings } from '../config/settings/load.ts'
import { openRunStore } from '../storage/runs/registry.ts'
import { openStoredRun } from '../storage/runs/stored-run.ts'
import { isTelemetryOn } from '../telemetry/destinations.ts'
import { exportException, exportFamilies, exportRun } from '../telemetry/export-run.ts'
import { Exporter } from '../telemetry/exporter.ts'
import { measuresOf } from '../telemetry/measures.ts'
import { timelineOf } from '../telemetry/timeline.ts'
import type { Database } from './database/contract.ts'
import { placesOf } from './jobs/places.ts'
import { openSqlLedger } from './ledger/sql-ledger.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'

export type TelemetryParts = {
  database: Database
  environment: NodeJS.ProcessEnv
  /** The server's data folder. */
  data: string
  metrics: Metrics
  log: Log
}

export interface ServerTelemetry {
  /** Returns at once; the run is counted, and exported where the settings say so. */
  runEnded(tenant: string, run: string): void
  /** `where`: a route or a fixed word. */
  failed(part: 'web' | 'worker', where: string, error: unknown): void
  stop(): Promise<void>
}

export async function openTelemetry(parts: TelemetryParts): Promise<ServerTelemetry> {
  const { database, environment, data, metrics, log } = parts
  const { settings } = await loadSettings(environment)
  const { telemetry } = settings
  const now = () => new Date()
  const exporter = new Exporter({
    patienceMs: telemetry.seconds * 1000,
    onExported(all) {
      for (const { to, what, sent, dropped, why } of all) {
        metrics.telemetry.inc({ what, result: 'sent' }, sent)
        metrics.telemetry.inc({ what, result: 'dropped' }, dropped)
        if (why !== null) log.warn('telemetry-dropped', { to, what, dropped, why })
      }
    },
  })
  const isOn = isTelemetryOn(telemetry)
  const origin = { from: Date.now(), instance: randomUUID() }
  const sendMetrics = () =>
    exporter.offer(async (signal) => {
      const sent = { settings: telemetry, environment, now, signal }
      return await exportFamilies(await metrics.list(), origin, sent)
    })
  const timer = telemetry.otlp ? setInterval(sendMetrics, telemetry.metricsSeconds * 1000) : undefined
  return {
    runEnded(tenant, name) {
      exporter.offer(async (signal) => {
        const { state } = placesOf(data, tenant)
        const runs = await openRunStore(settings.journal, {
          environment: { ...environment, XDG_STATE_HOME: state },
          tenant,
        })
        try {
          const run = await openStoredRun(runs, name)
          for (const { name: measure, value, attributes } of measuresOf(timelineOf(run)))
            metrics.measure(measure, value, attributes)
        } catch {
          // A run that cannot be read is reported by whoever exports or shows it.
        }
        const ledger = openSqlLedger(database, tenant)
        return isOn ? await exportRun(name, { runs, ledger, settings, environment, now, signal }) : []
      })
    },
    failed(part, where, error) {
      if (telemetry.sentry === null) return
      exporter.offer((signal) =>
        exportException(error, { part, where, run: null }, { settings: telemetry, environment, now, signal }),
      )
    },
    async stop() {
      clearInterval(timer)
      if (telemetry.otlp) sendMetrics()
      await exporter.stop()
    },
  }
}
