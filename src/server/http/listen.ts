/**
 * The web server: one listener over a list of routes. What a route states of itself is enforced here and nowhere else: who
 * calls, how often, and how much they send. Whatever a handler throws becomes an answer that says nothing of the inside.
 */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { UserError } from '../../base/errors.ts'
import { remembered } from '../../base/remembered.ts'
import { failureFields, type Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { type Body, BodyReader } from './bodies.ts'
import type { CallHead } from './caller.ts'
import { type Admission, bearerToken, type Caller, nobody, operator } from './caller.ts'
import { type Answer, Refused, type Route } from './contract.ts'
import { failure } from './failure.ts'
import { RateCounter } from './rates.ts'
import { checkRoutes, matchRoute } from './route-table.ts'
import { send, sendEvents } from './send.ts'

export type ListenerOptions = {
  routes: readonly Route[]
  host: string
  port: number
  /** Proxies in front whose `X-Forwarded-For` is believed. */
  proxies: number
  /** Refusals per minute and address before everything refused gets 429. */
  strangersPerMinute: number
  /** Without it nobody is known, and routes for members refuse everybody. */
  admission?: Admission
  isOperator?: (token: string) => boolean
  /** Without it, anybody may read the metrics. */
  isMetricsReader?: (token: string) => boolean
  metrics: Metrics
  log: Log
  /** For what is a bug of ours. `where`: the path of the route. */
  onFailure?: (where: string, error: unknown) => void
}

export type Listener = {
  /** `http://127.0.0.1:8080`, without a slash at its end. */
  readonly url: string
  /** Takes no more requests; resolves when those under way have ended, or after so many milliseconds. */
  close(patienceMs: number): Promise<void>
}

/** Of all bodies at a time, unless one alone may have more: hundreds of the usual webhook. */
const leastBodyBytes = 8 * 1024 * 1024
/** Refused requests of an address in a minute whose bodies were still coming. */
const mostUnheard = 60
const thisMachine: ReadonlySet<string> = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])
const requestMs = 30_000
const headersMs = 10_000
const connectionChecksMs = 2_000
/** Longer than the minute for which proxies keep idle connections, so that none sends into one that is being closed here. */
const keepAliveMs = 65_000
const largestHeaders = 32 * 1024
/** Connections that wait to be accepted; with Node's 511 a wave of strangers makes the system drop those of hosts, which try again after seconds. */
const backlog = 4096

/** Throws `server-unusable` when the port is taken. */
export async function openListener(options: ListenerOptions): Promise<Listener> {
  const { routes, host, port, log } = options
  checkRoutes(routes)
  const stopping = new AbortController()
  const handler = new Requests(options, stopping.signal)
  const server = createServer(
    {
      requestTimeout: requestMs,
      headersTimeout: headersMs,
      keepAliveTimeout: keepAliveMs,
      connectionsCheckingInterval: connectionChecksMs,
      maxHeaderSize: largestHeaders,
    },
    (request, response) => {
      handler.serve(request, response).catch((error: unknown) => {
        log.error('request-failed', failureFields(error))
        options.onFailure?.('request', error)
        response.destroy()
      })
    },
  )
  server.on('connection', (socket) => {
    if (handler.isShunned(socket.remoteAddress ?? '')) socket.destroy()
  })
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
    server.listen({ port, host, backlog }, () => resolve())
  })
}

const refusals: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 413, 415])

class Requests {
  private readonly options: ListenerOptions
  private readonly signal: AbortSignal
  private readonly strangers = new RateCounter(60)
  private readonly bodies: BodyReader
  private readonly unheard = new RateCounter(60)
  private readonly rates = new Map<Route, RateCounter>()

  constructor(options: ListenerOptions, signal: AbortSignal) {
    this.options = options
    this.signal = signal
    const largest = Math.max(...options.routes.map(({ bodyBytes }) => bodyBytes))
    this.bodies = new BodyReader(Math.max(leastBodyBytes, 2 * largest))
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const receivedAt = Date.now()
    const url = URL.parse(request.url ?? '', 'http://server')
    const found = url && matchRoute(this.options.routes, request.method ?? '', url.pathname)
    const route = found && 'route' in found ? found.route : null
    const body = this.bodies.begin(request, route?.bodyBytes ?? 0)
    const address = addressOf(request, this.options.proxies)
    const answer = await this.answer(request, body, found, url, { address, receivedAt })
      .catch((error: unknown) => {
        if (!(error instanceof Refused) && !(error instanceof UserError)) {
          this.options.log.error('route-failed', { route: route?.path, ...failureFields(error) })
          this.options.onFailure?.(route?.path ?? 'unknown', error)
        }
        return failure(error)
      })
      .finally(() => body.end())
    const isTooMany =
      refusals.has(answer.status) &&
      this.strangers.isOver(address, this.options.strangersPerMinute, receivedAt)
    const shown = isTooMany ? failure(new Refused(429, 'Too many refused requests.')) : answer
    this.options.metrics.requests.inc({ route: route?.path ?? 'unknown', status: String(shown.status) })
    if (!request.complete) this.unheard.isOver(address, mostUnheard, receivedAt)
    if (shown.events) await sendEvents(response, shown, shown.events, this.signal)
    else send(response, shown, request.complete)
  }

  /**
   * Whoever was refused so often while they were still sending says no more from that address for a minute. This machine is
   * spared: a page in the browser, or a proxy that the settings do not name, would lock everybody out.
   */
  isShunned(address: string): boolean {
    const isOwn = this.options.proxies > 0 || thisMachine.has(address)
    return !isOwn && this.unheard.has(address, mostUnheard, Date.now())
  }

  private async answer(
    request: IncomingMessage,
    body: Body,
    found: ReturnType<typeof matchRoute>,
    url: URL | null,
    { address, receivedAt }: { address: string; receivedAt: number },
  ): Promise<Answer> {
    if (!url || !found) throw new Refused(404, 'Not found.')
    if (!('route' in found)) throw new Refused(405, 'This address does not take this method.')
    const { route, parameters } = found
    const head: CallHead = {
      path: url.pathname,
      parameters,
      query: url.searchParams,
      headers: headersOf(request),
      receivedAt,
      signal: this.signal,
    }
    this.options.admission?.refuseHead?.(head)
    const caller = await this.admit(route, head)
    const { tenant, kind, name } = caller
    if (route.rate.of !== 'signer')
      this.count(
        route,
        route.rate.of === 'address' ? address : JSON.stringify([tenant, kind, name]),
        receivedAt,
      )
    await route.refuseHead?.(head)
    const bytes = await body.read()
    const count = (signer: string) => this.count(route, signer, receivedAt)
    return await route.handle({ ...head, body: bytes, caller, count })
  }

  /** Throws `Refused` for whoever may not call this. */
  private async admit({ scope, method }: Route, head: CallHead): Promise<Caller> {
    const { admission, isOperator, isMetricsReader } = this.options
    const token = bearerToken(head)
    switch (scope) {
      case 'public':
      case 'signed':
        return nobody
      case 'metrics':
        if (isMetricsReader?.(token) ?? true) return nobody
        throw new Refused(401, 'A valid token is required.')
      case 'operator':
        if (token !== '' && isOperator?.(token)) return operator
        throw new Refused(401, 'The admin token of the server is required.')
    }
    const caller = await admission?.identify(head, method !== 'GET')
    if (!caller) throw new Refused(401, 'Sign in, or send a valid token.')
    const scopes = admission?.scopesOn ? await admission.scopesOn(caller, head.parameters) : caller.scopes
    if (!scopes) throw new Refused(404, 'There is no such resource.')
    if (!scopes.has(scope)) throw new Refused(403, `This needs the permission \`${scope}\`.`)
    return caller
  }

  private count(route: Route, who: string, now: number): void {
    const counter = remembered(this.rates, route, () => new RateCounter(route.rate.seconds))
    if (counter.isOver(who, route.rate.most, now))
      throw new Refused(429, 'Too many requests of this kind; try again later.')
  }
}

function headersOf(request: IncomingMessage): CallHead['headers'] {
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
