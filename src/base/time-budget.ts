/** Bounds a piece of work in time. The work is told to stop; whether it does or not, the caller goes on. */

/** Thrown when the time is over; an abort from outside is thrown as it is. */
export class OutOfTime extends Error {
  override readonly name = 'OutOfTime'
}

/** Rejects with `OutOfTime` after `seconds`, and with the reason of `signal` when that aborts first. */
export async function withinSeconds<Result>(
  seconds: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted()
  const timeout = AbortSignal.timeout(seconds * 1000)
  const both = AbortSignal.any([signal, timeout])
  const over = Promise.withResolvers<never>()
  const onAbort = () =>
    over.reject(signal.aborted ? signal.reason : new OutOfTime(`it took longer than ${seconds} s`))
  both.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work(both), over.promise])
  } finally {
    both.removeEventListener('abort', onAbort)
  }
}
