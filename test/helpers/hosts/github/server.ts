/**
 * A GitHub on 127.0.0.1, as an Enterprise server (`/api/v3`, `/api/graphql`) and as api.github.com (no prefix, `/graphql`).
 * It refuses what GitHub refuses, and keeps as a violation what GitHub would let pass although it is a fault of the
 * sender: an unknown parameter, a write during a rate limit, a change to somebody else's comment.
 */
import { createHash } from 'node:crypto'
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
import { World } from '../engine/world.ts'
import { type MatchedOperation, readApi } from '../openapi.ts'
import { canSee, demand, identify, identifyGit } from './access.ts'
import { appRoutes, takeManifest } from './apps.ts'
import { checkRoutes, createInstallationToken } from './checks.ts'
import { answerGraphQL } from './graphql.ts'
import { Hooks } from './hooks.ts'
import { type LimitSettings, Limits } from './limits.ts'
import { readRoutes } from './reads.ts'
import { Renderer } from './render.ts'
import { reviewRoutes } from './reviews.ts'
import { type Call, notFound } from './routes.ts'
import { GitHubState, type Identity, Refusal } from './state.ts'

export type FakeGitHub = {
  /** The web address: `http://127.0.0.1:PORT`. Append `/owner/name/pull/1`. */
  readonly url: string
  readonly apiUrl: string
  readonly world: World
  readonly state: GitHubState
  /** Webhooks of its Apps. */
  readonly hooks: Hooks
  readonly limits: Limits
  readonly faults: Faults
  /** Everything that arrived. */
  readonly log: readonly LogEntry[]
  /** What a well-behaved client would not have done; a test should find this empty. */
  readonly violations: readonly string[]
  /** Requests that changed what people see, and were carried out. */
  writes(): LogEntry[]
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

const routes = { ...readRoutes, ...reviewRoutes, ...checkRoutes }

export async function startGitHub(options: { limits?: Partial<LimitSettings> } = {}): Promise<FakeGitHub> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-github-'))
  const world = new World(folder)
  const state = new GitHubState(world)
  const violations: string[] = []
  const limits = new Limits(() => world.now(), violations, options.limits)
  const hooks = new Hooks(state, () => server.url)
  const server = await serveHost((url) => new GitHubWire(url, { state, hooks, limits, violations }))
  const close = async () => {
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return {
    url: server.url,
    apiUrl: `${server.url}/api/v3`,
    world,
    state,
    hooks,
    limits,
    faults: server.faults,
    log: server.log,
    violations,
    writes: () => server.log.filter(({ isWrite }) => isWrite),
    close,
    [Symbol.asyncDispose]: close,
  }
}

const versions = ['2022-11-28', '2026-03-10']
const mediaTypes = /^application\/(?:json|vnd\.github(?:\.[a-z0-9-]+)*(?:\+json)?)$|^\*\/\*$/

/** Where GitHub answers otherwise than it publishes: outdated comments and deleted forks have null. */
const published = readApi('github', (definitions, operations) => {
  type Object = { properties: Record<string, unknown> }
  // Published as an account that is a user and an enterprise at once.
  const installations = operations['GET /app/installations']
  if (installations)
    installations.answers['200'] = { type: 'array', items: { $ref: '#/definitions/installation' } }
  const comment = definitions['pull-request-review-comment'] as Object
  for (const name of ['line', 'position']) comment.properties[name] = { type: ['integer', 'null'] }
  for (const name of ['pull-request', 'pull-request-simple']) {
    const { head } = (definitions[name] as Object).properties as { head: Object }
    head.properties.repo = { anyOf: [{ $ref: '#/definitions/repository' }, { type: 'null' }] }
  }
})

class GitHubWire implements HostWire {
  private readonly url: string
  private readonly state: GitHubState
  private readonly hooks: Hooks
  private readonly limits: Limits
  private readonly violations: string[]

  constructor(
    url: string,
    parts: { state: GitHubState; hooks: Hooks; limits: Limits; violations: string[] },
  ) {
    this.url = url
    this.state = parts.state
    this.hooks = parts.hooks
    this.limits = parts.limits
    this.violations = parts.violations
  }

  isWrite({ method, path, body }: ApiRequest): boolean {
    if (/^\/(?:api\/)?graphql$/.test(path)) return isMutation(body)
    return method !== 'GET' && !/\/(?:access_tokens|attempts|conversions)$/.test(path)
  }

  openGit(fullName: string, headers: ApiRequest['headers'], notes: Notes) {
    notes.operation = 'git fetch'
    try {
      const identity = identifyGit(this.state, headers)
      notes.actor = identity?.person?.login ?? null
      const found = this.state.world.find(fullName)
      const wanted = { status: 401, headers: { 'www-authenticate': 'Basic realm="GitHub"' } }
      if (!found) return identity ? { status: 404 } : wanted
      const { project } = found
      if (found.isFormer) return { status: 301, headers: { location: `${this.url}/${project.fullName}.git` } }
      if (project.isPrivate && (!identity || !canSee(identity, project)))
        return identity ? { status: 404 } : wanted
      if (identity && project.isPrivate) demand(identity, project, 'contents', 'read')
      return project
    } catch (error) {
      if (error instanceof Refusal) return { status: error.answer.status, body: error.message }
      throw error
    }
  }

  async answer(request: ApiRequest, notes: Notes): Promise<ApiAnswer> {
    const page = takeManifest(this.state, request)
    if (page) return page
    let identity: Identity | null = null
    try {
      identity = this.admit(request)
      notes.actor = identity.person?.login ?? identity.app?.slug ?? null
      const isWrite = this.isWrite(request)
      this.limits.enter(identity, { isWrite, label: `${request.method} ${request.path}` })
      const answer = await this.carryOut(request, identity, notes)
      notes.isWrite = isWrite && answer.status < 300
      return this.withTag(request, this.dress(answer, identity), identity)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return identity ? this.dress(error.answer, identity) : error.answer
    }
  }

  private admit({ headers }: ApiRequest): Identity {
    if (!headers['user-agent'])
      throw new Refusal(
        403,
        'Request forbidden by administrative rules. Please make sure your request has a User-Agent header.',
      )
    const version = headers['x-github-api-version']
    if (version !== undefined && !versions.includes(version))
      throw new Refusal(400, `${version} is not a supported version`)
    if (version === undefined) this.violations.push('A request names no version of the API')
    const accepted = (headers.accept ?? '*/*').split(',').map((type) => type.trim().split(';')[0] ?? '')
    if (!accepted.some((type) => mediaTypes.test(type))) throw new Refusal(415, "Unsupported 'Accept' header")
    return identify(this.state, headers)
  }

  private async carryOut(request: ApiRequest, identity: Identity, notes: Notes): Promise<ApiAnswer> {
    const isEnterprise = request.path.startsWith('/api/')
    const api = isEnterprise ? `${this.url}/api/v3` : this.url
    const render = new Renderer(api, this.url)
    const { state, violations } = this
    if (request.path === (isEnterprise ? '/api/graphql' : '/graphql') && request.method === 'POST') {
      const name = /\b(?:query|mutation)\s+(\w+)/.exec(
        String((request.body as { query?: unknown } | undefined)?.query),
      )
      notes.operation = `graphql ${name?.[1] ?? ''}`.trim()
      if (identity.kind === 'anonymous')
        throw new Refusal(401, 'This endpoint requires you to be authenticated.')
      return answerGraphQL({ identity, state, render, violations }, request.body)
    }
    const path = this.currentPath(request.path.replace(/^\/api\/v3(?=\/)/, ''))
    const operation = published.match(request.method, path)
    if (!operation) {
      violations.push(`No such path in the fixture: ${request.method} ${path}`)
      throw notFound()
    }
    notes.operation = operation.name
    const body = this.checkRequest(request, operation)
    const { parameters } = operation
    const call: Call = {
      request: { ...request, path },
      parameters,
      identity,
      state,
      render,
      api,
      body,
      violations,
    }
    const { body: known, ...answer } = this.run(operation.name, call)
    if (known === undefined || typeof known === 'string') return { ...answer, body: known }
    const shown = published.complete(operation.name, answer.status, known)
    const wrong = published.checkAnswer(operation.name, answer.status, shown)
    if (wrong.length > 0) violations.push(`The fake answers ${operation.name} wrongly: ${wrong.join('; ')}`)
    return { ...answer, body: shown }
  }

  /** `/repositories/12/…` is where GitHub redirects to. */
  private currentPath(path: string): string {
    const [, id, rest = ''] = /^\/repositories\/(\d+)(\/.*)?$/.exec(path) ?? []
    if (id === undefined) return path
    const project = this.state.world.projects.find((one) => one.id === Number(id) && !one.isDeleted)
    if (!project) throw notFound()
    return `/repos/${project.fullName}${rest}`
  }

  private checkRequest({ query, body, text, method }: ApiRequest, { name }: MatchedOperation): Call['body'] {
    for (const wrong of published.checkQuery(name, query)) this.violations.push(`${name}: query${wrong}`)
    if (method === 'GET') return {}
    if (text !== '' && (typeof body !== 'object' || body === null))
      throw new Refusal(400, 'Problems parsing JSON')
    const { wrong, unknown } = published.checkBody(name, body ?? {})
    for (const one of unknown) this.violations.push(`${name}: ${one}`)
    if (wrong.length > 0) throw new Refusal(422, `Invalid request.\n\n${wrong.join('\n')}`)
    return (body ?? {}) as Call['body']
  }

  private run(operation: string, call: Call): ApiAnswer {
    const { parameters, identity, state, body } = call
    if (operation === 'POST /app/installations/{installation_id}/access_tokens') {
      if (!identity.app || identity.kind !== 'app')
        throw new Refusal(401, 'A JSON web token could not be decoded')
      return createInstallationToken(state, identity.app.id, Number(parameters.installation_id), body)
    }
    const ofApp = appRoutes[operation]
    if (ofApp) return ofApp({ ...call, hooks: this.hooks })
    if (operation === 'GET /user') return this.showUser(call)
    const route = routes[operation]
    if (!route) throw notFound()
    const found = state.world.find(`${parameters.owner ?? ''}/${parameters.repo ?? ''}`)
    if (!found || (identity.kind !== 'app' && !canSee(identity, found.project))) throw notFound()
    const { project } = found
    if (found.isFormer) return this.redirect(call, project.id)
    if (route.needs) demand(identity, project, ...route.needs)
    return route.handle({ ...call, project })
  }

  private showUser({ identity, render }: Call): ApiAnswer {
    if (identity.kind === 'anonymous') throw new Refusal(401, 'Requires authentication')
    if (!identity.person || identity.kind === 'installation')
      throw new Refusal(403, 'Resource not accessible by integration')
    return { status: 200, body: render.user(identity.person) }
  }

  private redirect({ request, api }: Call, id: number): ApiAnswer {
    const rest = request.path.replace(/^\/repos\/[^/]+\/[^/]+/, '')
    const query = new URLSearchParams(request.query).toString()
    const url = `${api}/repositories/${id}${rest}${query === '' ? '' : `?${query}`}`
    const status = request.method === 'GET' ? 301 : 307
    return {
      status,
      headers: { location: url },
      body: { message: 'Moved Permanently', url, documentation_url: url },
    }
  }

  private dress(answer: ApiAnswer, identity: Identity): ApiAnswer {
    return {
      ...answer,
      headers: {
        ...this.limits.headers(identity.limitKey, identity.kind),
        'x-github-media-type': 'github.v3; format=json',
        ...(identity.kind === 'classic' ? { 'x-oauth-scopes': identity.scopes.join(', ') } : {}),
        ...answer.headers,
      },
    }
  }

  private withTag(request: ApiRequest, answer: ApiAnswer, identity: Identity): ApiAnswer {
    if (request.method !== 'GET' || answer.status !== 200) return answer
    const etag = `W/"${createHash('sha256').update(JSON.stringify(answer.body)).digest('hex')}"`
    if (request.headers['if-none-match'] !== etag) return { ...answer, headers: { ...answer.headers, etag } }
    this.limits.giveBack(identity.limitKey)
    return { status: 304, headers: { ...answer.headers, etag } }
  }
}

function isMutation(body: unknown): boolean {
  const query = (body as { query?: unknown } | undefined)?.query
  return typeof query === 'string' && /^\s*mutation\b/m.test(query)
}
