/** A small HTTP server on 127.0.0.1 that keeps what it was sent; every fake service of the tests stands on it. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Delivery, deliver } from './delivery.ts'

/** One request as it came. Header names are in lower case. */
export type ReceivedRequest = {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** The parsed body; undefined when it is empty or no JSON. */
  readonly body: unknown
  /** `aborted`: the client went before the end; `broken`: the server cut the connection, as it was told to. */
  outcome: 'pending' | 'answered' | 'aborted' | 'broken'
}

/** The body is a list of frames, such as the events of a stream; a plain body is one frame. */
export type HttpAnswer = {
  status: number
  headers: Readonly<Record<string, string>>
  frames: readonly Uint8Array[]
  delivery?: Delivery
}

export type HttpServer = {
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly url: string
  readonly requests: readonly ReceivedRequest[]
  /** Drops what is still open and frees the port. */
  close(): Promise<void>
}

/**
 * Listens on a free port, or on `port`. Bodies above `maxBodyBytes` (64 MiB when not given) are answered with
 * `tooLarge`, if there is one, and never parsed. What `handle` throws becomes a plain 500 with the message.
 */
export async function serve(
  handle: (request: ReceivedRequest) => HttpAnswer | Promise<HttpAnswer>,
  options: { port?: number; maxBodyBytes?: number; tooLarge?: () => HttpAnswer } = {},
): Promise<HttpServer> {
  const requests: ReceivedRequest[] = []
  const limit = options.maxBodyBytes ?? 64 * 1024 * 1024
  const server = createServer((incoming, response) => {
    void answer(incoming, response).catch((error: unknown) => response.destroy(error as Error))
  })

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(incoming, limit)
    const request = describe(incoming, body ?? Buffer.alloc(0))
    requests.push(request)
    const chosen =
      body === null && options.tooLarge
        ? options.tooLarge()
        : await Promise.resolve(request).then(handle).catch(crash)
    request.outcome = await deliver(response, chosen)
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** An answer with a JSON body. */
export function jsonAnswer(status: number, value: unknown, headers: Record<string, string> = {}): HttpAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    frames: [Buffer.from(JSON.stringify(value))],
  }
}

function crash(error: unknown): HttpAnswer {
  return jsonAnswer(500, { error: { message: `The fake server failed: ${String(error)}` } })
}

/** Null when the body is larger than the limit. */
async function readBody(incoming: IncomingMessage, limit: number): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming) {
    size += chunk.length
    if (size <= limit) chunks.push(chunk)
  }
  return size > limit ? null : Buffer.concat(chunks)
}

function describe(incoming: IncomingMessage, body: Buffer): ReceivedRequest {
  const url = new URL(incoming.url ?? '/', 'http://127.0.0.1')
  const text = body.toString('utf8')
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)] as const)
  return {
    method: incoming.method ?? 'GET',
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: Object.fromEntries(headers),
    text,
    body: parseJson(text),
    outcome: 'pending',
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
