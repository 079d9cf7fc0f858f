/** What the fake GitLab remembers beyond the engine: tokens of every kind, drafts, and who wrote too much. */
import { randomBytes } from 'node:crypto'
import type { Change } from '../engine/change.ts'
import type { ApiAnswer } from '../engine/server.ts'
import type { Person, Project, World } from '../engine/world.ts'
import { roles } from '../engine/world.ts'

export type TokenScope = 'api' | 'read_api' | 'read_repository' | 'write_repository'

export type Identity = {
  kind: 'anonymous' | 'personal' | 'project' | 'job'
  person: Person | null
  scopes: readonly TokenScope[]
  /** Null for all that its person may see. */
  projects: readonly Project[] | null
}

export type Position = {
  base_sha: string
  start_sha: string
  head_sha: string
  position_type: string
  new_path?: string
  old_path?: string
  new_line?: number | null
  old_line?: number | null
  line_range?: { start: RangeEnd; end: RangeEnd } | null
}
type RangeEnd = { line_code: string; type: string | null; old_line?: number | null; new_line?: number | null }

export type Draft = {
  readonly id: number
  readonly change: Change
  readonly author: Person
  readonly note: string
  readonly position: Position | null
}

/** What a handler throws to refuse. */
export class Refusal extends Error {
  readonly answer: ApiAnswer

  constructor(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) {
    super(JSON.stringify(body))
    this.answer = { status, body, headers }
  }
}

export const nobody: Identity = { kind: 'anonymous', person: null, scopes: [], projects: null }

/** `sender`: its credentials. */
type Entering = { isWrite: boolean; isNote: boolean; label: string; sender: string }

export type GitLabLimits = { perMinute: number; notesPerMinute: number; retryAfterSeconds: number }

export class GitLabState {
  readonly emoji: { id: number; note: number; login: string; name: string }[] = []
  readonly world: World
  readonly tokens = new Map<string, Identity>()
  readonly drafts: Draft[] = []
  readonly violations: string[]
  limits: GitLabLimits = { perMinute: 2000, notesPerMinute: 300, retryAfterSeconds: 60 }
  private blockedUntil = 0
  /** Who was asked to wait for that. */
  private readonly told = new Set<string>()
  private readonly spent: { at: number; isNote: boolean }[] = []

  constructor(world: World, violations: string[]) {
    this.world = world
    this.violations = violations
  }

  addToken(login: string, scopes: readonly TokenScope[] = ['api']): string {
    const person = this.world.person(login)
    return this.keep('glpat-', { kind: 'personal', person, scopes, projects: null })
  }

  /** Each has a bot of its own, who is a member with the role. */
  addProjectToken(
    project: Project,
    scopes: readonly TokenScope[] = ['api'],
    role: (typeof roles)[number] = 'write',
  ): string {
    const login = `project_${project.id}_bot_${randomBytes(6).toString('hex')}`
    const person: Person = { id: this.world.nextId(), login, name: 'sightline', isBot: true }
    this.world.people.set(login, person)
    project.roles.set(login, role)
    return this.keep('glpat-', { kind: 'project', person, scopes, projects: [project] })
  }

  /** What a job gets as CI_JOB_TOKEN: the rights of whoever started it, on a handful of endpoints. */
  addJobToken(project: Project, login: string): string {
    const person = this.world.person(login)
    return this.keep('glcbt-', { kind: 'job', person, scopes: [], projects: [project] })
  }

  /** Begins a pause by hand. */
  beginLimit(seconds: number): void {
    this.block(seconds)
  }

  private block(seconds: number): void {
    this.blockedUntil = this.world.now() + seconds * 1000
    this.told.clear()
  }

  /** Throws the refusal of whoever asks too much. */
  enter({ isWrite, isNote, label, sender }: Entering): void {
    const now = this.world.now()
    const { perMinute, notesPerMinute, retryAfterSeconds } = this.limits
    if (now < this.blockedUntil) {
      if (isWrite && this.told.has(sender)) this.violations.push(`A write during a rate limit: ${label}`)
      this.told.add(sender)
      throw this.tooMany(Math.ceil((this.blockedUntil - now) / 1000))
    }
    this.spent.push({ at: now, isNote })
    const minute = this.spent.filter(({ at }) => now - at < 60_000)
    const tooManyNotes = isNote && minute.filter((one) => one.isNote).length > notesPerMinute
    if (minute.length <= perMinute && !tooManyNotes) return
    this.spent.pop()
    this.block(retryAfterSeconds)
    this.told.add(sender)
    throw this.tooMany(retryAfterSeconds)
  }

  private tooMany(seconds: number): Refusal {
    return new Refusal(429, 'Retry later\n', { 'retry-after': String(seconds), 'ratelimit-remaining': '0' })
  }

  private keep(prefix: string, identity: Identity): string {
    const token = `${prefix}${randomBytes(10).toString('hex')}`
    this.tokens.set(token, identity)
    return token
  }
}

export function hasRole(project: Project, login: string, role: (typeof roles)[number]): boolean {
  return roles.indexOf(project.roleOf(login)) >= roles.indexOf(role)
}
