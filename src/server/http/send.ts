/** Answers as bytes: one body, or a stream of events that waits for a slow reader. */
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Answer } from './contract.ts'

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

/** `isRead`: the whole body of the request was read. */
export function send(
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

export async function sendEvents(
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
  const closed = new AbortController()
  const end = () => {
    closed.abort()
    void iterator.return?.()?.catch(() => {})
  }
  response.once('close', end)
  signal.addEventListener('abort', end, { once: true })
  try {
    for (let next = await iterator.next(); !next.done && !closed.signal.aborted; next = await iterator.next())
      if (!response.write(next.value)) await once(response, 'drain', closed).catch(() => {})
  } finally {
    clearInterval(beat)
    signal.removeEventListener('abort', end)
    response.end()
  }
}
