/** A Forgejo on 127.0.0.1. It refuses what Forgejo refuses; see `startGitHub` for violations. */
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
import { type Person, World } from '../engine/world.ts'
import { WriteLimit } from '../engine/write-limit.ts'
import { readApi } from '../openapi.ts'
import { type Call, type Reaction, Refusal, routes, showUser } from './routes.ts'

export type FakeForgejo = {
  /** The web address. Append `/owner/name/pulls/1`. */
  readonly url: string
  readonly apiUrl: string
  readonly world: World
  readonly faults: Faults
  readonly log: readonly LogEntry[]
  readonly violations: readonly string[]
  /** To comments; people add theirs here. */
  readonly reactions: Reaction[]
  /** What a proxy in front of the server answers writes with for so long. */
  beginLimit(seconds: number): void
  addToken(login: string, scopes?: readonly string[]): string
  writes(): LogEntry[]
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

type Token = { person: Person; scopes: readonly string[] }

const defaultScopes = ['write:repository', 'write:issue', 'read:user']

export async function startForgejo(): Promise<FakeForgejo> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-forgejo-'))
  const world = new World(folder)
  const violations: string[] = []
  const reactions: Reaction[] = []
  const tokens = new Map<string, Token>()
  const limit = new WriteLimit(world, violations)
  const server = await serveHost(
    (url) => new ForgejoWire(url, world, { tokens, violations, reactions, limit }),
  )
  const close = async () => {
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return {
    url: server.url,
    apiUrl: `${server.url}/api/v1`,
    ...{ world, violations, reactions, faults: server.faults, log: server.log, close },
    beginLimit: (seconds) => limit.begin(seconds),
    addToken(login, scopes = defaultScopes) {
      const token = randomBytes(20).toString('hex')
      tokens.set(token, { person: world.person(login), scopes })
      return token
    },
    writes: () => server.log.filter(({ isWrite }) => isWrite),
    [Symbol.asyncDispose]: close,
  }
}

type Named = { properties: Record<string, unknown> }

/** A deleted fork has no repository, most comments nobody who resolved them, and an issue is no pull request. */
const published = readApi('forgejo', (definitions, operations) => {
  const orNull = (holder: string, name: string, wanted: string) => {
    const { properties } = definitions[holder] as Named
    properties[name] = { anyOf: [{ $ref: `#/definitions/${wanted}` }, { type: 'null' }] }
  }
  orNull('PRBranchInfo', 'repo', 'Repository')
  orNull('PullReviewComment', 'resolver', 'User')
  orNull('Issue', 'pull_request', 'PullRequestMeta')
  const reactions = '/repos/{owner}/{repo}/issues/comments/{id}/reactions'
  const shown = operations[`POST ${reactions}`]?.answers['201'] ?? {}
  const answers = { '200': { anyOf: [{ type: 'array', items: shown }, { type: 'null' }] } }
  operations[`GET ${reactions}`] = { query: {}, body: null, answers }
  // Published as `{index}.{diffType}`, with an answer of plain text.
  operations['GET /repos/{owner}/{repo}/pulls/{index}.diff'] = {
    ...{ query: {}, body: null },
    answers: { '200': null },
  }
})

class ForgejoWire implements HostWire {
  private readonly url: string
  private readonly world: World
  private readonly tokens: ReadonlyMap<string, Token>
  private readonly violations: string[]
  private readonly reactions: Reaction[]
  private readonly limit: WriteLimit

  constructor(
    url: string,
    world: World,
    parts: {
      tokens: ReadonlyMap<string, Token>
      violations: string[]
      reactions: Reaction[]
      limit: WriteLimit
    },
  ) {
    this.url = url
    this.world = world
    this.tokens = parts.tokens
    this.violations = parts.violations
    this.reactions = parts.reactions
    this.limit = parts.limit
  }

  isWrite({ method }: ApiRequest): boolean {
    return method !== 'GET'
  }

  openGit(fullName: string, headers: ApiRequest['headers'], notes: Notes) {
    notes.operation = 'git fetch'
    const [, encoded = ''] = /^Basic (\S+)$/i.exec(headers.authorization ?? '') ?? []
    const password = Buffer.from(encoded, 'base64').toString('utf8').split(':').slice(1).join(':')
    const token = this.tokens.get(password)
    notes.actor = token?.person.login ?? null
    const found = this.world.find(fullName)
    const wanted = { status: 401, headers: { 'www-authenticate': 'Basic realm="Forgejo"' } }
    if (headers.authorization !== undefined && !token) return wanted
    if (!found) return token ? { status: 404 } : wanted
    if (found.project.isPrivate && !token) return wanted
    if (found.isFormer)
      return { status: 301, headers: { location: `${this.url}/${found.project.fullName}.git` } }
    if (!token) return found.project
    return found.project.roleOf(token.person.login) === 'none' ? { status: 404 } : found.project
  }

  answer(request: ApiRequest, notes: Notes): ApiAnswer {
    const left = this.isWrite(request) ? this.limit.refuse(request) : 0
    if (left > 0) {
      return { status: 429, body: 'Too many requests', headers: { 'retry-after': String(left) } }
    }
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
    const path = request.path.replace(/^\/api\/v1(?=\/)/, '')
    const operation = path === request.path ? null : published.match(request.method, path)
    if (!operation) {
      this.violations.push(`No such path: ${request.method} ${request.path}`)
      throw new Refusal(404, 'The target could not be found.')
    }
    const { name, parameters } = operation
    notes.operation = name
    const answer = name === 'GET /user' ? showSelf(token) : this.onProject(request, name, parameters, token)
    const wrong = published.checkAnswer(name, answer.status, answer.body)
    if (wrong.length > 0) this.violations.push(`The fake answers ${name} wrongly: ${wrong.join('; ')}`)
    return answer
  }

  private onProject(
    request: ApiRequest,
    name: string,
    parameters: Call['parameters'],
    token: Token | null,
  ): ApiAnswer {
    const route = routes[name]
    const found = this.world.find(`${parameters.owner ?? ''}/${parameters.repo ?? ''}`)
    const login = token?.person.login ?? ''
    const isSeen = found && (!found.project.isPrivate || found.project.roleOf(login) !== 'none')
    // Scopes are looked at first, whether the repository is there or not.
    if (route && token) demandScope(token, route.scope)
    if (!route || !isSeen) throw new Refusal(404, 'The target could not be found.')
    if (request.method !== 'GET' && !token) throw new Refusal(401, 'token is required')
    if (found.isFormer) {
      const location = request.path.replace(`${parameters.owner}/${parameters.repo}`, found.project.fullName)
      return { status: 307, headers: { location: `${this.url}${location}` } }
    }
    for (const wrong of published.checkQuery(name, request.query))
      this.violations.push(`${name}: query${wrong}`)
    const body = request.method === 'GET' ? {} : ((request.body ?? {}) as Call['body'])
    if (request.method !== 'GET') {
      const { wrong, unknown } = published.checkBody(name, body)
      for (const one of unknown) this.violations.push(`${name}: ${one}`)
      if (wrong.length > 0) throw new Refusal(422, wrong.join(', '))
    }
    const { world, violations, reactions, url: web } = this
    const person = token?.person ?? null
    const { project } = found
    return route.handle({ request, parameters, project, world, person, body, web, violations, reactions })
  }

  private identify({ authorization }: ApiRequest['headers']): Token | null {
    if (authorization === undefined) return null
    const token = this.tokens.get(/^(?:token|Bearer) (\S+)$/i.exec(authorization)?.[1] ?? '')
    if (!token) throw new Refusal(401, 'user does not exist [uid: 0, name: ]')
    return token
  }
}

function showSelf(token: Token | null): ApiAnswer {
  if (!token) throw new Refusal(401, 'token is required')
  demandScope(token, 'read:user')
  return { status: 200, body: showUser(token.person) }
}

/** Writing includes reading. */
function demandScope({ scopes }: Token, scope: string): void {
  if (!scopes.includes(scope) && !scopes.includes(scope.replace('read:', 'write:')))
    throw new Refusal(403, `token does not have at least one of required scope(s): [${scope}]`)
}
