/**
 * Version 1 of the API as routes: each resource of the contract with its handler. Who calls is known and what they send
 * has its shape before a handler sees it.
 */
import type { z } from 'zod'
import type { Caller } from '../http/caller.ts'
import { type Answer, type Call, Refused, type Route } from '../http/contract.ts'
import { apiBase } from './contract/common.ts'
import {
  type AnswerOf,
  type BodyOf,
  type QueryOf,
  type Resource,
  type ResourceName,
  resources,
} from './contract/resources.ts'
import { openapiDocument } from './openapi.ts'

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

/** `own`: those that this installation has; all other resources answer that they are not available. */
export function apiV1Routes(own: Partial<Handlers>): Route[] {
  const handlers = { openapi: async () => openapiDocument(), ...own }
  return Object.entries<Resource>(resources).map(([name, resource]) => {
    const { method, path, scope, tenant, audit, bodyBytes, rate } = resource
    return {
      ...{ method, path: `${apiBase}${path}`, scope, tenant, audit, bodyBytes, rate },
      handle: (call) => answer(name as ResourceName, resource, handlers, call),
    }
  })
}

async function answer(
  name: ResourceName,
  resource: Resource,
  handlers: Partial<Handlers>,
  call: Call,
): Promise<Answer> {
  // The table ties each handler to its resource; here all of them are one.
  const handle = handlers[name] as ((call: ApiCall<never>) => Promise<unknown>) | undefined
  if (!handle) throw new Refused(409, 'This installation does not have this.')
  const given = {
    caller: call.caller,
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

function read<Schema extends z.ZodType>(schema: Schema, given: unknown): z.infer<Schema> {
  const checked = schema.safeParse(given)
  if (checked.success) return checked.data
  const [issue] = checked.error.issues
  const field = issue?.path.map(String).join('.') ?? ''
  const message = issue?.message ?? 'is not valid'
  throw new Refused(400, field === '' ? message : `${field}: ${message}`, field)
}
