/** Sends JSON and reads JSON: bounded in time, size and tries. Refusals are told apart from what may pass. */
import { readBounded } from '../../base/read-bounded.ts'
import { RemoteError, safeDetail } from './remote-error.ts'

export type Endpoint = {
  /** For messages: `OpenAI`, `Voyage`. */
  name: string
  url: string
  /** Goes into a header of the request, and nowhere else. */
  key: string | null
  fetch: typeof fetch
  /** Tests do not wait. Rejects with the signal's reason. */
  wait?: (ms: number, signal: AbortSignal) => Promise<void>
  /** From 0 to 1, for jitter. */
  random?: () => number
}

const mostTries = 5
const firstWaitMs = 500
const longestWaitMs = 20_000
/** A provider that asks for more patience than this is given up. */
const longestAskedMs = 60_000
const callMs = 60_000
const errorBytes = 64 * 1024

/** Rejects with `RemoteError`, or with the signal's reason. `largestBytes` bounds the answer. */
export async function postJson(
  endpoint: Endpoint,
  body: unknown,
  { signal, largestBytes }: { signal: AbortSignal; largestBytes: number },
): Promise<unknown> {
  const { random = Math.random, wait = pause } = endpoint
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted()
    const tried = await tryOnce(endpoint, JSON.stringify(body), signal, largestBytes)
    if ('value' in tried) return tried.value
    signal.throwIfAborted()
    const { error, retryMs } = tried
    if (retryMs === null || attempt === mostTries || retryMs > longestAskedMs) throw error
    const backOff = Math.min(longestWaitMs, firstWaitMs * 2 ** (attempt - 1))
    await wait(Math.max(retryMs, Math.round(backOff * (0.5 + random() / 2))), signal)
  }
}

/** `retryMs`: the provider's wish, 0 without one; null when another try is of no use. */
type Tried = { value: unknown } | { error: RemoteError; retryMs: number | null }

async function tryOnce(
  { name, url, key, fetch: send }: Endpoint,
  body: string,
  signal: AbortSignal,
  largestBytes: number,
): Promise<Tried> {
  const both = AbortSignal.any([signal, AbortSignal.timeout(callMs)])
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    ...(key === null ? {} : { authorization: `Bearer ${key}` }),
  }
  try {
    // A redirect would carry the texts to where nobody sent them.
    const answer = await send(url, { method: 'POST', headers, body, signal: both, redirect: 'error' })
    if (!answer.ok) return refusal(name, key, answer, await readBounded(answer, errorBytes))
    const text = await readBounded(answer, largestBytes)
    if (text === null) return fault('bad-answer', `${name} answered with more than ${largestBytes} bytes`)
    return { value: JSON.parse(text) }
  } catch (error) {
    // It was kept here, for want of money.
    if (error instanceof RemoteError) return { error, retryMs: null }
    if (error instanceof SyntaxError)
      return fault('bad-answer', `${name} answered with something other than JSON`)
    const why = error instanceof Error ? safeDetail(causeOf(error), key) : 'no answer'
    const unreachable = new RemoteError('unreachable', `${name} cannot be reached: ${why}`, { cause: error })
    return { error: unreachable, retryMs: 0 }
  }
}

function refusal(name: string, key: string | null, answer: Response, body: string | null): Tried {
  const said = safeDetail(messageIn(body ?? ''), key)
  const told = `${name} answered ${answer.status}${said === '' ? '' : `: ${said}`}`
  if (answer.status === 402 || isQuota(body ?? '')) return fault('quota', told)
  if (answer.status === 429 || answer.status === 408 || answer.status >= 500)
    return { error: new RemoteError('unreachable', told), retryMs: askedWaitMs(answer.headers) }
  const isLength =
    [400, 413, 422].includes(answer.status) &&
    /\btokens?\b|too (?:long|large|many)|context length/i.test(said)
  return fault(isLength || answer.status === 413 ? 'too-long' : 'refused', told)
}

function fault(problem: RemoteError['problem'], message: string): Tried {
  return { error: new RemoteError(problem, message), retryMs: null }
}

/** Money that is gone does not come back by waiting, though some providers say so with 429. */
function isQuota(body: string): boolean {
  return /insufficient_quota|exceeded your current quota|billing|payment method|calls ?\/ ?month/i.test(body)
}

function messageIn(body: string): string {
  try {
    const parsed = JSON.parse(body)
    const message = parsed?.error?.message ?? parsed?.message ?? parsed?.detail ?? parsed?.error
    return typeof message === 'string' ? message : ''
  } catch {
    return body
  }
}

/** `retry-after` in seconds or as a date, `retry-after-ms`; 0 without either. */
function askedWaitMs(headers: Headers): number {
  const exact = Number(headers.get('retry-after-ms') ?? Number.NaN)
  if (Number.isFinite(exact)) return Math.max(0, exact)
  const after = headers.get('retry-after')
  if (after === null) return 0
  const seconds = Number(after)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  const date = Date.parse(after)
  return Number.isFinite(date) ? Math.max(0, date - Date.now()) : 0
}

function causeOf(error: Error): string {
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done, fail) => {
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
