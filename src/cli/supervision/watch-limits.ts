/** How far a run may go before it is ended from outside: the operator's words, in the environment. */
import { UserError } from '../../base/errors.ts'

export type WatchLimits = {
  /** Of work without a turn of its loop; four times as long when it gets almost no processor. */
  silentSeconds: number
  /** Resident, of the process that does the work. */
  megabytes: number
  minutes: number
}

/** A whole review within hours, on a machine that others share. */
const usual = { SIGHTLINE_SILENT_SECONDS: 30, SIGHTLINE_MEMORY_MB: 4096, SIGHTLINE_MINUTES: 720 } as const

/** Throws `usage` for what is no positive number. */
export function readWatchLimits(environment: NodeJS.ProcessEnv): WatchLimits {
  const read = (name: keyof typeof usual): number => {
    const typed = environment[name]
    if (typed === undefined || typed === '') return usual[name]
    const value = Number(typed)
    if (Number.isFinite(value) && value > 0) return value
    throw new UserError('usage', `$${name} is \`${typed}\`; it must be a number above 0.`)
  }
  return {
    silentSeconds: read('SIGHTLINE_SILENT_SECONDS'),
    megabytes: read('SIGHTLINE_MEMORY_MB'),
    minutes: read('SIGHTLINE_MINUTES'),
  }
}
