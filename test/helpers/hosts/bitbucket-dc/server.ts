/** A Bitbucket Data Center on 127.0.0.1. It refuses what Bitbucket refuses; see `startGitHub` for violations. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Faults } from '../engine/faults.ts'
import {
  type ApiAnswer,
  type ApiRequest,
  type HostWire,
  type LogEntry,
  type Notes,
  serveHost,
} from '../engine/server.ts'
import { type Person, type Project, World } from '../engine/world.ts'
import { WriteLimit } from '../engine/write-limit.ts'
import { openApi } from '../openapi.ts'
import { publishedBitbucketDc } from './published.ts'
import { type Call, Refusal, routes, showUsers } from './routes.ts'
import { BitbucketDcState } from './state.ts'

export type FakeBitbucketDc = {
  /** The web address. Append `/projects/KEY/repos/name/pull-requests/1`. */
  readonly url: string
  readonly apiUrl: string
  readonly world: World
  readonly state: BitbucketDcState
  readonly faults: Faults
  readonly log: readonly LogEntry[]
  readonly violations: readonly string[]
  beginLimit(seconds: number): void
  /** An HTTP access token. `users`: it may list users. */
  addToken(login: string, scopes?: readonly string[]): string
  writes(): LogEntry[]
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

type Token = { person: Person; scopes: readonly string[] }

export async function startBitbucketDc(): Promise<FakeBitbucketDc> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-bitbucket-dc-'))
  const world = new World(folder)
  const state = new BitbucketDcState()
  const violations: string[] = []
  const tokens = new Map<string, Token>()
  const limit = new WriteLimit(world, violations)
  const server = await serveHost(() => new BitbucketDcWire({ world, tokens, violations, state, limit }))
  const close = async () => {
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return {
    url: server.url,
    apiUrl: `${server.url}/rest`,
    ...{ world, state, violations, faults: server.faults, log: server.log, close },
    beginLimit: (seconds) => limit.begin(seconds),
    addToken(login, scopes = ['users']) {
      const token = `BBDC-${randomBytes(30).toString('base64')}`
      tokens.set(token, { person: world.person(login), scopes })
      return token
    },
    writes: () => server.log.filter(({ isWrite }) => isWrite),
    [Symbol.asyncDispose]: close,
  }
}

const published = openApi('bitbucket-dc', publishedBitbucketDc)

type Parts = {
  world: World
  tokens: ReadonlyMap<string, Token>
  violations: string[]
  state: BitbucketDcState
  limit: WriteLimit
}

class BitbucketDcWire implements HostWire {
  /** Besides the heads of pull requests. */
  readonly gitTipsOnly = true
  private readonly parts: Parts
  private readonly pages = new Set<string>()

  constructor(parts: Parts) {
    this.parts = parts
  }

  isWrite({ method }: ApiRequest): boolean {
    return method !== 'GET'
  }

  openGit(path: string, headers: ApiRequest['headers'], notes: Notes): Project | ApiAnswer {
    notes.operation = 'git fetch'
    const token = this.tokenIn(headers)
    notes.actor = token?.person.login ?? null
    const wanted = { status: 401, headers: { 'www-authenticate': 'Basic realm="Atlassian Bitbucket"' } }
    if (headers.authorization !== undefined && !token) return wanted
    const found = path.startsWith('scm/') ? this.parts.world.find(path.slice('scm/'.length)) : null
    if (!found) return token ? { status: 404 } : wanted
    const { project } = found
    if (project.isPrivate && !token) return wanted
    if (token && project.roleOf(token.person.login) === 'none') return { status: 403 }
    for (const { number, head } of project.changes.values())
      project.repository.point(`refs/pull-requests/${number}/from`, head)
    return project
  }

  answer(request: ApiRequest, notes: Notes): ApiAnswer {
    const wait = this.isWrite(request) ? this.parts.limit.refuse(request) : 0
    if (wait > 0) return { status: 429, headers: { 'retry-after': String(wait) }, body: 'Rate limited' }
    try {
      const answer = this.carryOut(request, notes)
      notes.isWrite = this.isWrite(request) && answer.status < 300
      return answer
    } catch (error) {
      if (error instanceof Refusal) return error.answer
      throw error
    }
  }

  private carryOut(request: ApiRequest, notes: Notes): ApiAnswer {
    const { violations, state, world } = this.parts
    const token = this.tokenIn(request.headers)
    if (request.headers.authorization !== undefined && !token)
      throw new Refusal(401, 'Authentication failed. Please check your credentials and try again.')
    notes.actor = token?.person.login ?? null
    const path = request.path.replace(/^\/rest(?=\/)/, '')
    const operation = path === request.path ? null : published.match(request.method, path)
    if (!operation) {
      violations.push(`No such path: ${request.method} ${request.path}`)
      throw new Refusal(404, 'null for uri')
    }
    const { name, parameters } = operation
    notes.operation = name
    for (const wrong of published.checkQuery(name, request.query)) violations.push(`${name}: query${wrong}`)
    const { pages } = this
    const asked = { ...request, path }
    const answer =
      name === 'GET /api/latest/application-properties'
        ? showProperties(state.version)
        : name === 'GET /api/latest/users'
          ? showUsers(world, demandUsers(token, request.query), { request: asked, violations, pages })
          : this.onProject(asked, name, parameters, token)
    const wrong = published.checkAnswer(name, answer.status, answer.body)
    if (wrong.length > 0) violations.push(`The fake answers ${name} wrongly: ${wrong.join('; ')}`)
    const self = token && { 'x-auserid': String(token.person.id), 'x-ausername': token.person.login }
    return { ...answer, headers: { ...self, ...answer.headers } }
  }

  private onProject(
    request: ApiRequest,
    name: string,
    parameters: Call['parameters'],
    token: Token | null,
  ): ApiAnswer {
    const { world, violations, state } = this.parts
    const place = `${parameters.projectKey}/${parameters.repositorySlug}`
    const found = world.find(place)
    const route = routes[name]
    // A former name leads to what was renamed or moved.
    if (!route || !found) throw new Refusal(404, `Repository ${place} does not exist.`)
    const { project } = found
    if (project.isPrivate && (!token || project.roleOf(token.person.login) === 'none'))
      throw new Refusal(401, 'You are not permitted to access this resource')
    if (request.method !== 'GET' && !token) throw new Refusal(401, 'Authentication is required')
    const body = this.bodyOf(request, name)
    const person = token?.person ?? null
    const { pages } = this
    return route({ request, parameters, project, world, person, body, violations, state, pages })
  }

  private bodyOf({ method, body = {} }: ApiRequest, name: string): Call['body'] {
    if (method === 'GET' || method === 'DELETE') return {}
    const { wrong, unknown } = published.checkBody(name, body)
    for (const one of unknown) this.parts.violations.push(`${name}: ${one}`)
    if (wrong.length > 0) throw new Refusal(400, wrong.join(', '))
    return body as Call['body']
  }

  private tokenIn({ authorization = '' }: ApiRequest['headers']): Token | null {
    return this.parts.tokens.get(/^Bearer (\S+)$/i.exec(authorization)?.[1] ?? '') ?? null
  }
}

function showProperties(version: string): ApiAnswer {
  const build = { buildNumber: '9004001', buildDate: '1733000000000' }
  return { status: 200, body: { version, ...build, displayName: 'Bitbucket' } }
}

function demandUsers(token: Token | null, query: ApiRequest['query']): ApiRequest['query'] {
  if (!token?.scopes.includes('users'))
    throw new Refusal(401, 'You are not permitted to access this resource')
  return query
}
