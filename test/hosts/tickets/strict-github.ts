/** A server that speaks as much of GitHub's REST API as is asked of it, and refuses what GitHub would refuse. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

type Answer = { status: number; body?: unknown; headers?: Record<string, string> }
/** Lists are given whole and served by pages. */
export type Routes = Readonly<Record<string, readonly object[] | object | Answer>>

export const token = 'ghp_for_tests_only'

/** Only GET, only with the token, a version and an agent; at most 100 entries to a page, as GitHub has it. */
export async function strictGitHub(routes: Routes) {
  const asked: string[] = []
  const refused: string[] = []
  const server = createServer((request, response) => {
    const { status, body, headers } = answerTo(request, routes)
    asked.push(`${request.method} ${request.url}`)
    if (status === 400 || status === 401 || status === 405) refused.push(`${status} ${request.url}`)
    send(response, status, body, headers)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, refused }
}

export function failure(status: number, headers: Record<string, string> = {}): Answer {
  return { status, headers, body: { message: 'no', documentation_url: 'https://docs.github.com/rest' } }
}

function answerTo({ method, url = '', headers }: IncomingMessage, routes: Routes): Answer {
  if (method !== 'GET') return failure(405)
  if (!headers['user-agent']) return failure(403)
  if (headers.authorization !== `Bearer ${token}`) return failure(401)
  if (headers['x-github-api-version'] !== '2022-11-28') return failure(400)
  if (headers.accept !== 'application/vnd.github+json') return failure(400)
  const { pathname, searchParams } = new URL(url, 'http://github')
  const route = routes[pathname]
  if (route === undefined) return failure(404)
  if ('status' in route && typeof route.status === 'number') return route as Answer
  if (!Array.isArray(route)) return { status: 200, body: route }
  const size = Math.min(100, Number(searchParams.get('per_page') ?? 30))
  const page = Number(searchParams.get('page') ?? 1)
  const isLast = page * size >= route.length
  const next = new URL(url, 'http://127.0.0.1:1')
  next.searchParams.set('page', String(page + 1))
  return {
    status: 200,
    body: route.slice((page - 1) * size, page * size),
    headers: isLast ? {} : { link: `<${next}>; rel="next"` },
  }
}

function send(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
  response.end(JSON.stringify(body))
}
