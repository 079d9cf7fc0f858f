/** What a command sends to the operator's collectors, after the user has the result: never a reason to fail, or to wait for long. */
import { visibleLine } from '../base/visible-text.ts'
import type { Shell } from './shell.ts'
import { withServices } from './shell.ts'
import type { Terminal } from './terminal.ts'

/** The spans of a run on record. What was dropped is said on standard error. */
export async function sendTelemetry(
  run: string,
  { shell, terminal, signal }: { shell: Shell; terminal: Terminal; signal: AbortSignal },
): Promise<void> {
  const { describeExport, exportRun } = await import('../index.ts')
  try {
    const exported = await withServices({ shell, cacheFolder: null, signal }, (services) =>
      exportRun(run, services),
    )
    for (const line of describeExport(exported)) terminal.note(`sightline: ${line}\n`)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    terminal.note(`sightline: telemetry was not sent: ${visibleLine(why)}\n`)
  }
}

/** An error of ours. `command`: as it was typed; anything but a word is left out. */
export async function sendException(error: unknown, command = ''): Promise<void> {
  try {
    const { exportException } = await import('../index.ts')
    const { loadSettings } = await import('../config/settings/load.ts')
    const { env: environment } = process
    const { settings } = await loadSettings(environment)
    const where = /^[a-z-]{1,30}$/.test(command) ? command : 'unknown'
    const { signal } = new AbortController()
    const parts = { settings: settings.telemetry, environment, now: () => new Date(), signal }
    await exportException(error, { part: 'command', where, run: null }, parts)
  } catch {
    // The settings themselves may be what is wrong; the user has been told what happened.
  }
}
