/**
 * How everything is sent to the operator's collectors: within a time that is fixed beforehand, and never in the way of a
 * review. A server that is slow, down or answers nonsense costs what was to be sent, and nothing else.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { readBounded } from '../base/read-bounded.ts'

export type Destination = { name: string; url: string; headers: Readonly<Record<string, string>> }

/** `body`: of the last answer, when it was good and short enough. `why`: null when it was taken. */
export type Posted = { why: string | null; body: string }

const largestAnswer = 64 * 1024
const attempts = 3
const firstWaitMs = 200
const worthRepeating: ReadonlySet<number> = new Set([429, 502, 503, 504])
/** Smaller bodies gain nothing. */
const leastCompressed = 1_024

/** Never rejects. */
export async function post(
  { url, headers }: Destination,
  content: string,
  type: string,
  signal: AbortSignal,
): Promise<Posted> {
  const isCompressed = content.length >= leastCompressed
  const body = isCompressed ? gzipSync(content) : content
  let why = 'it was not reached in time'
  for (let attempt = 1; attempt <= attempts && !signal.aborted; attempt++) {
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': type,
          'user-agent': 'sightline',
          ...(isCompressed ? { 'content-encoding': 'gzip' } : {}),
          ...headers,
        },
        body,
        // Keys are for the address that the operator named.
        redirect: 'error',
        signal,
      })
      const text = (await readBounded(answer, largestAnswer)) ?? ''
      if (answer.ok) return { why: null, body: text }
      why = `it answered ${answer.status}`
      if (!worthRepeating.has(answer.status) || attempt === attempts) break
      await delay(waitOf(answer, attempt), undefined, { signal })
    } catch (error) {
      if (signal.aborted) break
      why = `it cannot be reached (${codeOf(error)})`
      if (attempt === attempts) break
      await delay(firstWaitMs * attempt, undefined, { signal }).catch(() => {})
    }
  }
  return { why, body: '' }
}

function waitOf({ headers }: Response, attempt: number): number {
  const seconds = Number(headers.get('retry-after'))
  return seconds > 0 ? seconds * 1000 : firstWaitMs * 2 ** attempt
}

function codeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : null
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'connection failed'
}
