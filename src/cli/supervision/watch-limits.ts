/** How far a run may go before it is ended from outside: the operator's words, in the environment. */
import { UserError } from '../../base/errors.ts'
import { reviewLimits, type WatchLimits } from '../../base/watchdog.ts'

type Limit = Exclude<keyof WatchLimits, 'processes'>

const names: Readonly<Record<Limit, string>> = {
  silentSeconds: 'SIGHTLINE_SILENT_SECONDS',
  minutes: 'SIGHTLINE_MINUTES',
  cpuMinutes: 'SIGHTLINE_CPU_MINUTES',
  megabytes: 'SIGHTLINE_MEMORY_MB',
}

/** Throws `usage` for what is no positive number. */
export function readWatchLimits(environment: NodeJS.ProcessEnv): WatchLimits {
  const read = (limit: Limit): number => {
    const typed = environment[names[limit]]
    if (typed === undefined || typed === '') return reviewLimits[limit]
    const value = Number(typed)
    if (Number.isFinite(value) && value > 0) return value
    throw new UserError('usage', `$${names[limit]} is \`${typed}\`; it must be a number above 0.`)
  }
  return {
    silentSeconds: read('silentSeconds'),
    minutes: read('minutes'),
    cpuMinutes: read('cpuMinutes'),
    megabytes: read('megabytes'),
  }
}
