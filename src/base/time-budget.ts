/**
 * Bounds a piece of work in time. The work is aborted; whether it stops or not, the caller goes on. How a piece ended can
 * be recorded, so that a replay runs out of time or fails where the run did, and nowhere else.
 */

/** Thrown when the time is over; an abort from outside is thrown as it is. */
export class OutOfTime extends Error {
  override readonly name = 'OutOfTime'
}

/** In milliseconds; a longer one would fire at once. */
const longestTimer = 2 ** 31 - 1

/** Rejects with `OutOfTime` after `seconds`, and with the reason of `signal` when that aborts first. */
export async function withinSeconds<Result>(
  seconds: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted()
  const late = new AbortController()
  const outOfTime = new OutOfTime(`it took longer than ${Math.round(seconds * 100) / 100} s`)
  // A timer of `AbortSignal.timeout` would be there until then, however early the work is done.
  const timer = setTimeout(() => late.abort(outOfTime), Math.min(seconds * 1000, longestTimer)).unref()
  const both = AbortSignal.any([signal, late.signal])
  const over = Promise.withResolvers<never>()
  const onAbort = () => over.reject(both.reason)
  both.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work(both), over.promise])
  } finally {
    clearTimeout(timer)
    both.removeEventListener('abort', onAbort)
  }
}

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

// Long loops let others have their turn, so that signals are heard and answers are read while they run.

/** Far below what a person or a deadline would notice. */
const longestTurnMs = 15

/** Answers whether the caller has held the event loop for long: then it should await `nextTurn`. */
export function turnClock(): () => boolean {
  let since = performance.now()
  return () => {
    const now = performance.now()
    if (now - since < longestTurnMs) return false
    since = now
    return true
  }
}

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}
