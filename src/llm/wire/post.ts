/**
 * Sends one request and reads its whole answer, bounded in time and size. Nothing is handed on before the end: half an
 * answer is of no use, and the journal wants all of it first.
 */

import type { Dispatcher } from 'undici'
import { type Fault, fault } from './fault.ts'

export type WireTimeouts = {
  /** Until the first byte of the answer. */
  firstByteMs: number
  /** Between two pieces of it. */
  chunkMs: number
  totalMs: number
}

export const defaultTimeouts: WireTimeouts = { firstByteMs: 120_000, chunkMs: 60_000, totalMs: 900_000 }

/** An honest answer has a tenth of this. */
const largestAnswer = 64 * 1024 * 1024

export type Posted =
  | { ok: true; status: number; headers: Headers; bytes: Uint8Array }
  /** `begun`: some of a good answer had come, so that it may have been charged. */
  | { ok: false; fault: Fault; begun: boolean }

/** Rejects only with the signal's reason after an abort. */
export async function post(
  send: typeof fetch,
  url: string,
  init: RequestInit,
  timeouts: WireTimeouts,
  signal: AbortSignal,
): Promise<Posted> {
  signal.throwIfAborted()
  const own = new AbortController()
  let stalled = ''
  const stall = (why: string) => () => {
    stalled = why
    own.abort()
  }
  const total = setTimeout(stall(`it took longer than ${seconds(timeouts.totalMs)}`), timeouts.totalMs)
  let piece = setTimeout(
    stall(`it sent nothing within ${seconds(timeouts.firstByteMs)}`),
    timeouts.firstByteMs,
  )
  let begun = false
  try {
    const both = AbortSignal.any([signal, own.signal])
    // A redirect would carry prompt and key to another host.
    const answer = await send(url, { ...init, signal: both, redirect: 'error' })
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of answer.body ?? []) {
      begun ||= answer.ok
      clearTimeout(piece)
      piece = setTimeout(stall(`it sent nothing for ${seconds(timeouts.chunkMs)}`), timeouts.chunkMs)
      size += chunk.byteLength
      if (size > largestAnswer) {
        own.abort()
        return {
          ok: false,
          begun,
          fault: fault('bad-answer', `it answered with more than ${largestAnswer} bytes`),
        }
      }
      chunks.push(chunk)
    }
    return { ok: true, status: answer.status, headers: answer.headers, bytes: Buffer.concat(chunks) }
  } catch (error) {
    signal.throwIfAborted()
    if (stalled !== '') return { ok: false, begun, fault: fault('stalled', stalled) }
    const why = causeOf(error)
    return begun
      ? { ok: false, begun, fault: fault('cut', `the connection broke during its answer (${why})`) }
      : { ok: false, begun, fault: fault('network', `it cannot be reached (${why})`) }
  } finally {
    clearTimeout(total)
    clearTimeout(piece)
  }
}

function seconds(ms: number): string {
  return `${ms / 1000} s`
}

/** `fetch failed` says nothing; its cause does. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no reason given'
  const { cause } = error
  if (!(cause instanceof Error)) return error.message
  const code = (cause as NodeJS.ErrnoException).code
  return cause.message || code || error.message
}

/** Zero switches a limit off. Connecting keeps its own: a machine that is not there is not a slow one. */
const withoutLimits = { headersTimeout: 0, bodyTimeout: 0 }

/** With a proxy and without. */
const opened = new Map<boolean, Dispatcher>()

/**
 * The `fetch` below the SDKs. The one that comes with Node gives up after five minutes without a byte, whatever its caller
 * would wait; here silence is bounded in `post` alone, by the operator's settings.
 * Rejects as `fetch` does. Honours Node's switch for proxies (`NODE_USE_ENV_PROXY=1`).
 */
export const patientFetch: typeof fetch = async (input, init = {}) => {
  const url = input instanceof Request ? input.url : String(input)
  const { method, headers, body, signal, redirect } = init
  if (body && typeof body !== 'string') throw new TypeError('What is sent to a model is text.')
  // Loaded by the first question: it would be a tenth of the start of every command.
  const { fetch: send, Agent, EnvHttpProxyAgent } = await import('undici')
  const isProxied = process.env.NODE_USE_ENV_PROXY === '1'
  const dispatcher: Dispatcher =
    opened.get(isProxied) ?? (isProxied ? new EnvHttpProxyAgent(withoutLimits) : new Agent(withoutLimits))
  opened.set(isProxied, dispatcher)
  const answer = await send(url, {
    ...(method ? { method } : {}),
    ...(headers ? { headers: [...new Headers(headers)] } : {}),
    ...(body ? { body } : {}),
    ...(signal ? { signal } : {}),
    ...(redirect ? { redirect } : {}),
    dispatcher,
  })
  return new Response(answer.body, { status: answer.status, headers: [...answer.headers] })
}
