/** What the fake GitHub remembers beyond the engine: apps, tokens, check runs. */
import { generateKeyPairSync, type KeyObject, type KeyPairKeyObjectResult, randomBytes } from 'node:crypto'
import type { ApiAnswer } from '../engine/server.ts'
import type { Person, Project, World } from '../engine/world.ts'

export type Access = 'read' | 'write'
export type Permissions = Readonly<Record<string, Access>>

export type GitHubApp = {
  readonly id: number
  readonly slug: string
  readonly bot: Person
  readonly permissions: Permissions
  /** PEM, to sign the app's tokens with. */
  readonly privateKey: string
  readonly publicKey: KeyObject
}

export type Installation = {
  readonly id: number
  readonly app: GitHubApp
  readonly projects: Project[]
  isSuspended: boolean
}

/** Who sends a request. */
export type Identity = {
  kind: 'anonymous' | 'classic' | 'fine-grained' | 'installation' | 'app'
  person: Person | null
  app: GitHubApp | null
  /** Of fine-grained and installation tokens. */
  permissions: Permissions
  /** Of classic tokens. */
  scopes: readonly string[]
  /** Null for all that its person may see. */
  projects: readonly Project[] | null
  /** Requests with the same key share their limits. */
  limitKey: string
  expiresAt: number
}

export type Annotation = Readonly<Record<string, unknown>>

export type CheckRun = {
  readonly id: number
  readonly project: Project
  readonly app: GitHubApp
  readonly commit: string
  name: string
  status: string
  conclusion: string | null
  externalId: string
  detailsUrl: string | null
  title: string | null
  summary: string | null
  text: string | null
  readonly annotations: Annotation[]
  startedAt: string
  completedAt: string | null
}

/** What a handler throws to refuse. */
export class Refusal extends Error {
  readonly answer: ApiAnswer

  constructor(status: number, message: string, more: { [key: string]: unknown } = {}, headers = {}) {
    super(message)
    const body = {
      message,
      documentation_url: 'https://docs.github.com/rest',
      status: String(status),
      ...more,
    }
    this.answer = { status, body, headers }
  }
}

export const reviewerRights: Permissions = {
  pull_requests: 'write',
  checks: 'write',
  contents: 'read',
  issues: 'read',
}

export class GitHubState {
  readonly world: World
  readonly tokens = new Map<string, Identity>()
  readonly apps: GitHubApp[] = []
  readonly installations: Installation[] = []
  readonly checks: CheckRun[] = []
  /** Ids of comments that somebody hid. */
  readonly minimized = new Set<number>()
  readonly reactions: { id: number; note: number; login: string; content: string }[] = []

  constructor(world: World) {
    this.world = world
  }

  /** The bot is `slug[bot]`. */
  addApp(slug: string, permissions: Permissions): GitHubApp {
    const { privateKey, publicKey } = keys()
    const app: GitHubApp = {
      id: this.world.nextId(),
      slug,
      bot: this.world.person(`${slug}[bot]`),
      permissions: { metadata: 'read', ...permissions },
      privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      publicKey,
    }
    this.apps.push(app)
    return app
  }

  install(app: GitHubApp, projects: readonly Project[]): Installation {
    const made = { id: this.world.nextId(), app, projects: [...projects], isSuspended: false }
    this.installations.push(made)
    return made
  }

  /** A classic personal token; `repo` and `read:org` when no scopes are given. */
  addToken(login: string, scopes: readonly string[] = ['repo', 'read:org']): string {
    const person = this.world.person(login)
    return this.keep('ghp_', { ...nobody, kind: 'classic', person, scopes, limitKey: `user ${login}` })
  }

  addFineGrainedToken(login: string, permissions: Permissions, projects: readonly Project[]): string {
    const person = this.world.person(login)
    const all = { metadata: 'read' as const, ...permissions }
    const limitKey = `user ${login}`
    return this.keep('github_pat_', {
      ...nobody,
      kind: 'fine-grained',
      person,
      permissions: all,
      projects,
      limitKey,
    })
  }

  /** Refuses permissions that the app does not have. Lives for an hour. */
  addInstallationToken(
    installation: Installation,
    wanted: { permissions?: Permissions; projects?: readonly Project[] } = {},
  ): {
    token: string
    identity: Identity
  } {
    const { app } = installation
    const permissions = { metadata: 'read' as const, ...(wanted.permissions ?? app.permissions) }
    for (const [name, access] of Object.entries(permissions))
      if (!grants(app.permissions, name, access))
        throw new Refusal(422, 'The permissions requested are not granted to this installation.')
    const identity: Identity = {
      kind: 'installation',
      person: app.bot,
      app,
      permissions,
      scopes: [],
      projects: wanted.projects ?? installation.projects,
      limitKey: `installation ${installation.id}`,
      expiresAt: this.world.now() + 3_600_000,
    }
    return { token: this.keep('ghs_', identity), identity }
  }

  /** The token of an App with the rights that our documentation asks for, installed in these repositories. */
  addReviewerToken(projects: readonly Project[], slug = 'sightline'): string {
    const app = this.addApp(slug, reviewerRights)
    return this.addInstallationToken(this.install(app, projects)).token
  }

  /** What a job of Actions gets as GITHUB_TOKEN. For the change of a fork only reading is left, as GitHub does. */
  addActionsToken(project: Project, permissions: Permissions, options: { fromFork?: boolean } = {}): string {
    const app =
      this.apps.find(({ slug }) => slug === 'github-actions') ??
      this.addApp('github-actions', Object.fromEntries(actionsPermissions.map((name) => [name, 'write'])))
    const installation =
      this.installations.find((one) => one.app === app && one.projects[0] === project) ??
      this.install(app, [project])
    const held = Object.entries(permissions).map(([name, access]) => [
      name,
      options.fromFork ? 'read' : access,
    ])
    return this.addInstallationToken(installation, { permissions: Object.fromEntries(held) }).token
  }

  private keep(prefix: string, identity: Identity): string {
    const token = `${prefix}${randomBytes(18).toString('hex')}`
    this.tokens.set(token, identity)
    return token
  }
}

let pair: KeyPairKeyObjectResult | undefined

/** One for all apps of a process: to make one takes longer than a test. */
function keys(): KeyPairKeyObjectResult {
  pair ??= generateKeyPairSync('rsa', { modulusLength: 2048 })
  return pair
}

export const nobody: Identity = {
  kind: 'anonymous',
  person: null,
  app: null,
  permissions: {},
  scopes: [],
  projects: null,
  limitKey: 'nobody',
  expiresAt: Number.POSITIVE_INFINITY,
}

export function grants(permissions: Permissions, name: string, access: Access): boolean {
  return permissions[name] === 'write' || (access === 'read' && permissions[name] === 'read')
}

const actionsPermissions = [
  'actions',
  'checks',
  'contents',
  'issues',
  'pull_requests',
  'security_events',
  'statuses',
]
