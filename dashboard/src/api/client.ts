/** Talks to the API of the server that handed out this page, and to nobody else. */
import type { AnswerOf, BodyOf, Parameters, Query, Readable, Writable, WriteMethod } from './contract.ts'

const base = '/api/v1'

export class ApiFailure extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** Gets `end` when an answer says that whoever looks is not signed in any more. */
export const signedOut = new EventTarget()

let csrf = ''

/** Every write carries it; it comes with the session. */
export function setCsrf(token: string): void {
  csrf = token
}

/** Rejects with `ApiFailure`, also when the server cannot be reached (status 0). */
export async function read<Path extends Readable>(
  path: Path,
  {
    parameters = {},
    query = {},
    signal,
  }: { parameters?: Parameters; query?: Query; signal?: AbortSignal } = {},
): Promise<AnswerOf<Path>> {
  const response = await send(addressOf(path, parameters, query), { signal: signal ?? null })
  return (await response.json()) as AnswerOf<Path>
}

export async function write<Method extends WriteMethod, Path extends Writable>(
  method: Method,
  path: Path,
  { parameters = {}, body }: { parameters?: Parameters; body?: BodyOf<Path, Method> } = {},
): Promise<AnswerOf<Path, Method>> {
  const response = await send(addressOf(path, parameters, {}), {
    method,
    headers: { 'content-type': 'application/json', 'x-sightline-csrf': csrf },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return (await response.json()) as AnswerOf<Path, Method>
}

/** The one-time token of `sightline ui`, or an API token, becomes a cookie that scripts cannot read. */
export async function signIn(token: string): Promise<void> {
  await send(`${base}/session/local`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  })
}

/**
 * Server-sent events, one by one, from a resource that streams; with a body it is a POST. Ends with the stream, or when
 * `signal` says so.
 */
export async function* stream<Path extends Readable | Writable>(
  path: Path,
  { parameters = {}, body, signal }: { parameters?: Parameters; body?: unknown; signal: AbortSignal },
): AsyncGenerator<AnswerOf<Path, 'GET' | 'POST'>> {
  const isWrite = body !== undefined
  const response = await send(addressOf(path, parameters, {}), {
    signal,
    headers: {
      accept: 'text/event-stream',
      ...(isWrite ? { 'content-type': 'application/json', 'x-sightline-csrf': csrf } : {}),
    },
    ...(isWrite ? { method: 'POST', body: JSON.stringify(body) } : {}),
  })
  if (!response.body) return
  let rest = ''
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const blocks = (rest + value).replaceAll('\r\n', '\n').split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const event = parseEvent(block)
        if (event) yield event as AnswerOf<Path, 'GET' | 'POST'>
      }
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}

function parseEvent(block: string): { event: string; data: unknown } | null {
  let event = 'message'
  const data: string[] = []
  for (const line of block.split('\n')) {
    if (line.startsWith('event:')) event = line.slice(6).trim()
    if (line.startsWith('data:')) data.push(line.slice(5).trimStart())
  }
  return data.length > 0 ? { event, data: JSON.parse(data.join('\n')) } : null
}

/** `/runs/{run}` with its parts filled in, escaped one by one. */
export function addressOf(path: string, parameters: Parameters, query: Query): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ''))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') search.set(name, String(value))
  return `${base}${filled}${search.size > 0 ? `?${search}` : ''}`
}

async function send(address: string, init: RequestInit): Promise<Response> {
  const response = await fetch(address, { credentials: 'same-origin', ...init }).catch((error: unknown) => {
    if (init.signal?.aborted) throw error
    throw new ApiFailure(0, 'unreachable', 'The server cannot be reached. Check that it is still running.')
  })
  if (response.ok) return response
  const said = await response.json().catch(() => null)
  const { code = 'unavailable', message = `The server answered ${response.status}.` } = said?.error ?? {}
  if (code === 'sign-in-required') signedOut.dispatchEvent(new Event('end'))
  throw new ApiFailure(response.status, String(code), String(message))
}
