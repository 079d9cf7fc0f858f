/**
 * How trackers are asked: JSON over `fetch`, only ever read, answers bounded, no redirect followed, and one more try where
 * the service is down for a moment or asks to wait a little. A refusal says which variable holds the token, never the token.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { readBounded } from '../../base/read-bounded.ts'
import { trimTrailing } from '../../base/trim-text.ts'

export type TrackerAccess = {
  /** For messages: `Jira`. */
  readonly name: string
  /** Root of the API, from the operator's settings. */
  readonly url: string
  /** Variable that holds the token, for messages. */
  readonly tokenName: string
  /** The header that carries the token, complete. */
  readonly authorization: Readonly<Record<string, string>>
  readonly fetch: typeof globalThis.fetch
}

export interface TrackerClient {
  /** Null for what does not exist or may not be seen. Throws a plain sentence for any other refusal. */
  get(path: string, query: Readonly<Record<string, string>>, signal: AbortSignal): Promise<unknown>
  /** A question in a body, such as GraphQL. */
  ask(path: string, body: object, signal: AbortSignal): Promise<unknown>
}

const largestAnswer = 4 * 1024 * 1024
/** A longer wait is not worth a ticket. */
const longestWaitSeconds = 5
const retryMs = 300

export function openTracker({ name, url, tokenName, authorization, fetch }: TrackerAccess): TrackerClient {
  const root = trimTrailing(url, '/')
  const send = async (path: string, init: RequestInit, signal: AbortSignal): Promise<unknown> => {
    for (let attempt = 1; ; attempt++) {
      const answer = await fetch(`${root}${path}`, { ...init, redirect: 'manual', signal })
      const { status, headers } = answer
      const place = path === '' ? name : `${name} (${path.replace(/\?.*/s, '')})`
      if (status >= 200 && status < 300) return await jsonOf(answer, place)
      const said = status === 400 ? await readBounded(answer, largestAnswer) : await cancel(answer)
      if (status === 404 || status === 410) return null
      const waitMs = waitOf(status, headers, said)
      if (waitMs !== null && attempt === 1 && waitMs <= longestWaitSeconds * 1000) {
        await delay(waitMs, undefined, { signal })
        continue
      }
      throw new Error(refusal(status, place, { tokenName, waitMs }))
    }
  }
  const headers = { accept: 'application/json', 'user-agent': 'sightline', ...authorization }
  return {
    get: (path, query, signal) => {
      const parameters = new URLSearchParams(query)
      return send(parameters.size > 0 ? `${path}?${parameters}` : path, { headers }, signal)
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

/** Milliseconds, where trying again may help; null where it does not. Linear refuses with 400 and a code. */
function waitOf(status: number, headers: Headers, said: string | null): number | null {
  if (status >= 500) return retryMs
  if (status !== 429 && !(status === 400 && said?.includes('"RATELIMITED"'))) return null
  const asked = headers.get('retry-after') ?? ''
  const seconds = /^\d+$/.test(asked) ? Number(asked) : (Date.parse(asked) - Date.now()) / 1000
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : 60_000
}

function refusal(
  status: number,
  place: string,
  { tokenName, waitMs }: { tokenName: string; waitMs: number | null },
): string {
  if (status === 401) return `${place} does not accept the token in ${tokenName}`
  if (status === 403) return `${place} does not allow this to the token in ${tokenName}`
  if (status >= 300 && status < 400) return `${place} redirects, which is not followed`
  if (status < 500 && waitMs !== null)
    return `${place} asks to wait for ${Math.ceil(waitMs / 1000)} seconds (status ${status})`
  return `${place} answered with status ${status}`
}
