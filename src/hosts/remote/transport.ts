/**
 * How all adapters send: bounded answers, no redirect to another host, reads repeated when the host fails, writes never,
 * and a pause for every write of a token while the host asks for one. A refusal for too many requests was not carried
 * out, so a write that got one is sent again; any other unclear end is for the caller, who reads what is there.
 */
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { sha256 } from '../../base/canonical-json.ts'
import { writeWhole } from '../../base/durable.ts'
import { UserError } from '../../base/errors.ts'
import { tryLock } from '../../base/file-lock.ts'
import { readBounded } from '../../base/read-bounded.ts'
import { WriteUnclear } from './contract.ts'

export type TransportOptions = {
  fetch?: typeof globalThis.fetch
  /** Resolves after so many milliseconds; tests wait less. */
  sleep?: (milliseconds: number, signal: AbortSignal) => Promise<void>
  /** Milliseconds. */
  now?: () => number
  /** Shared by all transports of one token or installation in a process. */
  pause?: WritePause
}

/** Longer pauses are not believed: nothing would ever be written again. */
const longestPauseMs = 24 * 3_600_000
/** Between two writes that both waited for a pause: hosts refuse whoever sends all that has gathered at once. */
export const turnMs = 1_000
/** What taking a turn never lasts. */
const longestTurnMs = 10_000
/** While another process takes its turn. */
const shortestWaitMs = 50

/**
 * Until when nothing may be written, in milliseconds; shared by everything that writes with one identity. With a `file`, other
 * processes share it too.
 */
export class WritePause {
  private readonly file: string | null
  private readonly onExtend: () => void
  private until = 0

  /** `onExtend`: for whoever cannot see the file. */
  constructor(file: string | null = null, onExtend: () => void = () => {}) {
    this.file = file
    this.onExtend = onExtend
  }

  extend(until: number): void {
    // Another process may have been asked for more.
    this.until = Math.max(this.until, until, this.untilElsewhere(until))
    if (this.file === null) return
    try {
      writeWhole(this.file, Buffer.from(`${this.until}\n`), { replace: true })
    } catch {
      // This process keeps it all the same.
    }
    this.onExtend()
  }

  left(now: number): number {
    return Math.max(0, this.until - now, this.untilElsewhere(now) - now)
  }

  /** Of all that waited, in whatever process: one may go, and for the others the pause is a little longer. */
  takeTurn(now: number): boolean {
    const free = this.lock()
    if (free === null) return false
    try {
      if (this.left(now) > 0) return false
      this.extend(now + turnMs)
      return true
    } finally {
      free()
    }
  }

  /** Null while another process takes a turn. */
  private lock(): (() => void) | null {
    if (this.file === null) return () => {}
    try {
      return tryLock(`${this.file}.lock`, longestTurnMs)
    } catch {
      // Where no file can be written, processes do not hear of each other.
      return () => {}
    }
  }

  private untilElsewhere(now: number): number {
    if (this.file === null || !existsSync(this.file)) return 0
    try {
      const until = Number(readFileSync(this.file, 'utf8'))
      return until - now <= longestPauseMs ? until : 0
    } catch {
      return 0
    }
  }
}

/** Of the file of a host's pause. */
export function pauseName(apiUrl: string): string {
  return sha256(apiUrl).slice(0, 32)
}

const largestAnswer = 32 * 1024 * 1024
/** What GitHub asks for when a refusal names no time. */
const defaultPauseMs = 60_000
/** All waiting for one request. */
const mostWaitingMs = 15 * 60_000
const readAttempts = 4
const mostHops = 3
const firstBackOffMs = 500

/**
 * A `fetch` with these manners. Answers with status 2xx, 3xx and 4xx come back with their body in memory; throws
 * `host-unavailable` for reads that fail for good and for limits that last too long, `WriteUnclear` for writes that ended
 * in 5xx or in nothing. A POST of a GraphQL `query` counts as a read.
 */
export function openTransport(options: TransportOptions = {}): typeof globalThis.fetch {
  const { fetch: send = globalThis.fetch, now = Date.now, pause = new WritePause() } = options
  const sleep = options.sleep ?? sleepFor
  return async (input, init) => {
    const request = await readRequest(input, init)
    const { signal, isWrite } = request
    let waited = 0
    const wait = async (ms: number) => {
      waited += ms
      if (waited > mostWaitingMs)
        throw unavailable(request, `it asks to wait for ${Math.ceil(ms / 1000)} seconds`)
      await sleep(ms, signal)
    }
    for (let attempt = 1; ; attempt++) {
      // A longer one may have been asked for meanwhile, or another one was faster.
      let mayGo = !isWrite || pause.left(now()) === 0
      while (!mayGo) {
        await wait(Math.max(pause.left(now()), shortestWaitMs))
        mayGo = pause.takeTurn(now())
      }
      const answer = await follow(send, request).catch((error: unknown) => {
        signal.throwIfAborted()
        if (error instanceof UserError) throw error
        if (isWrite) throw new WriteUnclear(placeOf(request), { cause: error })
        if (attempt >= readAttempts) throw unavailable(request, wordsOf(error), error)
        return null
      })
      const limitMs = answer && limitOf(answer, now())
      if (limitMs !== null) {
        pause.extend(now() + limitMs)
        // A write waits for the pause anyway.
        if (!isWrite) await wait(limitMs)
        continue
      }
      if (answer && answer.status < 500) return responseOf(answer)
      if (answer && isWrite) throw new WriteUnclear(`${placeOf(request)}: status ${answer.status}`)
      if (answer && attempt >= readAttempts) throw unavailable(request, `status ${answer.status}`)
      // A host in maintenance says when it is back.
      await wait((answer && askedMs(answer)) ?? firstBackOffMs * 2 ** (attempt - 1))
    }
  }
}

type Sent = {
  url: string
  method: string
  headers: Headers
  body: string | null
  signal: AbortSignal
  isWrite: boolean
}

type Answer = { status: number; headers: Headers; text: string }

async function sleepFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal })
}

async function readRequest(input: Parameters<typeof fetch>[0], init?: RequestInit): Promise<Sent> {
  const request = new Request(input, init)
  const { url, method, headers } = request
  // A request's own signal follows the caller's through a weak reference only: once the request is collected, nothing ends a wait.
  const signal = init?.signal ?? (input instanceof Request ? input.signal : request.signal)
  const body = request.body === null ? null : await request.text()
  return { url, method, headers, body, signal, isWrite: isWriting(method, body) }
}

function isWriting(method: string, body: string | null): boolean {
  if (method === 'GET' || method === 'HEAD') return false
  return !(method === 'POST' && /^\{"query":"\s*query\b/.test(body ?? ''))
}

/** Such a redirect is the same request at another address. */
const sameRequest: ReadonlySet<number> = new Set([307, 308])

/** Renamed repositories answer with a redirect; one to another host would take the token there. */
async function follow(send: typeof fetch, request: Sent): Promise<Answer> {
  let { url } = request
  for (let hops = 0; ; hops++) {
    const { method, headers, body, signal } = request
    const response = await send(url, {
      method,
      headers,
      ...(body === null ? {} : { body }),
      signal,
      redirect: 'manual',
    })
    const to = URL.parse(response.headers.get('location') ?? '', url)
    const { status } = response
    const isFollowed = request.isWrite ? sameRequest.has(status) : status >= 300 && status < 400
    if (!isFollowed || to === null) return await readAnswer(response, request)
    await response.body?.cancel()
    if (to.origin !== new URL(url).origin || hops >= mostHops)
      throw unavailable(request, `it redirects to ${to.origin}, which is not followed`)
    url = to.href
  }
}

async function readAnswer(response: Response, request: Sent): Promise<Answer> {
  const text = await readBounded(response, largestAnswer)
  if (text === null) throw unavailable(request, `its answer is larger than ${largestAnswer} bytes`)
  return { status: response.status, headers: response.headers, text }
}

function responseOf({ status, headers, text }: Answer): Response {
  const kept = new Headers(headers)
  // The body is decoded already.
  for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) kept.delete(name)
  return new Response(text === '' || status === 204 || status === 304 ? null : text, {
    status,
    headers: kept,
  })
}

/** Milliseconds that `retry-after` names; null where it names no number. */
function askedMs({ headers }: Answer): number | null {
  const after = headers.get('retry-after') ?? ''
  return /^\d+$/.test(after) ? Number(after) * 1000 : null
}

/** Milliseconds to wait when the answer is a refusal for too many requests, primary or secondary; else null. */
function limitOf(answer: Answer, now: number): number | null {
  const { status, headers, text } = answer
  if (status !== 403 && status !== 429) return null
  const asked = askedMs(answer)
  if (asked !== null) return Math.max(asked, 1000)
  if (headers.get('x-ratelimit-remaining') === '0') {
    const reset = Number(headers.get('x-ratelimit-reset')) * 1000
    return Math.max(reset - now, 1000)
  }
  return status === 429 || /secondary rate limit/i.test(text) ? defaultPauseMs : null
}

function unavailable(request: Sent, why: string, cause?: unknown): UserError {
  return new UserError('host-unavailable', `${placeOf(request)}: ${why}`, { cause })
}

/** Without the query, which may name people. */
function placeOf({ method, url }: Pick<Sent, 'method' | 'url'>): string {
  const { host, pathname } = new URL(url)
  return `${method} ${host}${pathname}`
}

function wordsOf(error: unknown): string {
  const { message, cause } = error as Error
  return cause instanceof Error ? `${message}: ${cause.message}` : message
}
