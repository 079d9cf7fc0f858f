/**
 * Work that is bounded in time and whose end is kept: a replay works only where the run did, and where time ran out or
 * something failed it tells the same.
 */
import { OutOfTime, withinSeconds } from './time-budget.ts'

/** How a piece of work ended, in words; both null when it came to its end. */
export type TimedEnd = { late: string | null; failed: string | null }

/** Returns what `work` came to, or what is on record of it, without working. `name` is the same in every run. */
export type KeepEnd = (name: string, work: () => Promise<TimedEnd>) => Promise<TimedEnd>

export type TimedWork = { name: string; seconds: number; signal: AbortSignal; keepEnd: KeepEnd | null }

/** Throws `OutOfTime`, what the work throws, and the signal's reason after an abort. */
export async function withinKeptSeconds<Value>(
  { name, seconds, signal, keepEnd }: TimedWork,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  let done: { value: Value } | null = null
  let thrown: unknown
  const attempt = async (): Promise<TimedEnd> => {
    try {
      done = { value: await withinSeconds(seconds, signal, work) }
      return { late: null, failed: null }
    } catch (error) {
      signal.throwIfAborted()
      thrown = error
      const why = error instanceof Error ? error.message : String(error)
      return error instanceof OutOfTime ? { late: why, failed: null } : { late: null, failed: why }
    }
  }
  const { late, failed } = keepEnd ? await keepEnd(name, attempt) : await attempt()
  if (thrown !== undefined) throw thrown
  if (late !== null) throw new OutOfTime(late)
  if (failed !== null) throw new Error(failed)
  // The end is on record, and the work was not done here.
  return done ? (done as { value: Value }).value : await work(signal)
}
