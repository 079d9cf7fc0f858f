/** A Bitbucket Cloud on 127.0.0.1. It refuses what Bitbucket refuses; see `startGitHub` for violations. */
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
import { publishedBitbucket } from './published.ts'
import { showUser, uuidOf } from './render.ts'
import { type Call, Refusal, routes } from './routes.ts'

export type FakeBitbucket = {
  /** The web address. Append `/workspace/name/pull-requests/1`. */
  readonly url: string
  readonly apiUrl: string
  readonly world: World
  readonly faults: Faults
  readonly log: readonly LogEntry[]
  readonly violations: readonly string[]
  /** Writes are refused for so long; no header says how long that is. */
  beginLimit(seconds: number): void
  /** An access token, or for `email` an API token as it is given to us, behind its address. */
  addToken(login: string, scopes?: readonly string[], email?: string): string
  writes(): LogEntry[]
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

type Token = { person: Person; scopes: readonly string[] }

const defaultScopes = ['account', 'repository', 'pullrequest']
const leastWaitMs = 60_000

export async function startBitbucket(): Promise<FakeBitbucket> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-bitbucket-'))
  const world = new World(folder)
  const violations: string[] = []
  const tokens = new Map<string, Token>()
  const limit = new WriteLimit(world, violations, leastWaitMs)
  const server = await serveHost(() => new BitbucketWire(world, tokens, violations, limit))
  const close = async () => {
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return {
    url: server.url,
    apiUrl: `${server.url}/2.0`,
    ...{ world, violations, faults: server.faults, log: server.log, close },
    beginLimit: (seconds) => limit.begin(seconds),
    addToken(login, scopes = defaultScopes, email) {
      const secret = randomBytes(20).toString('hex')
      const token = email === undefined ? secret : `${email}:${secret}`
      tokens.set(token, { person: world.person(login), scopes })
      return token
    },
    writes: () => server.log.filter(({ isWrite }) => isWrite),
    [Symbol.asyncDispose]: close,
  }
}

const published = openApi('bitbucket', publishedBitbucket)

class BitbucketWire implements HostWire {
  readonly gitTipsOnly = true
  private readonly world: World
  private readonly tokens: ReadonlyMap<string, Token>
  private readonly violations: string[]
  private readonly limit: WriteLimit
  private readonly pages = new Set<string>()

  constructor(world: World, tokens: ReadonlyMap<string, Token>, violations: string[], limit: WriteLimit) {
    this.world = world
    this.tokens = tokens
    this.violations = violations
    this.limit = limit
  }

  isWrite({ method }: ApiRequest): boolean {
    return method !== 'GET'
  }

  /** The secret is the password; which kind of token it is, the name says. */
  openGit(fullName: string, headers: ApiRequest['headers'], notes: Notes) {
    notes.operation = 'git fetch'
    const [name, password] = decoded(headers.authorization)
    const token = this.tokenOfGit(name, password)
    notes.actor = token?.person.login ?? null
    const found = this.world.find(fullName)
    const wanted = { status: 401, headers: { 'www-authenticate': 'Basic realm="Bitbucket.org HTTP"' } }
    if (headers.authorization !== undefined && !token) return wanted
    if (!found || found.isFormer) return token ? { status: 404 } : wanted
    if (!found.project.isPrivate) return found.project
    if (!token) return wanted
    return found.project.roleOf(token.person.login) === 'none' ? { status: 404 } : found.project
  }

  private tokenOfGit(name: string, password: string): Token | null {
    if (name === 'x-token-auth') return this.tokens.get(password) ?? null
    if (name !== 'x-bitbucket-api-token-auth') return null
    return [...this.tokens].find(([token]) => token.endsWith(`:${password}`))?.[1] ?? null
  }

  answer(request: ApiRequest, notes: Notes): ApiAnswer {
    if (this.isWrite(request) && this.limit.refuse(request) > 0)
      return { status: 429, body: 'Rate limit for this resource has been exceeded' }
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
    const token = this.identify(request.headers)
    notes.actor = token?.person.login ?? null
    const path = request.path.replace(/^\/2\.0(?=\/)/, '')
    const operation = path === request.path ? null : published.match(request.method, path)
    if (!operation) {
      this.violations.push(`No such path: ${request.method} ${request.path}`)
      throw new Refusal(404, 'There is no API hosted at this URL')
    }
    const { name, parameters } = operation
    notes.operation = name
    const asked = { ...request, path }
    const answer = name === 'GET /user' ? showSelf(token) : this.onProject(asked, name, parameters, token)
    const wrong = published.checkAnswer(name, answer.status, answer.body)
    if (wrong.length > 0) this.violations.push(`The fake answers ${name} wrongly: ${wrong.join('; ')}`)
    return { ...answer, headers: { 'x-oauth-scopes': token?.scopes.join(', ') ?? '', ...answer.headers } }
  }

  private onProject(
    request: ApiRequest,
    name: string,
    parameters: Call['parameters'],
    token: Token | null,
  ): ApiAnswer {
    const route = routes[name]
    if (route && token) demandScope(token, route.scope)
    const project = this.find(parameters.workspace ?? '', decodeURIComponent(parameters.repo_slug ?? ''))
    if (project?.isPrivate && !token) throw new Refusal(401, 'Authentication is required')
    if (!route || !project || project.roleOf(token?.person.login ?? '') === 'none')
      throw new Refusal(404, `Repository ${parameters.workspace}/${parameters.repo_slug} not found`)
    if (request.method !== 'GET' && !token) throw new Refusal(401, 'Authentication is required')
    const { world, violations, pages } = this
    // Where it was asked, which is not always where it calls itself.
    const api = `http://${request.headers.host}/2.0`
    for (const wrong of published.checkQuery(name, request.query)) violations.push(`${name}: query${wrong}`)
    const body = this.bodyOf(request, name)
    const person = token?.person ?? null
    return route.handle({ request, parameters, project, world, person, body, api, violations, pages })
  }

  /** By its name of today: former names lead nowhere. By its id, it is found wherever it was moved. */
  private find(workspace: string, slugOrId: string): Project | undefined {
    if (slugOrId.startsWith('{')) return this.world.projects.find(({ id }) => uuidOf(id) === slugOrId)
    const found = this.world.find(`${workspace}/${slugOrId}`)
    return found?.isFormer ? undefined : found?.project
  }

  private bodyOf({ method, body = {} }: ApiRequest, name: string): Call['body'] {
    if (method === 'GET' || method === 'DELETE') return {}
    const { wrong, unknown } = published.checkBody(name, body)
    for (const one of unknown) this.violations.push(`${name}: ${one}`)
    if (wrong.length > 0) throw new Refusal(400, wrong.join(', '))
    return body as Call['body']
  }

  private identify({ authorization }: ApiRequest['headers']): Token | null {
    if (authorization === undefined) return null
    const bearer = /^Bearer (\S+)$/i.exec(authorization)?.[1]
    // An API token is known by the address of its account only.
    const token = this.tokens.get(bearer ?? decoded(authorization).join(':'))
    if (!token) throw new Refusal(401, 'Token is invalid, expired, or not supported for this endpoint.')
    return token
  }
}

function decoded(authorization = ''): [string, string] {
  const [, encoded = ''] = /^Basic (\S+)$/i.exec(authorization) ?? []
  const [name = '', ...password] = Buffer.from(encoded, 'base64').toString('utf8').split(':')
  return [name, password.join(':')]
}

function showSelf(token: Token | null): ApiAnswer {
  if (!token) throw new Refusal(401, 'Authentication is required')
  demandScope(token, 'account')
  return { status: 200, body: showUser(token.person) }
}

function demandScope({ scopes }: Token, scope: string): void {
  if (scopes.some((one) => one === scope || one.startsWith(`${scope}:`))) return
  const detail = { granted: scopes, required: [scope] }
  throw new Refusal(403, 'Your credentials lack one or more required privilege scopes.', detail)
}
