/**
 * How trackers are asked, and the issues of hosts: JSON over `fetch`, only ever read, answers bounded, no redirect followed, and
 * one more try where the service is down for a moment or asks to wait a little. A refusal says which variable holds the token,
 * never the token.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { readBounded } from '../../base/read-bounded.ts'
import { trimTrailing } from '../../base/trim-text.ts'

export type TrackerAccess = {
  /** For messages: `Jira`. */
  readonly name: string
  /** Root of the API, from the operator's settings. */
  readonly url: string
  /** Variable that holds the token, for messages; null where none is sent. */
  readonly tokenName: string | null
  /** For messages, of a service that refuses a token without it as one that is not valid: `the scope Work Items (Read)`. */
  readonly needs?: string
  /** That which carries the token, complete, and others that the service wants. */
  readonly headers: Readonly<Record<string, string>>
  /** Further answers that mean that nothing is there, besides 404 and 410. */
  readonly absent?: readonly number[]
  /** How a page of a list is asked for, and the most that the host gives on one; `per_page` and 100 where nothing is said. */
  readonly page?: { parameter: string; size: number }
  readonly fetch: typeof globalThis.fetch
}

export interface TrackerClient {
  /** Null for what does not exist or may not be seen. Throws a plain sentence for any other refusal. */
  get(path: string, query: Readonly<Record<string, string>>, signal: AbortSignal): Promise<unknown>
  /** The elements of a list whose pages are counted; throws as `get` does. */
  list(
    path: string,
    options: { query?: Readonly<Record<string, string>>; pages: number },
    signal: AbortSignal,
  ): AsyncGenerator<unknown>
  /** A question in a body, such as GraphQL. */
  ask(path: string, body: object, signal: AbortSignal): Promise<unknown>
}

const largestAnswer = 4 * 1024 * 1024
/** A longer wait is not worth a ticket. */
const longestWaitSeconds = 5
const retryMs = 300

export function openTracker(access: TrackerAccess): TrackerClient {
  const { name, url, tokenName, needs, absent = [], fetch } = access
  const { parameter, size } = access.page ?? { parameter: 'per_page', size: 100 }
  const root = trimTrailing(url, '/')
  const send = async (path: string, init: RequestInit, signal: AbortSignal): Promise<unknown> => {
    for (let attempt = 1; ; attempt++) {
      const answer = await fetch(`${root}${path}`, { ...init, redirect: 'manual', signal })
      const { status, headers } = answer
      const place = path === '' ? name : `${name} (${path.replace(/\?.*/s, '')})`
      if (status >= 200 && status < 300) return await jsonOf(answer, place)
      const said = status === 400 ? await readBounded(answer, largestAnswer) : await cancel(answer)
      if ([404, 410, ...absent].includes(status)) return null
      const waitMs = waitOf(status, headers, said)
      if (waitMs !== null && attempt === 1 && waitMs <= longestWaitSeconds * 1000) {
        await delay(waitMs, undefined, { signal })
        continue
      }
      throw new Error(refusal(status, place, { tokenName, needs, waitMs }))
    }
  }
  const headers = { accept: 'application/json', 'user-agent': 'sightline', ...access.headers }
  const get: TrackerClient['get'] = (path, query, signal) => {
    const parameters = new URLSearchParams(query)
    return send(parameters.size > 0 ? `${path}?${parameters}` : path, { headers }, signal)
  }
  return {
    get,
    // Pages are counted: the address of the next one, where a host sends it, may be anybody's.
    async *list(path, { query = {}, pages }, signal) {
      for (let page = 1; page <= pages; page++) {
        const answer = await get(path, { ...query, [parameter]: String(size), page: String(page) }, signal)
        const elements = z.array(z.unknown()).parse(answer ?? [])
        yield* elements
        if (elements.length < size) return
      }
    },
    ask: (path, body, signal) =>
      send(
        path,
        {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        },
        signal,
      ),
  }
}

async function jsonOf(answer: Response, place: string): Promise<unknown> {
  const text = await readBounded(answer, largestAnswer)
  if (text === null) throw new Error(`the answer of ${place} is too large`)
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`the answer of ${place} is not JSON`)
  }
}

/** What a refusal says is foreign text, and its status is enough. */
async function cancel({ body }: Response): Promise<null> {
  await body?.cancel()
  return null
}

/** Milliseconds, where trying again may help; null where it does not. */
function waitOf(status: number, headers: Headers, said: string | null): number | null {
  if (status >= 500) return retryMs
  if (!isLimit(status, headers, said)) return null
  const asked = headers.get('retry-after') ?? ''
  const seconds = /^\d+$/.test(asked) ? Number(asked) : (Date.parse(asked) - Date.now()) / 1000
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : 60_000
}

/** Linear refuses with 400 and a code, GitHub with 403 and its headers. */
function isLimit(status: number, headers: Headers, said: string | null): boolean {
  if (status === 400) return said?.includes('"RATELIMITED"') ?? false
  if (status === 403) return headers.has('retry-after') || headers.get('x-ratelimit-remaining') === '0'
  return status === 429
}

function refusal(
  status: number,
  place: string,
  { tokenName, needs, waitMs }: Pick<TrackerAccess, 'tokenName' | 'needs'> & { waitMs: number | null },
): string {
  if (status >= 300 && status < 400) return `${place} redirects, which is not followed`
  if (status < 500 && waitMs !== null)
    return `${place} asks to wait for ${Math.ceil(waitMs / 1000)} seconds (status ${status})`
  const asked = tokenName === null ? 'a request without a token' : `the token in ${tokenName}`
  if (status === 401) return `${place} does not accept ${asked}${needs ? `, which needs ${needs}` : ''}`
  if (status === 403) return `${place} does not allow this to ${asked}`
  return `${place} answered with status ${status}`
}
