/**
 * Exports of a server, one after the other and beside its work: what waits is bounded, what is too much is dropped and
 * counted, and stopping takes a bounded time.
 */
import { isTelemetryOn } from './destinations.ts'
import { describeExport, type Exported, type ExportServices, exportRun } from './export-run.ts'

export type ExporterParts = {
  /** What became of one export; also of those that were dropped unsent. */
  onExported: (all: readonly Exported[]) => void
  /** Milliseconds that stopping may take. */
  patienceMs: number
  mostWaiting?: number
}

export type Export = (signal: AbortSignal) => Promise<readonly Exported[]>

const defaultWaiting = 100

export class Exporter {
  private readonly parts: ExporterParts
  private readonly waiting: Export[] = []
  private readonly stopping = new AbortController()
  private working: Promise<void> | null = null

  constructor(parts: ExporterParts) {
    this.parts = parts
  }

  /** Returns at once. `work` must not reject. */
  offer(work: Export): void {
    const { mostWaiting = defaultWaiting, onExported } = this.parts
    if (this.stopping.signal.aborted || this.waiting.length >= mostWaiting) {
      onExported([tooMuch])
      return
    }
    this.waiting.push(work)
    this.working ??= this.work().finally(() => {
      this.working = null
    })
  }

  /** What is not sent within the patience is dropped. */
  async stop(): Promise<void> {
    const timer = setTimeout(() => this.stopping.abort(), this.parts.patienceMs)
    await this.working
    clearTimeout(timer)
    this.stopping.abort()
  }

  private async work(): Promise<void> {
    const { signal } = this.stopping
    for (let next = this.waiting.shift(); next; next = this.waiting.shift())
      this.parts.onExported(signal.aborted ? [tooMuch] : await next(signal))
  }
}

/**
 * For a program that goes on after a run, such as `sightline ui`: exports the runs that end in it, one after the other.
 * `report`: gets a line for each collector that did not take everything.
 */
export function openRunExporter(
  services: Omit<ExportServices, 'signal'>,
  report: (line: string) => void,
): { runEnded(run: string): void; stop(): Promise<void> } {
  const { telemetry } = services.settings
  const exporter = new Exporter({
    patienceMs: telemetry.seconds * 1000,
    onExported(all) {
      for (const line of describeExport(all)) report(line)
    },
  })
  return {
    runEnded(run) {
      if (isTelemetryOn(telemetry)) exporter.offer((signal) => exportRun(run, { ...services, signal }))
    },
    stop: () => exporter.stop(),
  }
}

/** Of one whole export, whose items were never counted. */
const tooMuch: Exported = {
  ...{ to: 'all', what: 'exports', sent: 0, dropped: 1 },
  why: 'more was to be sent than the collectors took',
}
