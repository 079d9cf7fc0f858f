/**
 * Why an exchange with a model failed, by what went over the wire alone; whether another try may help, and how long to wait
 * before it.
 */

import { setTimeout } from 'node:timers/promises'
import { visibleLine } from '../../base/visible-text.ts'

export type FaultKind =
  | 'no-key'
  | 'key-refused'
  | 'quota'
  | 'rate-limit'
  | 'overloaded'
  | 'server-error'
  | 'unknown-model'
  | 'too-long'
  | 'schema-refused'
  | 'request-refused'
  | 'network'
  | 'stalled'
  | 'cut'
  | 'bad-answer'
  | 'over-budget'

export type Fault = {
  kind: FaultKind
  /** In words, without secrets. */
  message: string
  /** Milliseconds the provider asks to wait; null when it does not say. */
  retryAfterMs: number | null
}

const passing: ReadonlySet<FaultKind> = new Set([
  'rate-limit',
  'overloaded',
  'server-error',
  'network',
  'stalled',
  'cut',
  'bad-answer',
])

export function mayPass({ kind }: Fault): boolean {
  return passing.has(kind)
}

export function fault(kind: FaultKind, message: string, retryAfterMs: number | null = null): Fault {
  return { kind, message, retryAfterMs }
}

/** From a status that is no success. `body` is already without secrets. */
export function faultOfStatus(status: number, headers: Headers, body: string): Fault {
  const said = saidIn(body)
  return fault(
    kindOfStatus(status, body, said),
    `it answered ${status}${said === '' ? '' : `: ${said}`}`,
    askedWaitMs(headers, body),
  )
}

/** From an error inside a stream that began well. */
export function faultOfStream(detail: string): Fault {
  const said = saidIn(detail)
  const message = `it stopped in the middle of its answer${said === '' ? '' : `: ${said}`}`
  if (isQuota(detail)) return fault('quota', message)
  if (/rate.?limit|too many requests/i.test(detail)) return fault('rate-limit', message)
  if (/overloaded|unavailable/i.test(detail)) return fault('overloaded', message)
  return fault('server-error', message)
}

function kindOfStatus(status: number, body: string, said: string): FaultKind {
  if (status === 402 || (status !== 400 && isQuota(body)) || /credit balance is too low/i.test(said))
    return 'quota'
  if (status === 401 || status === 403) return 'key-refused'
  if (status === 404) return 'unknown-model'
  if (status === 413 || (isRequestFault(status) && isTooLong(said))) return 'too-long'
  if (
    isRequestFault(status) &&
    /response_?format|json.?schema|output_(?:config|format)|responseSchema|structured.?output/i.test(body)
  )
    return 'schema-refused'
  if (status === 429) return 'rate-limit'
  if (status === 529 || status === 503) return 'overloaded'
  if (status === 408 || status === 409 || status === 425 || (status >= 500 && status !== 501))
    return 'server-error'
  return 'request-refused'
}

function isRequestFault(status: number): boolean {
  return status === 400 || status === 422
}

function isTooLong(said: string): boolean {
  return /(?:prompt|input|request|message)s?\b.{0,40}too (?:long|large)|context.?(?:length|window)|max(?:imum)?\b.{0,30}tokens|too many tokens|exceeds?.{0,40}tokens/i.test(
    said,
  )
}

/**
 * Waiting does not refill an account. Gemini says so too for a minute's limit, but then names the wait; Voyage and Cohere
 * say it of accounts without a payment method and of trial keys.
 */
function isQuota(body: string): boolean {
  return (
    /insufficient_quota|billing_hard_limit|credit balance is too low|exceeded your current quota|payment method|calls ?\/ ?month/i.test(
      body,
    ) && !/RetryInfo/.test(body)
  )
}

/** `retry-after-ms`, `retry-after` in seconds or as a date, or Gemini's `retryDelay` in the body. */
function askedWaitMs(headers: Headers, body: string): number | null {
  const exact = headers.get('retry-after-ms')
  if (exact !== null && Number.isFinite(Number(exact))) return Math.max(0, Number(exact))
  const after = headers.get('retry-after')
  if (after !== null) {
    if (Number.isFinite(Number(after))) return Math.max(0, Number(after) * 1000)
    const date = Date.parse(after)
    if (Number.isFinite(date)) return Math.max(0, date - Date.now())
  }
  const delay = /"retryDelay"\s*:\s*"(\d{1,6}(?:\.\d{1,9})?)s"/.exec(body)?.[1]
  return delay === undefined ? null : Number(delay) * 1000
}

const longestSaid = 240

/** The provider's own words, cut short and made visible. */
export function saidIn(body: string): string {
  const message = messageIn(body)
  const line = visibleLine(message.replace(/\s+/g, ' ').trim())
  return line.length > longestSaid ? `${line.slice(0, longestSaid)}…` : line
}

function messageIn(body: string): string {
  try {
    const parsed = JSON.parse(body)
    const found =
      parsed?.error?.message ?? parsed?.message ?? parsed?.error?.type ?? parsed?.detail ?? parsed?.error
    return typeof found === 'string' ? found : ''
  } catch {
    return /^\s*</.test(body) ? 'a web page' : body.slice(0, 2 * longestSaid)
  }
}

const firstWaitMs = 1_000
const longestWaitMs = 20_000

/** Anything between nothing and a bound that doubles: callers that failed together do not come back together. */
export function fullJitter(attempt: number, random: () => number): number {
  return Math.round(random() * Math.min(longestWaitMs, firstWaitMs * 2 ** (attempt - 1)))
}

/** As long as the provider asks for, and a little more, never less. */
export function askedWait(retryAfterMs: number | null, backoffMs: number, random: () => number): number {
  return retryAfterMs === null ? backoffMs : Math.round(retryAfterMs * (1 + random() / 10))
}

/** Rejects with the signal's reason after an abort. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => signal.throwIfAborted())
}
