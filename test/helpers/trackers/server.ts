/** A tracker's API as a server on 127.0.0.1 that refuses what the real one would refuse, and keeps what it was asked. */
import { createServer, type IncomingMessage } from 'node:http'
import { listen } from '../listen.ts'

export type Asked = { method: string; url: URL; headers: IncomingMessage['headers']; body: string }
export type Said = { status: number; body?: unknown; headers?: Record<string, string> }

export type StandIn = {
  url: string
  requests: Asked[]
  /** The next answers, in place of the usual ones: an outage, a limit. */
  next: Said[]
}

/** `say` answers what is well-formed; it throws `Said` to refuse. */
export async function startStandIn(say: (asked: Asked) => Said | Promise<Said>): Promise<StandIn> {
  const requests: Asked[] = []
  const next: Said[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const asked = {
      method: request.method ?? '',
      url: new URL(request.url ?? '', 'http://tracker.test'),
      headers: request.headers,
      body: Buffer.concat(chunks).toString('utf8'),
    }
    requests.push(asked)
    const said = next.shift() ?? (await answer(say, asked))
    response.writeHead(said.status, { 'content-type': 'application/json', ...said.headers })
    response.end(said.body === undefined ? '' : JSON.stringify(said.body))
  })
  return { url: `http://127.0.0.1:${await listen(server)}`, requests, next }
}

async function answer(say: (asked: Asked) => Said | Promise<Said>, asked: Asked): Promise<Said> {
  try {
    return await say(asked)
  } catch (refusal) {
    if (refusal instanceof Error) throw refusal
    return refusal as Said
  }
}

/** Every parameter must be known, and fit. */
export function demandQuery(url: URL, known: Readonly<Record<string, RegExp>>, status = 400): void {
  for (const [name, value] of url.searchParams)
    if (!known[name]?.test(value)) throw { status, body: { detail: `bad parameter ${name}=${value}` } }
}
