/** What a fake host remembers, in words that fit every host: people, projects, changes, threads. Each wire shows it in its own way. */
import { join } from 'node:path'
import { Change, type NewChange } from './change.ts'
import { type Files, HostedRepository } from './repository.ts'

export type Person = { readonly id: number; login: string; name: string; readonly isBot: boolean }

/** In rising order. */
export const roles = ['none', 'read', 'triage', 'write', 'maintain', 'admin'] as const
export type Role = (typeof roles)[number]

export type Note = {
  readonly id: number
  readonly author: Person
  body: string
  readonly createdAt: string
  updatedAt: string
  /** The review it came with. */
  reviewId: number | null
}

export type Issue = {
  readonly number: number
  title: string
  body: string
  state: 'open' | 'closed'
  author: Person
  labels: string[]
  createdAt: string
  comments: Note[]
}

export type CommitStatus = {
  readonly id: number
  readonly commit: string
  readonly context: string
  readonly state: string
  readonly description: string | null
  readonly targetUrl: string | null
  readonly creator: Person
  readonly createdAt: string
}

export class World {
  readonly folder: string
  readonly people = new Map<string, Person>()
  readonly projects: Project[] = []
  /** Milliseconds that a test has added to the clock. */
  private ahead = 0
  private lastId = 1000
  private ticks = 0

  constructor(folder: string) {
    this.folder = folder
  }

  now(): number {
    return Date.now() + this.ahead
  }

  /** As if so many seconds had passed. */
  passTime(seconds: number): void {
    this.ahead += seconds * 1000
  }

  /** Times of records: a second apart, so that their order is seen and two runs write the same. */
  stamp(): string {
    this.ticks += 1
    return new Date(Date.UTC(2026, 0, 1) + this.ticks * 1000).toISOString().replace('.000', '')
  }

  nextId(): number {
    this.lastId += 1
    return this.lastId
  }

  /** A person is made when first named. A login that ends in `[bot]` is a bot. */
  person(login: string): Person {
    const known = this.people.get(login)
    if (known) return known
    const made = { id: this.nextId(), login, name: login, isBot: login.endsWith('[bot]') }
    this.people.set(login, made)
    return made
  }

  /** `owner/name`, with a first commit of `files` on `main`. */
  createProject(
    fullName: string,
    options: { files?: Files; isPrivate?: boolean; repository?: string } = {},
  ): Project {
    const path = options.repository ?? join(this.folder, `${this.nextId()}.git`)
    const repository = options.repository ? HostedRepository.adopt(path) : HostedRepository.create(path)
    const project = new Project(this, fullName, repository, null)
    project.isPrivate = options.isPrivate ?? false
    this.projects.push(project)
    if (!options.repository) {
      const files = options.files ?? { 'README.md': '# Example\n' }
      repository.point('refs/heads/main', repository.commit({ parents: [], message: 'first', files }))
    }
    return project
  }

  /** By its name of today; `former` when only a name it once had fits. */
  find(fullName: string): { project: Project; isFormer: boolean } | null {
    const wanted = fullName.toLowerCase()
    const live = this.projects.filter(({ isDeleted }) => !isDeleted)
    const current = live.find((project) => project.fullName.toLowerCase() === wanted)
    if (current) return { project: current, isFormer: false }
    const former = live.find((project) => project.formerNames.has(wanted))
    return former ? { project: former, isFormer: true } : null
  }
}

export class Project {
  readonly id: number
  readonly world: World
  readonly repository: HostedRepository
  readonly forkOf: Project | null
  readonly formerNames = new Set<string>()
  readonly roles = new Map<string, Role>()
  /** Logins of the owning organization's members. */
  readonly members = new Set<string>()
  readonly issues = new Map<number, Issue>()
  readonly changes = new Map<number, Change>()
  readonly statuses: CommitStatus[] = []
  fullName: string
  defaultBranch = 'main'
  isPrivate = false
  /** Of a private one: everybody with an account at the host may read it. */
  isInternal = false
  isDeleted = false
  private lastNumber = 0

  constructor(world: World, fullName: string, repository: HostedRepository, forkOf: Project | null) {
    this.world = world
    this.id = world.nextId()
    this.fullName = fullName
    this.repository = repository
    this.forkOf = forkOf
    this.roles.set(this.owner, 'admin')
  }

  get owner(): string {
    return this.fullName.slice(0, this.fullName.lastIndexOf('/'))
  }

  get name(): string {
    return this.fullName.slice(this.fullName.lastIndexOf('/') + 1)
  }

  get visibility(): 'public' | 'internal' | 'private' {
    if (!this.isPrivate) return 'public'
    return this.isInternal ? 'internal' : 'private'
  }

  nextNumber(): number {
    this.lastNumber += 1
    return this.lastNumber
  }

  roleOf(login: string): Role {
    return this.roles.get(login) ?? (this.isPrivate ? 'none' : 'read')
  }

  head(branch: string): string {
    const commit = this.repository.resolve(`refs/heads/${branch}`)
    if (commit === null) throw new Error(`${this.fullName} has no branch ${branch}`)
    return commit
  }

  /** A commit on a branch, which is made from `main` when it does not exist. Every open change follows. */
  commit(branch: string, files: Files, options: { message?: string; author?: string } = {}): string {
    const parent = this.repository.resolve(`refs/heads/${branch}`) ?? this.head(this.defaultBranch)
    const { message = 'change', author } = options
    const commit = this.repository.commit({
      parents: [parent],
      message,
      files,
      ...(author ? { author } : {}),
    })
    this.moveBranch(branch, commit)
    return commit
  }

  /** Points the branch elsewhere, as a push or a force-push does. */
  moveBranch(branch: string, commit: string): void {
    this.repository.point(`refs/heads/${branch}`, commit)
    for (const project of this.world.projects)
      for (const change of project.changes.values()) change.follow(this, branch)
  }

  fork(owner: string): Project {
    const path = join(this.world.folder, `${this.world.nextId()}.git`)
    const copy = HostedRepository.create(path, this.repository)
    const project = new Project(this.world, `${owner}/${this.name}`, copy, this)
    project.isPrivate = this.isPrivate
    this.world.projects.push(project)
    return project
  }

  rename(fullName: string): void {
    this.formerNames.add(this.fullName.toLowerCase())
    this.fullName = fullName
  }

  open(options: NewChange): Change {
    const change = new Change(this, options)
    this.changes.set(change.number, change)
    return change
  }

  openIssue(title: string, body = '', author = 'ada', labels: string[] = []): Issue {
    const [number, createdAt] = [this.nextNumber(), this.world.stamp()]
    const made: Issue = {
      ...{ number, title, body, state: 'open', labels, createdAt, comments: [] },
      author: this.world.person(author),
    }
    this.issues.set(number, made)
    return made
  }
}
