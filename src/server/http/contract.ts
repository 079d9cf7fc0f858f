/**
 * What a route of the server is: data, so that the listener, the tests that try every route with wrong credentials, and
 * the documentation all go through the same list.
 */

/**
 * Who may call a route. `public`: anybody. `webhook`: checks the signature by itself. `tenant`: a token of a tenant, and
 * sees only what is of that tenant. `admin`: the operator. `metrics`: whoever has the metrics token, if one is set. `member`:
 * checks by itself whether a session or a token of version 1 of the API may do this.
 */
export type RouteAccess = 'public' | 'webhook' | 'tenant' | 'admin' | 'metrics' | 'member'

export type Call = {
  /** Of the address, without its query. */
  readonly path: string
  /** Parts of the path in braces. */
  readonly parameters: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Buffer
  /** Milliseconds. */
  readonly receivedAt: number
  /** Of a route with access `tenant`; empty otherwise. */
  readonly tenant: string
  readonly signal: AbortSignal
}

/** `body` is sent as JSON, or as it is (a text or bytes) with `type`. */
export type Answer = {
  status: number
  body?: unknown
  type?: string
  /** Server-sent events, each whole; they take the place of a body. Ended when the client has gone. */
  events?: AsyncIterable<string>
  headers?: Readonly<Record<string, string>>
  /** Values of `Set-Cookie`. */
  cookies?: readonly string[]
}

export type Route = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** `/api/reviews/{id}`; `/assets/*`: everything below, for routes that come after all others. */
  readonly path: string
  readonly access: RouteAccess
  /** Largest body in bytes; without it, the route takes none. */
  readonly bodyBytes?: number
  handle(call: Call): Promise<Answer>
}

/** What a handler throws to refuse: `message` is shown to the caller. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}
