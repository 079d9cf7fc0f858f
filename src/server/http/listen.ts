/**
 * The web door: one listener over a list of routes. It reads bodies within their limits, decides by credentials who is
 * calling, counts, and turns whatever a handler throws into an answer that says nothing of the inside.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { UserError } from '../../base/errors.ts'
import { failureFields, type Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { type Answer, type Call, Refused, type Route } from './contract.ts'

export type DoorOptions = {
  routes: readonly Route[]
  host: string
  port: number
  /** Proxies in front whose `X-Forwarded-For` is believed. */
  proxies: number
  /** Refusals per minute and address before everything refused gets 429. */
  strangersPerMinute: number
  /** The tenant of a token; null for one that is not valid. */
  findTenant(token: string): Promise<string | null>
  isAdmin(token: string): boolean
  /** Null: anybody may read the metrics. */
  isMetricsReader: ((token: string) => boolean) | null
  metrics: Metrics
  log: Log
  /** For what is a bug of ours. `where`: the path of the route. */
  onFailure?: (where: string, error: unknown) => void
}

export type Door = {
  /** `http://127.0.0.1:8080`, without a slash at its end. */
  readonly url: string
  /** Takes no more requests; resolves when those under way have ended, or after so many milliseconds. */
  close(patienceMs: number): Promise<void>
}

/** All bodies that are being read at one time; beyond it senders are asked to come again. */
const mostBytesInFlight = 256 * 1024 * 1024
const requestMs = 30_000
const headersMs = 10_000
const largestHeaders = 32 * 1024

/** Throws `server-unusable` when the port is taken. */
export async function openDoor(options: DoorOptions): Promise<Door> {
  const { host, port, log } = options
  const stopping = new AbortController()
  const handler = new Requests(options, stopping.signal)
  const server = createServer(
    { requestTimeout: requestMs, headersTimeout: headersMs, maxHeaderSize: largestHeaders },
    (request, response) => {
      handler.serve(request, response).catch((error: unknown) => {
        log.error('request-failed', failureFields(error))
        options.onFailure?.('request', error)
        response.destroy()
      })
    },
  )
  await listen(server, host, port)
  const address = server.address() as AddressInfo
  const shown = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return {
    url: `http://${shown}:${address.port}`,
    close: (patienceMs) =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeIdleConnections()
        setTimeout(() => {
          stopping.abort()
          server.closeAllConnections()
        }, patienceMs).unref()
      }),
  }
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'another program uses this port' : error.message
      reject(new UserError('server-unusable', `${host}:${port}: ${why}`, { cause: error }))
    })
    server.listen(port, host, () => resolve())
  })
}

class Requests {
  private readonly options: DoorOptions
  private readonly signal: AbortSignal
  private readonly strangers: Strangers
  private bytesInFlight = 0

  constructor(options: DoorOptions, signal: AbortSignal) {
    this.options = options
    this.signal = signal
    this.strangers = new Strangers(options.strangersPerMinute)
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const receivedAt = Date.now()
    const url = URL.parse(request.url ?? '', 'http://server')
    const found = url && matchRoute(this.options.routes, request.method ?? '', url.pathname)
    const answer =
      url && found && 'route' in found
        ? await this.answer(request, found.route, { parameters: found.parameters, url, receivedAt })
        : refusal(found ? 405 : 404, found ? 'This address does not take this method.' : 'Not found.')
    const isRefused = [400, 401, 403, 404, 405, 413, 415].includes(answer.status)
    const shown =
      isRefused && this.strangers.isOver(addressOf(request, this.options.proxies), receivedAt)
        ? refusal(429, 'Too many refused requests.', { 'retry-after': '60' })
        : answer
    const route = found && 'route' in found ? found.route.path : 'unknown'
    this.options.metrics.requests.inc({ route, status: String(shown.status) })
    if (shown.events) await sendEvents(response, shown, shown.events, this.signal)
    else send(response, shown, request.complete)
  }

  private async answer(
    request: IncomingMessage,
    route: Route,
    { parameters, url, receivedAt }: { parameters: Call['parameters']; url: URL; receivedAt: number },
  ): Promise<Answer> {
    try {
      const headers = headersOf(request)
      const tenant = await this.admit(route, headers)
      const body = await this.readBody(request, route)
      const call: Call = {
        path: url.pathname,
        parameters,
        query: url.searchParams,
        headers,
        body,
        receivedAt,
        tenant,
        signal: this.signal,
      }
      return await route.handle(call)
    } catch (error) {
      if (error instanceof Refused) return refusal(error.status, error.message)
      this.options.log.error('route-failed', { route: route.path, ...failureFields(error) })
      this.options.onFailure?.(route.path, error)
      return refusal(503, 'The server cannot answer this now; try again later.', { 'retry-after': '5' })
    }
  }

  /** The tenant; empty for routes that have none. */
  private async admit({ access }: Route, headers: Call['headers']): Promise<string> {
    const [, token = ''] = /^Bearer ([\x21-\x7e]{1,500})$/.exec(headers.authorization ?? '') ?? []
    if (access === 'tenant') {
      const tenant = token === '' ? null : await this.options.findTenant(token)
      if (tenant === null) throw new Refused(401, 'A valid token is required.')
      return tenant
    }
    const isAllowed =
      access === 'admin'
        ? token !== '' && this.options.isAdmin(token)
        : access === 'metrics'
          ? (this.options.isMetricsReader?.(token) ?? true)
          : true
    if (!isAllowed) throw new Refused(401, 'A valid token is required.')
    return ''
  }

  private async readBody(request: IncomingMessage, { bodyBytes = 0 }: Route): Promise<Buffer> {
    const announced = Number(request.headers['content-length'] ?? 0)
    if (announced > bodyBytes) throw new Refused(413, `The body has more than ${bodyBytes} bytes.`)
    if (this.bytesInFlight + announced > mostBytesInFlight) throw new Refused(503, 'Too much at a time.')
    const chunks: Buffer[] = []
    let bytes = 0
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) {
        bytes += chunk.byteLength
        this.bytesInFlight += chunk.byteLength
        if (bytes > bodyBytes) throw new Refused(413, `The body has more than ${bodyBytes} bytes.`)
        chunks.push(chunk)
      }
    } finally {
      this.bytesInFlight -= bytes
    }
    return Buffer.concat(chunks)
  }
}

type Matched = { route: Route; parameters: Record<string, string> } | { known: true } | null

/** Null for an unknown path; `known` for a path that has other methods. */
export function matchRoute(routes: readonly Route[], method: string, path: string): Matched {
  const parts = path.split('/')
  let isKnown = false
  for (const route of routes) {
    const wanted = route.path.split('/')
    const isOpenEnded = wanted.at(-1) === '*'
    if (isOpenEnded) wanted.pop()
    if (isOpenEnded ? parts.length <= wanted.length : parts.length !== wanted.length) continue
    const parameters: Record<string, string> = {}
    const fits = wanted.every((part, index) => {
      const given = parts[index] ?? ''
      const name = /^\{(\w+)\}$/.exec(part)?.[1]
      if (name === undefined) return part === given
      if (!/^[\w.-]{1,100}$/.test(given)) return false
      parameters[name] = given
      return true
    })
    if (!fits) continue
    if (route.method === method) return { route, parameters }
    isKnown = true
  }
  return isKnown ? { known: true } : null
}

function headersOf(request: IncomingMessage): Call['headers'] {
  return Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : value,
    ]),
  )
}

/** The last hop that was not one of our own proxies. */
function addressOf(request: IncomingMessage, proxies: number): string {
  const hops = String(request.headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((hop) => hop.trim())
  const own = request.socket.remoteAddress ?? ''
  return (proxies === 0 ? own : hops.at(-proxies)) || own
}

function refusal(status: number, message: string, headers: Record<string, string> = {}): Answer {
  return { status, body: { error: message }, headers }
}

/** Of every answer, unless its route says otherwise. */
const safeHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
}

/** So often something is sent, so that nobody between takes a quiet stream for a dead one. */
const quietMs = 15_000

async function sendEvents(
  response: ServerResponse,
  { status, headers = {} }: Answer,
  events: AsyncIterable<string>,
  signal: AbortSignal,
): Promise<void> {
  response.writeHead(status, {
    ...safeHeaders,
    'content-type': 'text/event-stream; charset=utf-8',
    ...headers,
  })
  response.flushHeaders()
  const beat = setInterval(() => response.write(': still here\n\n'), quietMs)
  const iterator = events[Symbol.asyncIterator]()
  const end = () => void iterator.return?.()?.catch(() => {})
  response.once('close', end)
  signal.addEventListener('abort', end, { once: true })
  try {
    for (let next = await iterator.next(); !next.done; next = await iterator.next())
      response.write(next.value)
  } finally {
    clearInterval(beat)
    signal.removeEventListener('abort', end)
    response.end()
  }
}

function send(
  response: ServerResponse,
  { status, body, type, headers = {}, cookies = [] }: Answer,
  isRead: boolean,
): void {
  const bytes =
    body instanceof Uint8Array
      ? body
      : Buffer.from(body === undefined ? '' : type ? String(body) : JSON.stringify(body))
  response.writeHead(status, {
    ...safeHeaders,
    'content-type': type ?? 'application/json; charset=utf-8',
    'content-length': bytes.byteLength,
    // What was not read of a refused body is not read any more.
    ...(isRead ? {} : { connection: 'close' }),
    ...headers,
    ...(cookies.length > 0 ? { 'set-cookie': [...cookies] } : {}),
  })
  response.end(bytes)
}

/** Counts refusals of each address within a minute; the number of addresses it remembers is bounded. */
class Strangers {
  private readonly most: number
  private counts = new Map<string, number>()
  private minute = 0

  constructor(most: number) {
    this.most = most
  }

  isOver(address: string, now: number): boolean {
    const minute = Math.floor(now / 60_000)
    if (minute !== this.minute || this.counts.size > 100_000) {
      this.counts = new Map()
      this.minute = minute
    }
    const count = (this.counts.get(address) ?? 0) + 1
    this.counts.set(address, count)
    return count > this.most
  }
}
