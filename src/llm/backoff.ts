/** How long to wait before the next try. Milliseconds. */

const firstWaitMs = 1_000
const longestWaitMs = 20_000

/** Anything between nothing and a bound that doubles: callers that failed together do not come back together. */
export function fullJitter(attempt: number, random: () => number): number {
  return Math.round(random() * Math.min(longestWaitMs, firstWaitMs * 2 ** (attempt - 1)))
}

/** A provider's wish is kept, and a little more, never less. */
export function askedWait(retryAfterMs: number | null, backoffMs: number, random: () => number): number {
  return retryAfterMs === null ? backoffMs : Math.round(retryAfterMs * (1 + random() / 10))
}

/** Rejects with the signal's reason after an abort. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done, fail) => {
    if (signal.aborted) return fail(signal.reason)
    const stop = (): void => {
      clearTimeout(timer)
      fail(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      done()
    }, ms)
    signal.addEventListener('abort', stop, { once: true })
  })
}
