/** The HTTP side that all fake hosts share: git over HTTP, faults, and a log of everything that arrived. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Faults } from './faults.ts'
import { gitPath, serveGit } from './git-over-http.ts'
import type { Project } from './world.ts'

export type ApiRequest = {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** Undefined when there is none, or no JSON. */
  readonly body: unknown
}

/** `body` is sent as JSON, or as it is when it is a string. */
export type ApiAnswer = { status: number; body?: unknown; headers?: Readonly<Record<string, string>> }

export type LogEntry = ApiRequest & {
  /** Counted from 1. */
  readonly nth: number
  /** The operation of the published API, a GraphQL operation or `git fetch`; null when the host knows none. */
  operation: string | null
  /** Who asked; null without a token. */
  actor: string | null
  /** Whether it changed what the host remembers. */
  isWrite: boolean
  /** Null when the connection was dropped before an answer. */
  status: number | null
  /** Sent by git, with its headers; null for the API. */
  gitBytes: number | null
}

/** What a wire says of a request while it answers it. */
export type Notes = Pick<LogEntry, 'operation' | 'actor' | 'isWrite'>

export interface HostWire {
  answer(request: ApiRequest, notes: Notes): ApiAnswer | Promise<ApiAnswer>
  /** Whether the request would write, before it is answered. */
  isWrite(request: ApiRequest): boolean
  /** The project to read from, or the refusal. */
  readonly gitTipsOnly?: boolean
  openGit(fullName: string, headers: ApiRequest['headers'], notes: Notes): Project | ApiAnswer
}

export type HostServer = {
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly url: string
  readonly log: readonly LogEntry[]
  readonly faults: Faults
  close(): Promise<void>
}

export async function serveHost(makeWire: (url: string) => HostWire): Promise<HostServer> {
  const log: LogEntry[] = []
  const faults = new Faults()
  let wire: HostWire | null = null

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes = await readBody(incoming)
    const request = describe(incoming, bytes)
    const entry: LogEntry = {
      ...request,
      nth: log.length + 1,
      operation: null,
      actor: null,
      isWrite: false,
      status: null,
      gitBytes: null,
    }
    log.push(entry)
    if (!wire) throw new Error('The server does not listen yet')
    const git = gitPath(request.path)
    const met = git ? [] : faults.take({ ...request, isWrite: wire.isWrite(request) })
    for (const fault of met) {
      if (fault.kind === 'delay') await sleep(fault.ms)
      if (fault.kind === 'run') await fault.action()
    }
    if (met.some(({ kind }) => kind === 'drop-before')) return void response.socket?.resetAndDestroy()
    const refusal = met.find((fault) => fault.kind === 'fail-before')
    if (refusal?.kind === 'fail-before') return send(response, entry, failure(refusal.status))
    if (git) {
      const opened = wire.openGit(git.fullName, request.headers, entry)
      if ('status' in opened) return send(response, entry, opened)
      const query = incoming.url?.split('?')[1] ?? ''
      const { repository } = opened
      const sent = await serveGit(
        { repository, rest: git.rest, query, tipsOnly: wire.gitTipsOnly ?? false },
        incoming,
        bytes,
        response,
      )
      entry.status = sent.status
      entry.gitBytes = sent.bytes
      return
    }
    const answer = await wire.answer(request, entry)
    if (met.some(({ kind }) => kind === 'drop-after')) return void response.socket?.resetAndDestroy()
    const broken = met.find((fault) => fault.kind === 'fail-after')
    send(response, entry, broken?.kind === 'fail-after' ? failure(broken.status) : answer)
  }

  const server = createServer((incoming, response) => {
    void handle(incoming, response).catch((error: unknown) => {
      response.writeHead(500, { 'content-type': 'text/plain' })
      response.end(`The fake host failed: ${error instanceof Error ? error.stack : String(error)}`)
    })
  })
  // Git runs in this process and may block it for longer than a connection is kept; a client would then use a dead one.
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  wire = makeWire(url)
  return {
    url,
    log,
    faults,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function send(response: ServerResponse, entry: LogEntry, { status, body, headers = {} }: ApiAnswer): void {
  entry.status = status
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
  const type = typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8'
  response.writeHead(status, { ...(body === undefined ? {} : { 'content-type': type }), ...headers })
  response.end(text)
}

/** What a gateway in front of the host answers. What failed may be asked again at once, so that nobody waits. */
function failure(status: number): ApiAnswer {
  const headers = { 'content-type': 'text/html', ...(status >= 500 ? { 'retry-after': '0' } : {}) }
  return { status, body: `<html><title>${status}</title></html>`, headers }
}

async function readBody(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** Of a name that is given several times the last value; of one that ends with `[]` all, with commas between. */
function queryOf(parameters: URLSearchParams): Record<string, string> {
  const names = [...new Set(parameters.keys())]
  return Object.fromEntries(
    names.map((name) => {
      const values = parameters.getAll(name)
      return [name, name.endsWith('[]') ? values.join(',') : (values.at(-1) ?? '')]
    }),
  )
}

function describe(incoming: IncomingMessage, bytes: Buffer): ApiRequest {
  const url = new URL(incoming.url ?? '/', 'http://127.0.0.1')
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)] as const)
  const text = bytes.toString('utf8')
  return {
    method: incoming.method ?? 'GET',
    path: url.pathname,
    query: queryOf(url.searchParams),
    headers: Object.fromEntries(headers),
    text,
    body: parseJson(text),
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
