/**
 * What the server says of itself: JSON lines for machines. A line has a fixed event and short fields; texts of changes,
 * comments and answers are never given to it, and what looks like a secret is masked in case one gets in all the same.
 */
import { redactStrings } from '../base/secrets/redact.ts'

export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>

export interface Log {
  /** `event` is a fixed word such as `webhook-refused`; what varies goes into the fields. */
  debug(event: string, fields?: LogFields): void
  info(event: string, fields?: LogFields): void
  warn(event: string, fields?: LogFields): void
  error(event: string, fields?: LogFields): void
}

export const logLevels = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof logLevels)[number]

export type LogOptions = {
  /** Least important level that is written. */
  level: LogLevel
  /** Takes one line without its end. */
  write: (line: string) => void
  now?: () => Date
}

/** More of one field says nothing more to a person, and could be code. */
const longestField = 300
/** A warning that repeats, such as one of each request while the database is away, is written once in this time. */
const repeatMs = 60_000
const mostRemembered = 500

export function openLog({ level, write, now = () => new Date() }: LogOptions): Log {
  const least = logLevels.indexOf(level)
  const written = new Map<string, { at: number; repeated: number }>()
  /** How often it came since it was last written; null for one that is not to be written now. */
  const repeats = (key: string, at: number): number | null => {
    const before = written.get(key)
    if (before && at - before.at < repeatMs) {
      before.repeated++
      return null
    }
    if (written.size >= mostRemembered)
      for (const [other, { at: then }] of written) if (at - then >= repeatMs) written.delete(other)
    if (written.size < mostRemembered || before) written.set(key, { at, repeated: 0 })
    return before?.repeated ?? 0
  }
  const at =
    (own: LogLevel) =>
    (event: string, fields: LogFields = {}) => {
      if (logLevels.indexOf(own) < least) return
      const short = Object.entries(redactStrings(fields)).map(([name, value]) => [
        name,
        typeof value === 'string' ? value.slice(0, longestField) : value,
      ])
      const said = { level: own, event, ...Object.fromEntries(short) }
      const time = now()
      const isFailure = own === 'warn' || own === 'error'
      const repeated = isFailure ? repeats(JSON.stringify(said), time.getTime()) : 0
      if (repeated === null) return
      const line = { time: time.toISOString(), ...said, ...(repeated > 0 ? { repeated } : {}) }
      write(JSON.stringify(line))
    }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

/** For a log: what went wrong, without a stack and without what a host answered. */
export function failureFields(error: unknown): LogFields {
  if (!(error instanceof Error)) return { failure: 'unknown' }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null
  return { failure: error.name, code, detail: error.message.split('\n')[0] ?? '' }
}
