/**
 * `/mcp`: the MCP server of a server, over streamable HTTP. A call belongs to the tenant of its token and to no one else;
 * a browser's session is not enough, so no page that a person visits can ask here.
 */
import { randomBytes } from 'node:crypto'
import { createFence } from '../../base/untrusted/untrusted.ts'
import { largestBody, rates } from '../api/contract/common.ts'
import type { CallHead } from '../http/caller.ts'
import { bearerToken, type Caller } from '../http/caller.ts'
import { type Answer, type Call, Refused, type Route } from '../http/contract.ts'
import type { AgentHome } from './tools.ts'

export type AgentRouteParts = {
  /** Of the server, as people reach it; null when it is not set. */
  url: string | null
  homeOf(caller: Caller): AgentHome
}

export function agentRoute({ url, homeOf }: AgentRouteParts): Route {
  return {
    method: 'POST',
    path: '/mcp',
    ...{ scope: 'read', tenant: 'caller', audit: { none: 'a tool that changes something records it' } },
    // Some tools ask for a review.
    ...{ bodyBytes: largestBody, rate: rates.change },
    async refuseHead(head) {
      refuseOtherSites(head, url)
      if (bearerToken(head) === '') throw new Refused(401, 'A token with the scope read is required.')
    },
    async handle(call) {
      const { caller } = call
      const [{ createMcpHandler }, { openAgentServer }] = await Promise.all([
        import('@modelcontextprotocol/server'),
        import('./tools.ts'),
      ])
      const fence = createFence(randomBytes(12).toString('hex'))
      const handler = createMcpHandler(() => openAgentServer(homeOf(caller), fence))
      return await answerOf(await handler.fetch(requestOf(call)), () => handler.close())
    },
  }
}

/** A browser names the site that asks; programs name none. The name of the host must be the server's or this machine's. */
function refuseOtherSites({ headers }: CallHead, url: string | null): void {
  const own = url === null ? null : new URL(url)
  const { origin, host = '' } = headers
  if (origin !== undefined && origin !== own?.origin) throw new Refused(403, 'Another site may not ask this.')
  const isHere = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(host)
  if (own !== null && host !== own.host && !isHere) throw new Refused(403, 'This address is not served here.')
}

function requestOf({ headers, body, signal }: Call): Request {
  const kept = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined || name === 'authorization' || name === 'content-length' ? [] : [[name, value]],
  )
  return new Request('http://server/mcp', {
    method: 'POST',
    headers: kept,
    body: new Uint8Array(body),
    signal,
  })
}

/** A call with progress is answered as a stream of events, any other as JSON. */
async function answerOf(response: Response, close: () => Promise<void>): Promise<Answer> {
  const { status, headers, body } = response
  const type = headers.get('content-type') ?? 'application/json'
  if (body !== null && type.startsWith('text/event-stream')) return { status, events: textOf(body, close) }
  const text = await response.text()
  await close()
  return { status, body: text, type }
}

async function* textOf(body: ReadableStream<Uint8Array>, close: () => Promise<void>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  try {
    for await (const chunk of body) yield decoder.decode(chunk, { stream: true })
  } finally {
    await close()
  }
}
