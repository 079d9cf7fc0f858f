/** An MCP server over streamable HTTP on 127.0.0.1, made with the official SDK. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { createMcpHandler, type McpServer } from '@modelcontextprotocol/server'
import { onTestFinished } from 'vitest'

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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}
