/**
 * Each kind of host with one repository and one change request, as an operator connects it: what its connection is called by,
 * its secrets, its webhooks, and what the host shows of our work.
 */
import { generateKeyPairSync } from 'node:crypto'
import type { BuiltInHostKind } from '../../../src/domain/host-kind.ts'
import { pageOf } from '../../../src/hosts/remote/facts.ts'
import { appPermissions } from '../../../src/server/connections/app-rights.ts'
import type { ConnectionSecrets } from '../../../src/server/settings/load.ts'
import type { Change, Thread } from '../hosts/engine/change.ts'
import type { Faults } from '../hosts/engine/faults.ts'
import type { Files } from '../hosts/engine/repository.ts'
import type { LogEntry } from '../hosts/engine/server.ts'
import type { Note, Project } from '../hosts/engine/world.ts'
import { startGitHub } from '../hosts/github/server.ts'
import type { Permissions } from '../hosts/github/state.ts'
import {
  type Account,
  type HostEvent,
  type ShownCheck,
  sendDelivery,
  startTokenHost,
  statusOf,
} from './token-hosts.ts'

export type ConnectedHost = {
  readonly kind: BuiltInHostKind
  readonly url: string
  readonly faults: Faults
  readonly violations: readonly string[]
  readonly log: readonly LogEntry[]
  readonly project: Project
  readonly change: Change
  /** As the settings have it, without its address. */
  connection(): { kind: BuiltInHostKind; tenant?: string; appId?: string }
  secrets: ConnectionSecrets
  /** Another token, of an account of its own where the host makes one for each. */
  replaceToken(): void
  /** The App's key; elsewhere the secret of the webhooks, of which the earlier one is still accepted. */
  rotateKey(): void
  /** Revokes the access, and gives it anew. */
  reinstall(): void
  /** Of the change request. */
  address(about?: Change): string
  /** For the command line, of the same account. */
  token(): string
  /** `about`: another change request than the one it was connected with. */
  announce(server: string, action?: keyof typeof pullActions, about?: Change): Promise<void>
  say(server: string, note: Note): Promise<void>
  /** Answers to comments of the conversation, where these are threads and not comments beside it. */
  answers?(): readonly Note[]
  /** Somebody likes a comment, where the host has reactions. */
  like?(login: string, note: number): void
  /** On this commit; null while there is none. */
  check(commit: string): ShownCheck | null
  /** Resolved, or folded where that may not or cannot be done. */
  isClosed(thread: Thread): boolean
  close(): Promise<void>
}

/** What GitHub calls them. */
const pullActions = { opened: 'opened', pushed: 'synchronize', closed: 'closed' } as const
const webhookSecret = 'the webhook secret of this connection'
const base = { 'README.md': '# Shop\n' }

export type HostOptions = {
  /** Of its connection in the settings. */
  name?: string
  files?: Files
  base?: Files
  /** Of the App, in place of those that the server asks for. */
  rights?: Permissions
  /** What the token and its account may do; on GitHub a personal token in place of an App. */
  account?: Account
  /** The change request; one with `files` on a branch of the project when not given. */
  open?: (project: Project) => Change
}

const openTopic = (project: Project, { files = {}, open }: HostOptions) =>
  open ? open(project) : project.open({ branch: 'topic', files })

export async function connectHost(kind: BuiltInHostKind, options: HostOptions): Promise<ConnectedHost> {
  const isApp = kind === 'github' && !options.account
  return isApp ? await connectGitHub(options) : await connectByToken(kind, options)
}

const noSecrets: ConnectionSecrets = {
  appKey: null,
  token: null,
  webhookSecret,
  previousWebhookSecret: null,
}

async function connectGitHub({ name = 'host', ...options }: HostOptions): Promise<ConnectedHost> {
  const fake = await startGitHub()
  const app = fake.state.addApp('sightline', options.rights ?? appPermissions)
  const project = fake.world.createProject('acme/shop', { files: { ...base, ...options.base } })
  project.roles.set('ada', 'write')
  let installation = fake.state.install(app, [project])
  const change = openTopic(project, options)
  const secrets = { ...noSecrets, appKey: app.privateKey }
  return {
    ...{ kind: 'github', url: fake.url, faults: fake.faults, violations: fake.violations, log: fake.log },
    ...{ project, change, secrets },
    connection: () => ({ kind: 'github', appId: String(app.id) }),
    // An App's tokens live for an hour, and each server makes its own.
    replaceToken() {},
    rotateKey() {
      const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
      secrets.appKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
      Object.assign(app, { privateKey: secrets.appKey, publicKey })
    },
    reinstall() {
      fake.state.installations.splice(fake.state.installations.indexOf(installation), 1)
      installation = fake.state.install(app, [project])
    },
    address: (about = change) => `${fake.url}/${project.fullName}/pull/${about.number}`,
    token: () => fake.state.addInstallationToken(installation).token,
    async announce(server, action = 'pushed', about = change) {
      const secret = secrets.webhookSecret ?? ''
      fake.hooks.targets.set(app, { url: `${server}/webhooks/${name}`, secret })
      await fake.hooks.pull(about, pullActions[action])
    },
    async say(server, note) {
      const secret = secrets.webhookSecret ?? ''
      fake.hooks.targets.set(app, { url: `${server}/webhooks/${name}`, secret })
      const thread = threadOf(change, note)
      if (thread) await fake.hooks.threadComment(change, thread, note)
      else await fake.hooks.comment(change, note)
    },
    check(commit) {
      const run = fake.state.checks.findLast((one) => one.commit === commit && one.app === app)
      if (!run) return statusOf(project, commit, 'Sightline')
      const isEnded = run.status === 'completed'
      // What a required check takes for success, by the documentation of branch protection.
      const isPassed = isEnded && ['success', 'neutral', 'skipped'].includes(run.conclusion ?? '')
      return { title: run.title ?? '', isEnded, isPassed, text: run.summary ?? '' }
    },
    isClosed: ({ resolvedBy, firstNote }) => resolvedBy !== null || fake.state.minimized.has(firstNote),
    close: () => fake.close(),
  }
}

async function connectByToken(kind: BuiltInHostKind, options: HostOptions): Promise<ConnectedHost> {
  const { name = 'host', account } = options
  const host = await startTokenHost(kind)
  const { fake } = host
  const files = { ...base, ...options.base }
  const project = fake.world.createProject(`${host.ownerIn('acme')}/shop`, { files })
  project.roles.set('ada', 'write')
  if (!host.addProjectToken) project.roles.set('reviewer', account?.role ?? host.role)
  const addToken = () =>
    host.addProjectToken?.(project, account) ?? host.addToken('reviewer', account?.scopes)
  const secrets = { ...noSecrets, token: addToken() }
  const change = openTopic(project, options)
  const replaceToken = () => {
    secrets.token = addToken()
  }
  const send = async (server: string, event: HostEvent) => {
    const to = { url: `${server}/webhooks/${name}`, secret: secrets.webhookSecret ?? '' }
    const status = await sendDelivery(host, event, to)
    if (status !== 202) throw new Error(`the webhook was answered with ${status}`)
  }
  return {
    ...{ kind, url: fake.url, faults: fake.faults, violations: fake.violations, log: fake.log },
    ...{ project, change, secrets, replaceToken, reinstall: replaceToken },
    rotateKey() {
      secrets.previousWebhookSecret = secrets.webhookSecret
      secrets.webhookSecret = `the secret that replaces ${secrets.previousWebhookSecret}`
    },
    connection: () => ({ kind, tenant: 'platform' }),
    address: ({ number } = change) =>
      pageOf({ kind, webUrl: fake.url, owner: project.owner.split('/'), name: project.name, number }),
    token: () => secrets.token,
    announce: (server, action = 'pushed', about = change) => send(server, { change: about, action }),
    say: (server, note) => send(server, { change, note, thread: threadOf(change, note) }),
    check: (commit) => host.check(change, commit),
    ...(host.answers ? { answers: host.answers } : {}),
    ...(host.like ? { like: host.like } : {}),
    isClosed: (thread) => host.isClosed(thread),
    close: () => fake.close(),
  }
}

function threadOf({ threads }: Change, note: Note): Thread | null {
  return threads.find(({ notes }) => notes.includes(note)) ?? null
}
