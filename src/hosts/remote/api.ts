/**
 * How adapters ask the API of their host: JSON over the shared transport, lists page by page, and refusals in words that say
 * what a person can do. The token is in one header and nowhere else.
 */
import { z } from 'zod'
import { UserError } from '../../base/errors.ts'
import { askerOf, Refused } from './answers.ts'
import { type ChangeAddress, type HostAccess, WriteUnclear } from './contract.ts'

export type ApiOptions = Pick<ChangeAddress, 'apiUrl'> & {
  access: HostAccess
  /** Of every request: the token, and what else the host wants. */
  headers(signal: AbortSignal): Promise<Readonly<Record<string, string>>>
  page: {
    /** The parameter that says how many elements a page is to have, and the most that the host gives. */
    parameter: string
    size: number
    /** Where a list is in an answer; otherwise the answer is the list. */
    elements?(answer: unknown): unknown
    /** Servers may give fewer than they are asked for, so that only an empty page is the last one. */
    mayBeShort?: boolean
    /** Where pages have no number: the parameter that says how many elements come before. */
    skip?: string
    /** The address of the next page from an answer and its address; null behind the last one. Otherwise pages have numbers. */
    next?(answer: unknown, address: string): string | null
  }
  /** The right that a refusal says is missing, in the words of the host. */
  rightIn?(answer: Answer): string | undefined
}

/** `text`: the whole body. */
export type Answer = Pick<Response, 'status' | 'headers'> & { text: string }

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type ListOptions = {
  /** Read at most. */
  pages: number
  query?: Query
  /** More pages are an error; otherwise what is beyond is left out. */
  isWhole?: boolean
}

type Sent = { method: Method; body: object | null }

type Query = Readonly<Record<string, string | number>>

/** Paths begin with a slash. Every method throws `change-request-unknown`, `host-refused`, `Refused`, and as the transport does. */
export interface HostApi {
  ask(method: Method, path: string, body: object | null, signal: AbortSignal): Promise<Answer>
  get(path: string, signal: AbortSignal): Promise<unknown>
  /** The elements of a list; `elements`: where it is in an answer, if not where this API has its lists. */
  list(
    path: string,
    options: ListOptions,
    signal: AbortSignal,
    elements?: (answer: unknown) => unknown,
  ): Promise<unknown[]>
  send(method: Method, path: string, body: object | null, signal: AbortSignal): Promise<unknown>
  /** The same API, with paths below one that may change. */
  below(path: () => string): HostApi
}

export function openApi(options: ApiOptions, root: () => string = () => ''): HostApi {
  const { access, apiUrl, page: paging } = options
  const addressOf = (path: string) => `${apiUrl}${root()}${path}`
  const askAt = async (address: string, path: string, sent: Sent, signal: AbortSignal): Promise<Answer> => {
    const { method, body } = sent
    const response = await access.fetch(address, {
      method,
      headers: {
        accept: 'application/json',
        'user-agent': 'sightline',
        ...(body === null ? {} : { 'content-type': 'application/json' }),
        ...(await options.headers(signal)),
      },
      ...(body === null ? {} : { body: JSON.stringify(body) }),
      signal,
    })
    const { status, headers } = response
    const answer = { status, headers, text: await response.text() }
    if (response.ok) return answer
    throw refusal(options, `${method} ${path.replace(/\?.*/s, '') || '/'}`, answer)
  }
  const ask: HostApi['ask'] = (method, path, body, signal) =>
    askAt(addressOf(path), path, { method, body }, signal)
  const getAt = async (address: string, path: string, signal: AbortSignal) =>
    jsonOf(`GET ${path}`, await askAt(address, path, { method: 'GET', body: null }, signal))
  const get: HostApi['get'] = (path, signal) => getAt(addressOf(path), path, signal)
  return {
    ...{ ask, get },
    async list(path, { pages, query = {}, isWhole = false }, signal, elements = paging.elements) {
      const all: unknown[] = []
      const least = isWhole && paging.mayBeShort ? 1 : paging.size
      const addressAt = (page: number) => {
        const at = paging.next ? {} : paging.skip ? { [paging.skip]: all.length } : { page }
        return addressOf(withQuery(path, { [paging.parameter]: paging.size, ...query, ...at }))
      }
      let address: string | null = addressAt(1)
      for (let page = 1; page <= pages && address !== null; page++) {
        const answer = await getAt(address, path, signal)
        const found = z.array(z.unknown()).parse(elements ? elements(answer) : answer)
        all.push(...found)
        if (paging.next) address = ownAddress(apiUrl, paging.next(answer, address))
        else address = found.length < least ? null : addressAt(page + 1)
      }
      if (address === null || !isWhole) return all
      const words = `more than ${all.length} entries of ${path} cannot be read back`
      throw new UserError('host-unavailable', words)
    },
    send: async (method, path, body, signal) =>
      jsonOf(`${method} ${path}`, await ask(method, path, body, signal)),
    below: (path) => openApi(options, () => `${root()}${path()}`),
  }
}

/** The token goes to no other address, whatever an answer says. */
function ownAddress(apiUrl: string, address: string | null): string | null {
  if (address === null || address.startsWith(`${apiUrl}/`)) return address
  throw new UserError(
    'host-unavailable',
    `its next page is at ${address.slice(0, 200)}, which is not followed`,
  )
}

export function withQuery(path: string, query: Query): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) parameters.set(name, String(value))
  return parameters.size === 0 ? path : `${path}?${parameters}`
}

/** For git, and where an API wants it. */
export function basicAuthorization(user: string, token: string): string {
  return `Basic ${Buffer.from(`${user}:${token}`).toString('base64')}`
}

function jsonOf(request: string, { text }: Answer): unknown {
  try {
    return text === '' ? null : JSON.parse(text)
  } catch (error) {
    const words = `${request}: the answer is not JSON`
    throw request.startsWith('GET ')
      ? new UserError('host-unavailable', words, { cause: error })
      : new WriteUnclear(words, { cause: error })
  }
}

function refusal({ access, rightIn }: ApiOptions, place: string, answer: Answer): Error {
  const { status, text } = answer
  const who = askerOf(access)
  const said = messageIn(text).replace(/\s+/g, ' ').slice(0, 300)
  if (status === 404) return new UserError('change-request-unknown', `${who} does not see it (${place})`)
  if (status !== 401 && status !== 403) return new Refused(status, `${status} to ${place}: ${said}`)
  const why = status === 401 ? 'is not valid, has expired, or may not do this' : 'may not do this'
  const right = rightIn?.(answer)
  return new UserError(
    'host-refused',
    `${who} ${why} (${place})${right ? `; it needs ${right}` : ''}: ${said}`,
  )
}

const Message = z.object({ message: z.string() })
/** Of Bitbucket: Cloud, and Data Center. */
const Wrapped = z.object({ error: Message }).transform(({ error }) => error)
const Listed = z.object({ errors: z.tuple([Message], Message) }).transform(({ errors: [first] }) => first)

function messageIn(text: string): string {
  try {
    return z.union([Message, Wrapped, Listed]).safeParse(JSON.parse(text)).data?.message ?? text
  } catch {
    return text
  }
}
