/** Ctrl-C and SIGTERM: the first asks the run to stop and clean up, the second ends it at once. */
import { exitCodes } from '../base/errors.ts'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** `stop` takes the handlers away again. */
export function listenForInterrupt({ patienceMs = 5_000 } = {}): { signal: AbortSignal; stop: () => void } {
  const controller = new AbortController()
  const onSignal = () => {
    if (controller.signal.aborted) process.exit(exitCodes.interrupted)
    controller.abort()
    // A run that does not come back after being asked is ended anyway.
    setTimeout(() => process.exit(exitCodes.interrupted), patienceMs).unref()
  }
  for (const name of signals) process.on(name, onSignal)
  return {
    signal: controller.signal,
    stop: () => {
      for (const name of signals) process.off(name, onSignal)
    },
  }
}
