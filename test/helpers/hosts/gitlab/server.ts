/** A GitLab on 127.0.0.1, as a self-managed server. It refuses what GitLab refuses; see `startGitHub` for violations. */
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
import { type MatchedOperation, openApi } from '../openapi.ts'
import { publishedGitLab } from './published.ts'
import { Renderer } from './render.ts'
import { notFound, routes, unauthorized } from './routes.ts'
import { GitLabState, hasRole, type Identity, nobody, Refusal } from './state.ts'

export type FakeGitLab = {
  /** The web address. Append `/group/name/-/merge_requests/1`. */
  readonly url: string
  readonly apiUrl: string
  readonly world: World
  readonly state: GitLabState
  readonly faults: Faults
  readonly log: readonly LogEntry[]
  readonly violations: readonly string[]
  /** Requests that changed something, drafts too, and were carried out. */
  writes(): LogEntry[]
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export async function startGitLab(): Promise<FakeGitLab> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-gitlab-'))
  const world = new World(folder)
  const violations: string[] = []
  const state = new GitLabState(world, violations)
  const server = await serveHost((url) => new GitLabWire(url, state))
  const close = async () => {
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return {
    url: server.url,
    apiUrl: `${server.url}/api/v4`,
    ...{ world, state, violations, faults: server.faults, log: server.log, close },
    writes: () => server.log.filter(({ isWrite }) => isWrite),
    [Symbol.asyncDispose]: close,
  }
}

const published = openApi('gitlab', publishedGitLab)

class GitLabWire implements HostWire {
  private readonly url: string
  private readonly state: GitLabState

  constructor(url: string, state: GitLabState) {
    this.url = url
    this.state = state
  }

  isWrite({ method }: ApiRequest): boolean {
    return method !== 'GET'
  }

  openGit(fullName: string, headers: ApiRequest['headers'], notes: Notes) {
    notes.operation = 'git fetch'
    const identity = this.identifyGit(headers.authorization)
    notes.actor = identity === 'wrong' ? null : (identity?.person?.login ?? null)
    const found = this.state.world.find(fullName)
    const wanted = { status: 401, headers: { 'www-authenticate': 'Basic realm="GitLab"' } }
    if (identity === 'wrong' || (!identity && (!found || found.project.isPrivate))) return wanted
    if (!found || (identity && !canSee(identity, found.project))) return { status: 404 }
    if (found.isFormer)
      return { status: 301, headers: { location: `${this.url}/${found.project.fullName}.git` } }
    return found.project
  }

  answer(request: ApiRequest, notes: Notes): ApiAnswer {
    try {
      const isWrite = this.isWrite(request)
      const { method, path } = request
      const isNote = isWrite && /\/(?:notes|discussions|draft_notes|bulk_publish)$/.test(path)
      const sender = request.headers.authorization ?? ''
      this.state.enter({ isWrite, isNote, sender, label: `${method} ${path}` })
      const answer = this.carryOut(request, notes)
      notes.isWrite = isWrite && answer.status < 300
      return answer
    } catch (error) {
      if (error instanceof Refusal) return error.answer
      throw error
    }
  }

  private carryOut(request: ApiRequest, notes: Notes): ApiAnswer {
    const identity = this.identify(request.headers, request.path === `/api/v4${ownToken}`)
    notes.actor = identity.person?.login ?? null
    const path = request.path.replace(/^\/api\/v4(?=\/)/, '')
    const operation = path === request.path ? null : published.match(request.method, path)
    if (!operation) {
      this.state.violations.push(`No such path: ${request.method} ${request.path}`)
      throw new Refusal(404, { error: '404 Not Found' })
    }
    notes.operation = operation.name
    const route = routes[operation.name]
    const used = identity.kind === 'job' && !route?.job ? nobody : identity
    const { body: known, ...answer } = route
      ? this.onProject(request, operation, route, used)
      : this.withoutProject(operation, used)
    const body = published.complete(operation.name, answer.status, known)
    const wrong = published.checkAnswer(operation.name, answer.status, body)
    if (wrong.length > 0)
      this.state.violations.push(`The fake answers ${operation.name} wrongly: ${wrong.join('; ')}`)
    return { ...answer, body }
  }

  private onProject(
    request: ApiRequest,
    { name, parameters }: MatchedOperation,
    route: (typeof routes)[string],
    identity: Identity,
  ): ApiAnswer {
    const id = parameters.id ?? ''
    const byId = this.state.world.projects.find((one) => String(one.id) === id && !one.isDeleted)
    const found = byId ? { project: byId, isFormer: false } : this.state.world.find(id)
    if (!found || !canSee(identity, found.project)) throw notFound('Project Not Found')
    const { project } = found
    if (found.isFormer) return this.moved(request, project, id)
    if (request.method !== 'GET') this.demandWriting(identity, project, route.role ?? 'read')
    const api = `${this.url}/api/v4`
    const path = request.path.replace(/^\/api\/v4/, '')
    const body = this.checkRequest(request, name)
    const { state } = this
    return route.handle({
      request: { ...request, path },
      parameters,
      identity,
      state,
      render: new Renderer(this.url),
      project,
      body,
      api,
    })
  }

  private checkRequest({ query, body, text, method }: ApiRequest, name: string): { [key: string]: unknown } {
    for (const wrong of published.checkQuery(name, query))
      this.state.violations.push(`${name}: query${wrong}`)
    if (method === 'GET' || method === 'DELETE') return {}
    if (text !== '' && (typeof body !== 'object' || body === null))
      throw new Refusal(400, { error: 'The provided content-type is not supported' })
    const { wrong, unknown } = published.checkBody(name, body ?? {})
    for (const one of unknown) this.state.violations.push(`${name}: ${one}`)
    if (wrong.length > 0) throw new Refusal(400, { error: wrong.join(', ') })
    return (body ?? {}) as { [key: string]: unknown }
  }

  private demandWriting(identity: Identity, project: Project, role: 'read' | 'write'): void {
    if (identity.kind === 'anonymous') throw unauthorized()
    if (!identity.scopes.includes('api'))
      throw new Refusal(403, {
        ...{ error: 'insufficient_scope', scope: 'api' },
        error_description: 'The request requires higher privileges than provided by the access token.',
      })
    const login = identity.person?.login ?? ''
    if (!hasRole(project, login, role)) throw new Refusal(403, { message: '403 Forbidden' })
  }

  private withoutProject({ name, parameters }: MatchedOperation, identity: Identity): ApiAnswer {
    const show = (person: Person) => ({
      status: 200,
      body: { ...new Renderer(this.url).user(person), bot: person.isBot },
    })
    if (name === 'GET /users/{user_id}') {
      const found = [...this.state.world.people.values()].find(({ id }) => String(id) === parameters.user_id)
      if (!found) throw notFound('User Not Found')
      return show(found)
    }
    if (!identity.person || identity.kind === 'anonymous') throw unauthorized()
    return name === `GET ${ownToken}` ? showToken(identity) : show(identity.person)
  }

  private moved(request: ApiRequest, project: Project, id: string): ApiAnswer {
    if (request.method !== 'GET')
      throw new Refusal(405, { message: '405 Non GET methods are not allowed for moved projects' })
    const path = request.path.replace(`/projects/${encodeURIComponent(id)}`, `/projects/${project.id}`)
    const query = new URLSearchParams(request.query).toString()
    return { status: 301, headers: { location: `${this.url}${path}${query === '' ? '' : `?${query}`}` } }
  }

  /** `isOfItself`: any token may read what it is itself. */
  private identify(headers: ApiRequest['headers'], isOfItself = false): Identity {
    const bearer = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1]
    const job = headers['job-token']
    const token = headers['private-token'] ?? bearer ?? job
    if (token === undefined) return nobody
    const identity = this.state.tokens.get(token)
    // A job token is known by its own header only.
    if (!identity || (identity.kind === 'job') !== (job !== undefined)) throw unauthorized()
    const isReading =
      isOfItself ||
      identity.kind === 'job' ||
      identity.scopes.some((scope) => scope === 'api' || scope === 'read_api')
    if (!isReading) throw new Refusal(403, { error: 'insufficient_scope', scope: 'api read_api' })
    return identity
  }

  /** The token is the password; a job's goes with the name `gitlab-ci-token`. */
  private identifyGit(authorization: string | undefined): Identity | null | 'wrong' {
    if (authorization === undefined) return null
    const [, encoded = ''] = /^Basic (\S+)$/i.exec(authorization) ?? []
    const [name = '', ...password] = Buffer.from(encoded, 'base64').toString('utf8').split(':')
    const identity = this.state.tokens.get(password.join(':'))
    if (!identity || (identity.kind === 'job') !== (name === 'gitlab-ci-token')) return 'wrong'
    return identity
  }
}

const ownToken = '/personal_access_tokens/self'

function showToken({ kind, person, scopes }: Identity): ApiAnswer {
  if (kind === 'job') throw unauthorized()
  const days = { created_at: '2026-01-01T00:00:00.000Z', expires_at: '2026-12-31', last_used_at: null }
  const state = { id: 1, name: 'sightline', revoked: false, active: true }
  return { status: 200, body: { ...state, ...days, scopes: [...scopes], user_id: person?.id ?? 0 } }
}

function canSee({ person, projects }: Identity, project: Project): boolean {
  if (!project.isPrivate) return true
  if (projects && !projects.includes(project)) return false
  return person !== null && hasRole(project, person.login, 'read')
}
