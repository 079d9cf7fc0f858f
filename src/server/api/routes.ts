/**
 * Version 1 of the API as routes: each resource of the contract with its handler. Who calls is known and what they send
 * has its shape before a handler sees it; whatever goes wrong is answered in one shape.
 */
import type { z } from 'zod'
import { UserError } from '../../base/errors.ts'
import { type Answer, type Call, Refused, type Route } from '../http/contract.ts'
import type { Admission, Caller } from './caller.ts'
import { type ApiError, apiBase, type ErrorCode } from './contract/common.ts'
import {
  type AnswerOf,
  type BodyOf,
  type QueryOf,
  type Resource,
  type ResourceName,
  resources,
} from './contract/resources.ts'

export type ApiCall<Name extends ResourceName> = {
  caller: Caller
  /** Parts of the path in braces. */
  parameters: Readonly<Record<string, string>>
  query: QueryOf<Name>
  body: BodyOf<Name>
  signal: AbortSignal
}

type StreamName = {
  [Name in ResourceName]: (typeof resources)[Name] extends { isStream: true } ? Name : never
}[ResourceName]

/** An answer that sets a cookie. */
export class WithCookie<Body> {
  readonly body: Body
  readonly cookie: string

  constructor(body: Body, cookie: string) {
    this.body = body
    this.cookie = cookie
  }
}

/** One for each resource. Throws `Refused`, or `UserError` for what the caller can fix. */
export type Handlers = {
  [Name in ResourceName]: (
    call: ApiCall<Name>,
  ) => Promise<
    Name extends StreamName ? AsyncIterable<AnswerOf<Name>> : AnswerOf<Name> | WithCookie<AnswerOf<Name>>
  >
}

const largestBody = 64 * 1024

/** `handlers`: those that this installation has; all other resources answer that they are not available. */
export function apiV1Routes(
  handlers: Partial<Handlers>,
  admission: Admission,
  reportFailure: (route: string, error: unknown) => void,
): Route[] {
  const names = Object.keys(resources) as ResourceName[]
  return [
    ...names.map((name) => routeOf(name, handlers, admission, reportFailure)),
    ...(['GET', 'POST', 'PATCH', 'DELETE'] as const).map((method) => ({
      method,
      path: `${apiBase}/*`,
      access: 'member' as const,
      handle: async () => failure(new Refused(404, 'There is no such resource.')),
    })),
  ]
}

function routeOf(
  name: ResourceName,
  handlers: Partial<Handlers>,
  admission: Admission,
  reportFailure: (route: string, error: unknown) => void,
): Route {
  const resource: Resource = resources[name]
  const path = `${apiBase}${resource.path}`
  return {
    method: resource.method,
    path,
    access: resource.scope === 'public' ? 'public' : 'member',
    ...(resource.body ? { bodyBytes: largestBody } : {}),
    async handle(call) {
      try {
        return await answer(name, resource, handlers, admission, call)
      } catch (error) {
        if (!(error instanceof Refused) && !(error instanceof UserError)) reportFailure(path, error)
        return failure(error)
      }
    },
  }
}

async function answer(
  name: ResourceName,
  resource: Resource,
  handlers: Partial<Handlers>,
  admission: Admission,
  call: Call,
): Promise<Answer> {
  const caller = await admission.identify(call, resource.method !== 'GET')
  if (resource.scope !== 'public') {
    if (!caller) throw new Refused(401, 'Sign in, or send a valid token.')
    const scopes = (await admission.scopesOn?.(caller, call.parameters)) ?? null
    if (admission.scopesOn && !scopes) throw new Refused(404, 'There is no such resource.')
    if (!(scopes ?? caller.scopes).has(resource.scope))
      throw new Refused(403, `This needs the permission \`${resource.scope}\`.`)
  }
  // The table ties each handler to its resource; here all of them are one.
  const handle = handlers[name] as ((call: ApiCall<never>) => Promise<unknown>) | undefined
  if (!handle) throw new Refused(409, 'This installation does not have this.')
  const given = {
    caller: caller ?? nobody,
    parameters: call.parameters,
    query: resource.query ? read(resource.query, Object.fromEntries(call.query)) : {},
    body: resource.body ? read(resource.body, parseBody(call)) : null,
    signal: call.signal,
  }
  const result = await handle(given as ApiCall<never>)
  if (result instanceof WithCookie) return { status: 200, body: result.body, cookies: [result.cookie] }
  return resource.isStream
    ? { status: 200, events: eventLines(result as AsyncIterable<{ event: string; data: unknown }>) }
    : { status: 200, body: result }
}

/** For resources that anybody may read. */
const nobody: Caller = {
  kind: 'person',
  name: '',
  tenant: '',
  scopes: new Set(),
  repositories: null,
  session: { tenants: [], user: null, role: 'viewer', csrf: '', expiresAt: null },
}

async function* eventLines(events: AsyncIterable<{ event: string; data: unknown }>): AsyncGenerator<string> {
  for await (const { event, data } of events) yield `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

function parseBody({ body, headers }: Call): unknown {
  if (!/^application\/json\b/i.test(headers['content-type'] ?? ''))
    throw new Refused(415, 'Send JSON, with the content type application/json.')
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    throw new Refused(400, 'The body is not JSON.')
  }
}

class InvalidField extends Refused {
  readonly field: string

  constructor(field: string, message: string) {
    super(400, field === '' ? message : `${field}: ${message}`)
    this.field = field
  }
}

function read<Schema extends z.ZodType>(schema: Schema, given: unknown): z.infer<Schema> {
  const checked = schema.safeParse(given)
  if (checked.success) return checked.data
  const [issue] = checked.error.issues
  throw new InvalidField(issue?.path.map(String).join('.') ?? '', issue?.message ?? 'is not valid')
}

const codes: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid',
  401: 'sign-in-required',
  403: 'forbidden',
  404: 'not-found',
  409: 'conflict',
  413: 'too-large',
  415: 'invalid',
  429: 'too-many',
}

/** What the caller cannot fix says nothing of the inside. */
export function failure(error: unknown): Answer {
  const [status, message] =
    error instanceof Refused
      ? [error.status, error.message]
      : error instanceof UserError
        ? [statusOf(error), error.message]
        : [503, 'The server cannot answer this now; try again later.']
  const field = error instanceof InvalidField && error.field !== '' ? { field: error.field } : {}
  const body: ApiError = { error: { code: codes[status] ?? 'unavailable', message, ...field } }
  return { status, body, ...(status === 503 ? { headers: { 'retry-after': '5' } } : {}) }
}

function statusOf({ code }: UserError): number {
  if (code === 'run-unknown') return 404
  return code.endsWith('-unavailable') ? 503 : 409
}
