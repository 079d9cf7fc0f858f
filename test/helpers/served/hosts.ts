/**
 * Each kind of host with one repository and one change request, as an operator connects it: what its connection is called by,
 * its secrets, its webhooks, and what the host shows of our work.
 */
import { createHmac, generateKeyPairSync, randomUUID } from 'node:crypto'
import type { HostKind } from '../../../src/hosts/remote/contract.ts'
import type { ConnectionSecrets } from '../../../src/server/settings/load.ts'
import type { Change } from '../hosts/engine/change.ts'
import type { Faults } from '../hosts/engine/faults.ts'
import type { Files } from '../hosts/engine/repository.ts'
import type { LogEntry } from '../hosts/engine/server.ts'
import type { Note, Project } from '../hosts/engine/world.ts'
import { startForgejo } from '../hosts/forgejo/server.ts'
import { startGitHub } from '../hosts/github/server.ts'
import type { Permissions } from '../hosts/github/state.ts'
import { startGitLab } from '../hosts/gitlab/server.ts'

/** `isEnded`: it waits for nothing more. `isPassed`: a branch rule that requires it lets the change be merged. */
export type ShownCheck = { title: string; isEnded: boolean; isPassed: boolean; text: string }

export type ConnectedHost = {
  readonly kind: HostKind
  readonly url: string
  readonly faults: Faults
  readonly violations: readonly string[]
  readonly log: readonly LogEntry[]
  readonly project: Project
  readonly change: Change
  /** As the settings have it, without its address. */
  connection(): { kind: HostKind; tenant?: string; appId?: string }
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
  announce(server: string, action?: 'opened' | 'pushed', about?: Change): Promise<void>
  say(server: string, note: Note): Promise<void>
  /** On this commit; null while there is none. */
  check(commit: string): ShownCheck | null
  close(): Promise<void>
}

const webhookSecret = 'the webhook secret of this connection'
const base = { 'README.md': '# Shop\n' }

export type HostOptions = {
  /** Of its connection in the settings. */
  name?: string
  files?: Files
  base?: Files
  rights?: Permissions
  /** The change request; one with `files` on a branch of the project when not given. */
  open?: (project: Project) => Change
}

const openTopic = (project: Project, { files = {}, open }: HostOptions) =>
  open ? open(project) : project.open({ branch: 'topic', files })

export const connectHost: Readonly<Record<HostKind, (options: HostOptions) => Promise<ConnectedHost>>> = {
  github: connectGitHub,
  gitlab: connectGitLab,
  forgejo: connectForgejo,
}

const noSecrets: ConnectionSecrets = {
  appKey: null,
  token: null,
  webhookSecret,
  previousWebhookSecret: null,
}

const fullRights: Permissions = {
  checks: 'write',
  contents: 'write',
  issues: 'write',
  pull_requests: 'write',
  statuses: 'write',
}

async function connectGitHub({ name = 'host', ...options }: HostOptions): Promise<ConnectedHost> {
  const fake = await startGitHub()
  const app = fake.state.addApp('sightline', options.rights ?? fullRights)
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
      await fake.hooks.pull(about, action === 'opened' ? 'opened' : 'synchronize')
    },
    async say(server, note) {
      const secret = secrets.webhookSecret ?? ''
      fake.hooks.targets.set(app, { url: `${server}/webhooks/${name}`, secret })
      const thread = change.threads.find(({ notes }) => notes.includes(note))
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
    close: () => fake.close(),
  }
}

function rotateWebhookSecret(secrets: ConnectionSecrets): void {
  secrets.previousWebhookSecret = secrets.webhookSecret
  secrets.webhookSecret = `the secret that replaces ${secrets.previousWebhookSecret}`
}

/** The newest status of ours on the commit. */
function statusOf({ statuses }: Project, commit: string, name = 'sightline'): ShownCheck | null {
  const status = statuses.findLast((one) => one.commit === commit && one.context === name)
  if (!status) return null
  const isEnded = !['pending', 'running', 'created'].includes(status.state)
  const title = status.description ?? ''
  return { title, isEnded, isPassed: status.state === 'success', text: title }
}

async function connectGitLab({ name = 'host', ...options }: HostOptions): Promise<ConnectedHost> {
  const fake = await startGitLab()
  const project = fake.world.createProject('group/shop', { files: { ...base, ...options.base } })
  project.roles.set('ada', 'write')
  const secrets = { ...noSecrets, token: fake.state.addProjectToken(project) }
  const change = openTopic(project, options)
  const send = async (server: string, body: object) => {
    const answer = await fetch(`${server}/webhooks/${name}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-gitlab-token': secrets.webhookSecret ?? '',
        'x-gitlab-event-uuid': randomUUID(),
      },
      body: JSON.stringify({ project: { id: project.id, path_with_namespace: project.fullName }, ...body }),
    })
    if (answer.status !== 202) throw new Error(`the webhook was answered with ${answer.status}`)
  }
  const replaceToken = () => {
    secrets.token = fake.state.addProjectToken(project)
  }
  return {
    ...{ kind: 'gitlab', url: fake.url, faults: fake.faults, violations: fake.violations, log: fake.log },
    ...{ project, change, secrets, replaceToken, reinstall: replaceToken },
    rotateKey: () => rotateWebhookSecret(secrets),
    connection: () => ({ kind: 'gitlab', tenant: 'platform' }),
    address: (about = change) => `${fake.url}/${project.fullName}/-/merge_requests/${about.number}`,
    token: () => secrets.token ?? '',
    announce: (server, action = 'pushed', about = change) =>
      send(server, {
        object_kind: 'merge_request',
        object_attributes: {
          iid: about.number,
          action: action === 'opened' ? 'open' : 'update',
          ...(action === 'opened' ? {} : { oldrev: 'a'.repeat(40) }),
          last_commit: { id: about.head },
          updated_at: new Date().toISOString(),
        },
      }),
    say: (server, note) =>
      send(server, {
        object_kind: 'note',
        merge_request: { iid: change.number },
        object_attributes: {
          ...{ id: note.id, action: 'create', updated_at: new Date().toISOString() },
          type: change.threads.some(({ notes }) => notes.includes(note)) ? 'DiffNote' : null,
        },
      }),
    check: (commit) => statusOf(project, commit),
    close: () => fake.close(),
  }
}

async function connectForgejo({ name = 'host', ...options }: HostOptions): Promise<ConnectedHost> {
  const fake = await startForgejo()
  const project = fake.world.createProject('acme/shop', { files: { ...base, ...options.base } })
  project.roles.set('ada', 'write')
  project.roles.set('reviewer', 'admin')
  const secrets = { ...noSecrets, token: fake.addToken('reviewer') }
  const change = openTopic(project, options)
  const send = async (server: string, event: string, fields: object) => {
    const repository = { id: project.id, full_name: project.fullName }
    const body = JSON.stringify({ ...fields, repository })
    const answer = await fetch(`${server}/webhooks/${name}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-forgejo-event': event,
        'x-forgejo-delivery': randomUUID(),
        'x-forgejo-signature': createHmac('sha256', secrets.webhookSecret ?? '')
          .update(body)
          .digest('hex'),
      },
      body,
    })
    if (answer.status !== 202) throw new Error(`the webhook was answered with ${answer.status}`)
  }
  const replaceToken = () => {
    secrets.token = fake.addToken('reviewer')
  }
  return {
    ...{ kind: 'forgejo', url: fake.url, faults: fake.faults, violations: fake.violations, log: fake.log },
    ...{ project, change, secrets, replaceToken, reinstall: replaceToken },
    rotateKey: () => rotateWebhookSecret(secrets),
    connection: () => ({ kind: 'forgejo', tenant: 'platform' }),
    address: (about = change) => `${fake.url}/${project.fullName}/pulls/${about.number}`,
    token: () => secrets.token ?? '',
    announce: (server, action = 'pushed', about = change) =>
      send(server, 'pull_request', {
        action: action === 'opened' ? 'opened' : 'synchronized',
        number: about.number,
        pull_request: { head: { sha: about.head } },
      }),
    say: (server, note) =>
      send(server, 'issue_comment', {
        ...{ action: 'created', is_pull: true, issue: { number: change.number, pull_request: {} } },
        comment: { id: note.id, updated_at: new Date().toISOString() },
      }),
    check: (commit) => statusOf(project, commit),
    close: () => fake.close(),
  }
}
