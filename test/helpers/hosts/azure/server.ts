/** An Azure DevOps Server on 127.0.0.1, whose collections are the first part of every name, or `DefaultCollection`. It refuses what Azure DevOps refuses; see `startGitHub` for violations. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Change } from '../engine/change.ts'
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
import { readApi } from '../openapi.ts'
import { answerBoards, isOfBoards } from './boards.ts'
import { type Json, personId, repositoryId } from './render.ts'
import { type Call, mayContribute, ok, projectOfToken, Refusal, routes, showIdentities } from './routes.ts'
import { AzureState } from './state.ts'

export type FakeAzure = {
  /** The web address. Append `/collection/project/_git/name/pullrequest/1`. */
  readonly url: string
  readonly world: World
  readonly state: AzureState
  readonly faults: Faults
  readonly log: readonly LogEntry[]
  readonly violations: readonly string[]
  beginLimit(seconds: number): void
  addToken(login: string, scopes?: readonly string[]): string
  writes(): LogEntry[]
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

type Token = { person: Person; scopes: readonly string[] }

/** Of projects whose name has none. */
const collection = 'DefaultCollection'
export const readScopes = ['vso.code', 'vso.identity', 'vso.work']
export const writeScopes = [...readScopes, 'vso.threads_full', 'vso.code_status']

export async function startAzure(): Promise<FakeAzure> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-azure-'))
  const world = new World(folder)
  const state = new AzureState()
  const violations: string[] = []
  const tokens = new Map<string, Token>()
  const limit = new WriteLimit(world, violations)
  const server = await serveHost((url) => new AzureWire(url, world, { tokens, violations, state, limit }))
  const close = async () => {
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return {
    url: server.url,
    ...{ world, state, violations, faults: server.faults, log: server.log, close },
    beginLimit: (seconds) => limit.begin(seconds),
    addToken(login, scopes = writeScopes) {
      const token = randomBytes(26).toString('hex')
      tokens.set(token, { person: world.person(login), scopes })
      return token
    },
    writes: () => server.log.filter(({ isWrite }) => isWrite),
    [Symbol.asyncDispose]: close,
  }
}

type Schema = { [key: string]: unknown }

/** Bodies are compared with all that their type inherits, and answers with what the host sends null for. */
const published = readApi('azure', (definitions, operations) => {
  const inherited = (name: string): Schema => {
    const { allOf = [], properties } = definitions[name] as {
      allOf?: { $ref: string }[]
      properties?: Schema
    }
    const above = allOf.map(({ $ref }) => inherited($ref.replace('#/definitions/', '')))
    return Object.assign({}, ...above, properties) as Schema
  }
  for (const operation of Object.values(operations)) {
    const name = /#\/definitions\/(\w+)/.exec(String(operation.body?.$ref))?.[1]
    if (name) operation.body = { type: 'object', properties: inherited(name) }
  }
  // A text on the wire; and a file, where the type of all version controls is published.
  definitions.IdentityDescriptor = { type: 'string' }
  const { properties: changed } = definitions.Change as { properties: Schema }
  changed.item = { type: 'object', properties: { path: { type: 'string' }, objectId: { type: 'string' } } }
  const thread = definitions.GitPullRequestCommentThread as { properties: Schema }
  const base = definitions.CommentThread as { properties: Schema }
  for (const [holder, key] of [
    [thread, 'pullRequestThreadContext'],
    [base, 'threadContext'],
  ] as const)
    holder.properties[key] = { anyOf: [holder.properties[key], { type: 'null' }] }
  for (const name of ['DELETE', 'POST'].flatMap((method) =>
    Object.keys(operations).filter((one) => one.startsWith(method)),
  ))
    Object.assign(operations[name]?.answers ?? {}, name.startsWith('DELETE') ? { 204: null } : {})
})

class AzureWire implements HostWire {
  private readonly url: string
  private readonly world: World
  private readonly tokens: ReadonlyMap<string, Token>
  private readonly violations: string[]
  private readonly state: AzureState
  private readonly limit: WriteLimit

  constructor(
    url: string,
    world: World,
    parts: { tokens: ReadonlyMap<string, Token>; violations: string[]; state: AzureState; limit: WriteLimit },
  ) {
    this.url = url
    this.world = world
    this.tokens = parts.tokens
    this.violations = parts.violations
    this.state = parts.state
    this.limit = parts.limit
  }

  isWrite({ method, path }: ApiRequest): boolean {
    return method !== 'GET' && !isOfBoards(path)
  }

  openGit(path: string, headers: ApiRequest['headers'], notes: Notes): Project | ApiAnswer {
    notes.operation = 'git fetch'
    const [, owner = '', name = ''] = /^(.+)\/_git\/([^/]+)$/.exec(path) ?? []
    const project = this.find(owner, name)
    const token = this.tokenIn(headers)
    notes.actor = token?.person.login ?? null
    const wanted = { status: 401, headers: { 'www-authenticate': 'Basic realm="Azure DevOps"' } }
    if (headers.authorization !== undefined && !token?.scopes.includes('vso.code')) return wanted
    if (!project) return { status: token ? 404 : 401 }
    if (project.isPrivate && !token) return wanted
    if (token && project.roleOf(token.person.login) === 'none') return { status: 404 }
    for (const change of project.changes.values()) pointMerge(change)
    return project
  }

  answer(request: ApiRequest, notes: Notes): ApiAnswer {
    const left = this.isWrite(request) ? this.limit.refuse(request) : 0
    if (left > 0) {
      const headers = {
        'retry-after': String(left),
        'x-ratelimit-resource': 'Core/tstu',
        'x-ratelimit-remaining': '0',
      }
      return { status: 429, body: 'Request was blocked due to exceeding usage', headers }
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
    const token = this.tokenIn(request.headers)
    notes.actor = token?.person.login ?? null
    if (request.headers.authorization !== undefined && !token)
      throw new Refusal(401, 'TF400813: not authorized')
    const version =
      /api-version=([\w.-]+)/.exec(request.headers.accept ?? '')?.[1] ?? request.query['api-version']
    if (version === undefined)
      throw new Refusal(400, `No api-version was supplied for the "${request.method}" request.`)
    if (request.headers['x-tfs-fedauthredirect'] !== 'Suppress')
      this.violations.push('Without a token it would be sent to a page')
    if (/^\/[^/]+\/_apis\/connectionData$/.test(request.path)) return this.showConnection(token, version)
    if (version !== '7.1') this.violations.push(`${request.path} in version ${version}`)
    if (isOfBoards(request.path)) {
      demandScope(token, ['vso.work'])
      return answerBoards(request, this.state.workItems, this.violations)
    }
    const path = request.path
      .replace(/\/mergeBases$/, '/mergebases')
      .replace(/\/pullRequests(\/\d+)?$/, '/pullrequests$1')
    const operation = published.match(request.method, path)
    if (!operation) {
      this.violations.push(`No such path: ${request.method} ${request.path}`)
      throw new Refusal(404, 'The resource cannot be found.')
    }
    notes.operation = operation.name
    const { status, body } = this.withSchema(request, operation.name, operation.parameters, token)
    const wrong = published.checkAnswer(operation.name, status, body)
    if (wrong.length > 0)
      this.violations.push(`The fake answers ${operation.name} wrongly: ${wrong.join('; ')}`)
    return {
      status,
      ...(body === undefined
        ? {}
        : { body: Array.isArray(body) ? { count: body.length, value: body } : body }),
    }
  }

  private withSchema(
    request: ApiRequest,
    name: string,
    parameters: Call['parameters'],
    token: Token | null,
  ): ApiAnswer {
    for (const wrong of published.checkQuery(name, request.query))
      this.violations.push(`${name}: query${wrong}`)
    if (request.body !== undefined && this.isWrite(request)) {
      const { wrong, unknown } = published.checkBody(name, request.body)
      for (const one of unknown) this.violations.push(`${name}: ${one}`)
      if (wrong.length > 0) throw new Refusal(400, wrong.join(', '))
    }
    if (name === 'GET /{organization}/_apis/identities') {
      demandScope(token, ['vso.identity'])
      return ok(showIdentities(this.world, request.query.identityIds ?? ''))
    }
    const route = routes[name]
    const wanted = parameters.repositoryId ?? parameters.repositoryNameOrId ?? ''
    const project = wanted
      ? this.find(`${parameters.organization}/${parameters.project}`, wanted)
      : projectOfToken(this.world, request.query.token ?? request.query.tokens ?? '')
    if (route && token) demandScope(token, route.scopes)
    const isSeen = project && (!project.isPrivate || (token && project.roleOf(token.person.login) !== 'none'))
    if (!route || !project || !isSeen)
      throw token
        ? new Refusal(
            404,
            'TF401019: The Git repository does not exist or you do not have permissions.',
            'GitRepositoryNotFoundException',
          )
        : new Refusal(project ? 401 : 404, 'TF400813: not authorized')
    if (this.isWrite(request) && (!token || !mayContribute(project, token.person)))
      throw new Refusal(
        token ? 403 : 401,
        'TF401027: You need the Git PullRequestContribute permission to perform this action.',
      )
    const { world, state, violations } = this
    const root = `${this.url}/${parameters.organization}`
    const body = (request.body ?? {}) as Json
    return route.handle({
      request,
      parameters,
      project,
      world,
      state,
      person: token?.person ?? null,
      body,
      root,
      violations,
    })
  }

  /** A repository is found by its name of today, or by its id. */
  private find(owner: string, wanted: string): Project | null {
    const name = decodeURIComponent(wanted)
    const place = decodeURIComponent(owner)
    const names = [`${place}/${name}`, `${place.replace(`${collection}/`, '')}/${name}`]
    const found = names.flatMap((one) => this.world.find(one) ?? []).find(({ isFormer }) => !isFormer)
    return found?.project ?? this.world.projects.find((one) => repositoryId(one) === name) ?? null
  }

  private showConnection(token: Token | null, version: string): ApiAnswer {
    if (!version.includes('-preview'))
      throw new Refusal(
        400,
        'The requested version of the resource is under preview. The -preview flag must be supplied.',
      )
    const id = token ? personId(token.person) : '00000000-0000-0000-0000-000000000000'
    return ok({
      authenticatedUser: { id, providerDisplayName: token?.person.name ?? 'Anonymous' },
      deploymentType: 'onPremises',
    })
  }

  /** Of a person as the password of nobody, of a job as a bearer. */
  private tokenIn({ authorization = '' }: ApiRequest['headers']): Token | null {
    const [, encoded] = /^Basic (\S+)$/i.exec(authorization) ?? []
    const given = encoded
      ? /^:(.+)$/.exec(Buffer.from(encoded, 'base64').toString('utf8'))?.[1]
      : /^Bearer (\S+)$/i.exec(authorization)?.[1]
    return this.tokens.get(given ?? '') ?? null
  }
}

/** What each was merged of last. */
const merged = new WeakMap<Change, string>()

/** A head is below the merge with its base only, also when its fork was deleted. */
function pointMerge(change: Change): void {
  const { repository, baseHead, head, number } = change
  if (merged.get(change) === `${baseHead} ${head}`) return
  merged.set(change, `${baseHead} ${head}`)
  const tree = repository.mergeTree(baseHead, head)
  const merge = { parents: [baseHead, head], message: `Merge pull request ${number}`, tree }
  repository.point(`refs/pull/${number}/merge`, repository.commit(merge))
}

/** The true host refuses a token without the scope as one that it does not know. */
function demandScope(token: Token | null, wanted: readonly string[]): void {
  if (wanted.length > 0 && !wanted.some((scope) => token?.scopes.includes(scope)))
    throw new Refusal(401, `TF400813: it needs one of the scopes ${wanted.join(', ')}`)
}
