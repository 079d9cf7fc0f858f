/** Ctrl-C and SIGTERM: the first asks the run to stop and clean up, the second ends it at once. */
import { exitCodes } from '../base/errors.ts'
import type { Supervision } from './supervision/supervised.ts'

export const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

const lasting: ReadonlySet<string> = new Set(['lsp', 'mcp', 'serve', 'ui'])

/** Commands that run until they are stopped: no limit of minutes ends them, being stopped is not a failure, and they may take time. */
export function isLasting([name, ...rest]: readonly string[]): boolean {
  return lasting.has(name ?? '') || (name === 'review' && rest.includes('--watch'))
}

/** Longer than a server takes to hand over; what starts it kills it when it has waited long enough. */
export const lastingPatienceMs = 600_000

/** One key reaches the supervisor and this process, so that it is heard twice. */
const echoMs = 250

type InterruptOptions = { patienceMs?: number; supervision?: Supervision | null }

/** `stop` takes the handlers away again. */
export function listenForInterrupt({ patienceMs = 5_000, supervision = null }: InterruptOptions = {}): {
  signal: AbortSignal
  stop: () => void
} {
  const controller = new AbortController()
  const heard: { at: number; from: 'system' | 'supervisor' } = {
    at: Number.NEGATIVE_INFINITY,
    from: 'system',
  }
  const hear = (from: typeof heard.from): void => {
    const now = performance.now()
    const isEcho = from !== heard.from && now - heard.at < echoMs
    if (isEcho) return
    Object.assign(heard, { at: now, from })
    if (controller.signal.aborted) process.exit(exitCodes.interrupted)
    supervision?.reportStopping()
    controller.abort()
    // A run that does not come back after being asked is ended anyway.
    setTimeout(() => process.exit(exitCodes.interrupted), patienceMs).unref()
  }
  const onSignal = () => hear('system')
  for (const name of signals) process.on(name, onSignal)
  supervision?.onStop(() => hear('supervisor'))
  return {
    signal: controller.signal,
    stop: () => {
      for (const name of signals) process.off(name, onSignal)
    },
  }
}
