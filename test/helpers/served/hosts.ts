/**
 * Each kind of host with one repository and one change request, as an operator connects it: what its connection is called by,
 * its secrets, its webhooks, and what the host shows of our work.
 */
import { createHmac, generateKeyPairSync, randomUUID } from 'node:crypto'
import type { BuiltInHostKind } from '../../../src/domain/host-kind.ts'
import { appPermissions } from '../../../src/server/connections/app-rights.ts'
import type { ConnectionSecrets } from '../../../src/server/settings/load.ts'
import { showPull as showAzurePull } from '../hosts/azure/render.ts'
import { startAzure } from '../hosts/azure/server.ts'
import { showPull, showRepository } from '../hosts/bitbucket/render.ts'
import { startBitbucket } from '../hosts/bitbucket/server.ts'
import { showPull as showDcPull, showNote } from '../hosts/bitbucket-dc/render.ts'
import { startBitbucketDc } from '../hosts/bitbucket-dc/server.ts'
import type { Change, Thread } from '../hosts/engine/change.ts'
import type { Faults } from '../hosts/engine/faults.ts'
import type { Files } from '../hosts/engine/repository.ts'
import type { LogEntry } from '../hosts/engine/server.ts'
import type { Note, Project, Role } from '../hosts/engine/world.ts'
import { startForgejo } from '../hosts/forgejo/server.ts'
import { Renderer } from '../hosts/github/render.ts'
import { startGitHub } from '../hosts/github/server.ts'
import type { Permissions } from '../hosts/github/state.ts'
import { startGitLab } from '../hosts/gitlab/server.ts'

/** `isEnded`: it waits for nothing more. `isPassed`: a branch rule that requires it lets the change be merged. */
export type ShownCheck = { title: string; isEnded: boolean; isPassed: boolean; text: string }

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
  announce(server: string, action?: 'opened' | 'pushed', about?: Change): Promise<void>
  say(server: string, note: Note): Promise<void>
  /** Answers to comments of the conversation, where these are threads and not comments beside it. */
  answers?(): readonly Note[]
  /** On this commit; null while there is none. */
  check(commit: string): ShownCheck | null
  /** Resolved, or folded where that may not or cannot be done. */
  isClosed(thread: Thread): boolean
  close(): Promise<void>
}

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
  account?: { scopes?: readonly string[]; role?: Role }
  /** The change request; one with `files` on a branch of the project when not given. */
  open?: (project: Project) => Change
}

const openTopic = (project: Project, { files = {}, open }: HostOptions) =>
  open ? open(project) : project.open({ branch: 'topic', files })

export const connectHost: Readonly<
  Record<BuiltInHostKind, (options: HostOptions) => Promise<ConnectedHost>>
> = {
  github: connectGitHub,
  gitlab: connectGitLab,
  forgejo: connectForgejo,
  bitbucket: connectBitbucket,
  'bitbucket-dc': connectBitbucketDc,
  azure: connectAzure,
}

const noSecrets: ConnectionSecrets = {
  appKey: null,
  token: null,
  webhookSecret,
  previousWebhookSecret: null,
}

async function connectGitHub({ name = 'host', ...options }: HostOptions): Promise<ConnectedHost> {
  if (options.account) return await connectGitHubByToken({ name, ...options })
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
    isClosed: ({ resolvedBy, firstNote }) => resolvedBy !== null || fake.state.minimized.has(firstNote),
    close: () => fake.close(),
  }
}

/** With a webhook of the repository, which names no installation. */
async function connectGitHubByToken({ name, account, ...options }: HostOptions): Promise<ConnectedHost> {
  const fake = await startGitHub()
  const project = fake.world.createProject('acme/shop', { files: { ...base, ...options.base } })
  project.roles.set('ada', 'write')
  project.roles.set('reviewer', account?.role ?? 'write')
  const secrets = { ...noSecrets, token: fake.state.addToken('reviewer', account?.scopes) }
  const change = openTopic(project, options)
  const render = new Renderer(fake.apiUrl, fake.url)
  const send = async (server: string, event: string, fields: object) => {
    const body = JSON.stringify({ ...fields, repository: render.repository(project) })
    const mac = createHmac('sha256', secrets.webhookSecret ?? '')
      .update(body)
      .digest('hex')
    await post(`${server}/webhooks/${name}`, body, {
      'x-github-event': event,
      'x-github-delivery': randomUUID(),
      'x-hub-signature-256': `sha256=${mac}`,
    })
  }
  const replaceToken = () => {
    secrets.token = fake.state.addToken('reviewer', account?.scopes)
  }
  return {
    ...{ kind: 'github', url: fake.url, faults: fake.faults, violations: fake.violations, log: fake.log },
    ...{ project, change, secrets, replaceToken, reinstall: replaceToken },
    rotateKey: () => rotateWebhookSecret(secrets),
    connection: () => ({ kind: 'github', tenant: 'platform' }),
    address: (about = change) => `${fake.url}/${project.fullName}/pull/${about.number}`,
    token: () => secrets.token ?? '',
    announce: (server, action = 'pushed', about = change) =>
      send(server, 'pull_request', {
        action: action === 'opened' ? 'opened' : 'synchronize',
        number: about.number,
        pull_request: { ...render.pull(about), updated_at: new Date().toISOString() },
      }),
    say: (server, note) =>
      send(server, 'issue_comment', {
        action: 'created',
        issue: { number: change.number, pull_request: {} },
        comment: {
          ...render.issueComment(project, change.number, note),
          updated_at: new Date().toISOString(),
        },
      }),
    check: (commit) => statusOf(project, commit, 'Sightline'),
    isClosed: ({ resolvedBy, firstNote }) => resolvedBy !== null || fake.state.minimized.has(firstNote),
    close: () => fake.close(),
  }
}

async function post(url: string, body: string, headers: Record<string, string>): Promise<void> {
  const sent = { 'content-type': 'application/json', ...headers }
  const answer = await fetch(url, { method: 'POST', headers: sent, body })
  if (answer.status !== 202) throw new Error(`the webhook was answered with ${answer.status}`)
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
  const addToken = () =>
    fake.state.addProjectToken(
      project,
      options.account?.scopes as Parameters<typeof fake.state.addProjectToken>[1],
      options.account?.role,
    )
  const secrets = { ...noSecrets, token: addToken() }
  const change = openTopic(project, options)
  const send = async (server: string, body: object) => {
    const about = { id: project.id, path_with_namespace: project.fullName }
    await post(`${server}/webhooks/${name}`, JSON.stringify({ project: about, ...body }), {
      'x-gitlab-token': secrets.webhookSecret ?? '',
      'x-gitlab-event-uuid': randomUUID(),
    })
  }
  const replaceToken = () => {
    secrets.token = addToken()
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
    isClosed: ({ resolvedBy }) => resolvedBy !== null,
    close: () => fake.close(),
  }
}

async function connectForgejo({ name = 'host', ...options }: HostOptions): Promise<ConnectedHost> {
  const fake = await startForgejo()
  const project = fake.world.createProject('acme/shop', { files: { ...base, ...options.base } })
  project.roles.set('ada', 'write')
  project.roles.set('reviewer', options.account?.role ?? 'admin')
  const secrets = { ...noSecrets, token: fake.addToken('reviewer', options.account?.scopes) }
  const change = openTopic(project, options)
  const send = async (server: string, event: string, fields: object) => {
    const repository = { id: project.id, full_name: project.fullName }
    const body = JSON.stringify({ ...fields, repository })
    await post(`${server}/webhooks/${name}`, body, {
      'x-forgejo-event': event,
      'x-forgejo-delivery': randomUUID(),
      'x-forgejo-signature': createHmac('sha256', secrets.webhookSecret ?? '')
        .update(body)
        .digest('hex'),
    })
  }
  const replaceToken = () => {
    secrets.token = fake.addToken('reviewer', options.account?.scopes)
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
    isClosed: ({ notes }) => /^Fixed in [\s\S]*<details>/.test(notes[0]?.body ?? ''),
    close: () => fake.close(),
  }
}

async function connectBitbucket({ name = 'host', ...options }: HostOptions): Promise<ConnectedHost> {
  const fake = await startBitbucket()
  const project = fake.world.createProject('acme/shop', { files: { ...base, ...options.base } })
  project.roles.set('ada', 'write')
  project.roles.set('reviewer', options.account?.role ?? 'admin')
  const addToken = () => fake.addToken('reviewer', options.account?.scopes, 'reviewer@example.com')
  const secrets = { ...noSecrets, token: addToken() }
  const change = openTopic(project, options)
  const send = async (server: string, event: string, about: Change, fields: object) => {
    const body = JSON.stringify({
      repository: showRepository(project),
      pullrequest: { ...showPull(about), updated_on: new Date().toISOString() },
      ...fields,
    })
    const mac = createHmac('sha256', secrets.webhookSecret ?? '').update(body)
    await post(`${server}/webhooks/${name}`, body, {
      ...{ 'x-event-key': event, 'x-request-uuid': randomUUID(), 'x-attempt-number': '1' },
      'x-hub-signature': `sha256=${mac.digest('hex')}`,
    })
  }
  const replaceToken = () => {
    secrets.token = addToken()
  }
  return {
    ...{ kind: 'bitbucket', url: fake.url, faults: fake.faults, violations: fake.violations, log: fake.log },
    ...{ project, change, secrets, replaceToken, reinstall: replaceToken },
    rotateKey: () => rotateWebhookSecret(secrets),
    connection: () => ({ kind: 'bitbucket', tenant: 'platform' }),
    address: (about = change) => `${fake.url}/${project.fullName}/pull-requests/${about.number}`,
    token: () => secrets.token ?? '',
    announce: (server, action = 'pushed', about = change) =>
      send(server, action === 'opened' ? 'pullrequest:created' : 'pullrequest:updated', about, {}),
    say: (server, note) => {
      const isInThread = change.threads.some(({ notes }) => notes.includes(note))
      const place = isInThread ? { inline: {} } : {}
      const comment = { id: note.id, created_on: new Date().toISOString(), ...place }
      return send(server, 'pullrequest:comment_created', change, { comment })
    },
    check: (commit) => statusOf(project, commit),
    isClosed: ({ resolvedBy }) => resolvedBy !== null,
    close: () => fake.close(),
  }
}

async function connectBitbucketDc({ name = 'host', ...options }: HostOptions): Promise<ConnectedHost> {
  const fake = await startBitbucketDc()
  const { state, world } = fake
  const project = world.createProject('acme/shop', { files: { ...base, ...options.base } })
  project.roles.set('ada', 'write')
  project.roles.set('reviewer', options.account?.role ?? 'read')
  const addToken = () => fake.addToken('reviewer', options.account?.scopes)
  const secrets = { ...noSecrets, token: addToken() }
  const change = openTopic(project, options)
  const send = async (server: string, eventKey: string, about: Change, fields: object) => {
    const date = new Date().toISOString().replace(/\.\d+Z$/, '+0000')
    const body = JSON.stringify({ eventKey, date, pullRequest: showDcPull(about), ...fields })
    const mac = createHmac('sha256', secrets.webhookSecret ?? '').update(body)
    await post(`${server}/webhooks/${name}`, body, {
      ...{ 'x-event-key': eventKey, 'x-request-id': randomUUID() },
      'x-hub-signature': `sha256=${mac.digest('hex')}`,
    })
  }
  const replaceToken = () => {
    secrets.token = addToken()
  }
  return {
    ...{
      kind: 'bitbucket-dc',
      url: fake.url,
      faults: fake.faults,
      violations: fake.violations,
      log: fake.log,
    },
    ...{ project, change, secrets, replaceToken, reinstall: replaceToken },
    rotateKey: () => rotateWebhookSecret(secrets),
    connection: () => ({ kind: 'bitbucket-dc', tenant: 'platform' }),
    address: (about = change) =>
      `${fake.url}/projects/${project.owner}/repos/${project.name}/pull-requests/${about.number}`,
    token: () => secrets.token ?? '',
    announce: (server, action = 'pushed', about = change) =>
      send(server, action === 'opened' ? 'pr:opened' : 'pr:from_ref_updated', about, {}),
    async say(server, note) {
      const talk = state.talks(change).find(({ notes }) => notes.includes(note))
      if (!talk) throw new Error('the note is in no thread')
      await send(server, 'pr:comment:added', change, { comment: showNote(change, talk, note, state) })
    },
    check: (commit) => statusOf(project, commit),
    answers: () => [...state.replies.values()].flat(),
    isClosed: ({ resolvedBy }) => resolvedBy !== null,
    close: () => fake.close(),
  }
}

async function connectAzure({ name = 'host', ...options }: HostOptions): Promise<ConnectedHost> {
  const fake = await startAzure()
  const project = fake.world.createProject('acme/Our web/shop', { files: { ...base, ...options.base } })
  project.roles.set('ada', 'write')
  project.roles.set('reviewer', options.account?.role ?? 'write')
  const secrets = { ...noSecrets, token: fake.addToken('reviewer', options.account?.scopes) }
  const change = openTopic(project, options)
  const root = `${fake.url}/acme`
  const send = async (server: string, eventType: string, resource: object) => {
    const event = { id: randomUUID(), eventType, publisherId: 'tfs', createdDate: new Date().toISOString() }
    const authorization = `Basic ${Buffer.from(`hooks:${secrets.webhookSecret}`).toString('base64')}`
    await post(`${server}/webhooks/${name}`, JSON.stringify({ ...event, resource }), { authorization })
  }
  const replaceToken = () => {
    secrets.token = fake.addToken('reviewer', options.account?.scopes)
  }
  return {
    ...{ kind: 'azure', url: fake.url, faults: fake.faults, violations: fake.violations, log: fake.log },
    ...{ project, change, secrets, replaceToken, reinstall: replaceToken },
    rotateKey: () => rotateWebhookSecret(secrets),
    connection: () => ({ kind: 'azure', tenant: 'platform' }),
    address: (about = change) => `${root}/Our%20web/_git/${project.name}/pullrequest/${about.number}`,
    token: () => secrets.token ?? '',
    announce: (server, action = 'pushed', about = change) =>
      send(
        server,
        `git.pullrequest.${action === 'opened' ? 'created' : 'updated'}`,
        showAzurePull(about, root),
      ),
    async say(server, note) {
      const [thread, id] = fake.state.idOf(change, note.id).split('/')
      const pullRequest = showAzurePull(change, root)
      const self = { href: `${pullRequest.url}/threads/${thread}/comments/${id}` }
      const comment = { id: Number(id), content: note.body, commentType: 'text', _links: { self } }
      await send(server, 'ms.vss-code.git-pullrequest-comment-event', { comment, pullRequest })
    },
    check(commit) {
      const status = fake.state.statuses.findLast(
        ({ context, iterationId }) =>
          context.name === 'review' && change.versions[(iterationId ?? 0) - 1]?.head === commit,
      )
      if (!status) return null
      const { description: title, state } = status
      return { title, isEnded: state !== 'pending', isPassed: state === 'succeeded', text: title }
    },
    answers: () => [...fake.state.replies.values()].flat(),
    isClosed: ({ resolvedBy }) => resolvedBy !== null,
    close: () => fake.close(),
  }
}
