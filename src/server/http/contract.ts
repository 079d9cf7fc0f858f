/**
 * What a route of the server is: data, so that the listener, the tests that try every route with wrong credentials, and
 * the documentation all go through the same list.
 */
import type { RouteRules } from '../api/contract/common.ts'
import type { Caller, CallHead } from './caller.ts'

export type Call = CallHead & {
  readonly body: Buffer
  /** `nobody` on routes that ask for no credentials. */
  readonly caller: Caller
  /** Counts against the rate of the route, for a `signed` one that knows by now who has signed. Throws `Refused`. */
  count(signer: string): void
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

export type Route = RouteRules & {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** `/api/v1/reviews/{id}`; `/assets/*`: everything below, for routes that come after all others. */
  readonly path: string
  /** Throws `Refused` for what can be refused before the body is read. */
  refuseHead?(head: CallHead): Promise<void>
  /** Throws `Refused` or `UserError` for what the caller can fix. */
  handle(call: Call): Promise<Answer>
}

/** What a handler throws to refuse: `message` is shown to the caller. */
export class Refused extends Error {
  override readonly name: string = 'Refused'
  readonly status: number
  /** The parameter or property that is wrong; empty when it is none in particular. */
  readonly field: string

  constructor(status: number, message: string, field = '') {
    super(message)
    this.status = status
    this.field = field
  }
}
