/** GitHub's REST API as far as it is asked, as a server on 127.0.0.1 that refuses what GitHub would refuse. */
import { createServer, type IncomingMessage } from 'node:http'
import { listen } from '../../helpers/listen.ts'

/** What a path is answered with; a list is cut into pages. A function may answer otherwise. */
export type Answers = Record<string, unknown[] | object | ((page: number) => Answered)>
export type Answered = { status: number; body: unknown; headers?: Record<string, string> }

export const token = 'ghp_only-for-tests'

const versions = ['2022-11-28', '2026-03-10']
const mediaTypes = /^application\/(?:json|vnd\.github(?:\.[a-z-]+)?\+json)$|^\*\/\*$/

export async function startGitHub(answers: Answers) {
  const requests: { path: string; authorization: string | undefined; method: string }[] = []
  const mistakes: string[] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://github.test')
    const { authorization } = request.headers
    requests.push({ path: `${url.pathname}${url.search}`, authorization, method: request.method ?? '' })
    const refusal = refusalOf(request, url)
    if (refusal && ![401].includes(refusal.status)) mistakes.push(JSON.stringify(refusal.body))
    const { status, body, headers = {} } = refusal ?? answerTo(url, answers)
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
    response.end(JSON.stringify(body))
  })
  const url = `http://127.0.0.1:${await listen(server)}`
  return { url, requests, mistakes }
}

function refusalOf({ headers, method }: IncomingMessage, url: URL): Answered | null {
  const refuse = (status: number, message: string): Answered => ({ status, body: { message } })
  if (!headers['user-agent']) return refuse(403, 'Request forbidden by administrative rules.')
  if (headers.authorization !== undefined && headers.authorization !== `Bearer ${token}`)
    return refuse(401, 'Bad credentials')
  const version = headers['x-github-api-version']
  if (version !== undefined && !versions.includes(String(version)))
    return refuse(400, `${version} is not a supported version`)
  const accepted = (headers.accept ?? '*/*').split(',').map((type) => type.trim().split(';')[0] ?? '')
  if (!accepted.some((type) => mediaTypes.test(type))) return refuse(415, 'Unsupported Accept header')
  if (method !== 'GET') return refuse(403, 'Resource not accessible by personal access token')
  const size = Number(url.searchParams.get('per_page') ?? 30)
  const page = Number(url.searchParams.get('page') ?? 1)
  if (!Number.isInteger(size) || size < 1 || size > 100) return refuse(422, 'per_page is out of bounds')
  if (!Number.isInteger(page) || page < 1) return refuse(422, 'page is out of bounds')
  return null
}

function answerTo(url: URL, answers: Answers): Answered {
  const page = Number(url.searchParams.get('page') ?? 1)
  const size = Number(url.searchParams.get('per_page') ?? 30)
  const known = answers[decodeURIComponent(url.pathname)]
  if (known === undefined) return { status: 404, body: { message: 'Not Found' } }
  if (typeof known === 'function') return known(page)
  if (!Array.isArray(known)) return { status: 200, body: known }
  const rows = known.slice((page - 1) * size, page * size)
  const next = new URL(url)
  next.searchParams.set('page', String(page + 1))
  const headers = page * size < known.length ? { link: `<${next}>; rel="next"` } : {}
  return { status: 200, body: rows, headers: headers as Record<string, string> }
}
