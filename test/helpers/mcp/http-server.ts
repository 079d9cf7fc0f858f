/** An MCP server over streamable HTTP on 127.0.0.1, made with the official SDK. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { createMcpHandler, type McpServer } from '@modelcontextprotocol/server'
import { listen } from '../listen.ts'

/** Answers a request by itself, or returns false. `origin`: of this server. */
type Guard = (request: IncomingMessage, response: ServerResponse, body: Buffer, origin: string) => boolean

export async function startMcpServer(
  make: () => McpServer,
  guard: Guard = () => false,
): Promise<{ url: string }> {
  const handler = createMcpHandler(make)
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const origin = `http://${request.headers.host}`
    if (guard(request, response, body, origin)) return
    const answer = await handler.fetch(
      new Request(`${origin}${request.url}`, {
        method: request.method ?? 'GET',
        headers: request.headers as Record<string, string>,
        ...(body.length > 0 ? { body } : {}),
      }),
    )
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    if (answer.body) Readable.fromWeb(answer.body as never).pipe(response)
    else response.end()
  })
  return { url: `http://127.0.0.1:${await listen(server)}` }
}
