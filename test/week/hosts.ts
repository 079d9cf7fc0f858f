/** The three fake hosts as a server meets them for a week: webhooks, checks, rate limits, outages, secrets that change. */
import { createHmac, randomUUID } from 'node:crypto'
import { appPermissions } from '../../src/server/connections/app-rights.ts'
import type { FakeHost } from '../contracts/host-setup.ts'
import type { Change, Thread } from '../helpers/hosts/engine/change.ts'
import type { Fault, FaultRequest } from '../helpers/hosts/engine/faults.ts'
import type { Files } from '../helpers/hosts/engine/repository.ts'
import type { LogEntry } from '../helpers/hosts/engine/server.ts'
import type { Note, Person, Project } from '../helpers/hosts/engine/world.ts'
import { startForgejo } from '../helpers/hosts/forgejo/server.ts'
import { startGitHub } from '../helpers/hosts/github/server.ts'
import type { GitHubApp, Installation } from '../helpers/hosts/github/state.ts'
import { startGitLab } from '../helpers/hosts/gitlab/server.ts'

export const hostNames = ['github', 'gitlab', 'forgejo'] as const
export type HostName = (typeof hostNames)[number]

/** What a commit is marked with; `isDone` once the review has ended, `isPassed` if a branch rule that requires it is content. */
export type Mark = { isDone: boolean; isPassed: boolean }

export type HostEvent =
  | { change: Change; action: 'opened' | 'pushed' | 'closed' }
  | { change: Change; note: Note; thread: Thread | null }

export type WeekHost = {
  readonly name: HostName
  readonly fake: FakeHost & { readonly log: readonly LogEntry[] }
  /** Closed threads are resolved with the rights that the documents ask for. */
  readonly resolves: boolean
  /** Its connection in the settings of a server, and what lies in the files that these name. */
  settings(): { connection: Record<string, unknown>; files: Record<string, string> }
  createProject(owner: string, name: string, files: Files): Project
  /** Sends the webhook; resolves to the status of the answer, 0 without one. */
  report(event: HostEvent): Promise<number>
  marksOf(change: Change, commit: string): Mark[]
  isOurs(person: Person): boolean
  limitWrites(seconds: number): void
  /** No request is answered from now on, or each is. */
  setDown(isDown: boolean): void
  /** A new secret of the webhooks: servers learn of both, and only then `useWebhookSecret` signs with it. */
  rotateWebhookSecret(): void
  useWebhookSecret(): void
  /** A new token; the old one goes on. An App has none. */
  rotateToken(): void
  /** The owner takes the App away, as far as the host knows Apps. */
  uninstall(owner: string): Promise<void>
}

type Secrets = { now: string; before: string | null; signing: string }

/** `hookUrl`: where webhooks go, without the name of the connection. */
export async function openWeekHost(name: HostName, hookUrl: string): Promise<WeekHost> {
  const open = { github: openGitHub, gitlab: openGitLab, forgejo: openForgejo }[name]
  const host = await open(hookUrl)
  const { world } = host.fake
  // A server tells old from new by these times.
  world.stamp = () => `${new Date(world.now()).toISOString().slice(0, 19)}Z`
  return host
}

async function openGitHub(hookUrl: string): Promise<WeekHost> {
  const fake = await startGitHub()
  const { state, world, hooks } = fake
  const app: GitHubApp = state.addApp('sightline', appPermissions)
  const secrets = newSecrets()
  const url = `${hookUrl}/webhooks/github`
  const point = () => hooks.targets.set(app, { url, secret: secrets.signing })
  point()
  const installations = new Map<string, Installation>()
  return {
    ...{ name: 'github', fake, resolves: false, ...common(fake, secrets, point) },
    settings: () => ({
      connection: {
        ...{ kind: 'github', url: fake.url, appId: String(app.id), appKey: { file: 'app-key.pem' } },
        ...hookSettings('github', secrets),
      },
      files: { 'app-key.pem': app.privateKey, ...hookFiles('github', secrets) },
    }),
    createProject(owner, projectName, files) {
      const project = world.createProject(`${owner}/${projectName}`, { files })
      const there = installations.get(owner)
      if (there) there.projects.push(project)
      else installations.set(owner, state.install(app, [project]))
      return project
    },
    async report(event) {
      const statuses =
        'action' in event
          ? await hooks.pull(
              event.change,
              { opened: 'opened', pushed: 'synchronize', closed: 'closed' }[event.action],
            )
          : event.thread
            ? await hooks.threadComment(event.change, event.thread, event.note)
            : await hooks.comment(event.change, event.note)
      return Math.min(...statuses)
    },
    marksOf: (_change, commit) =>
      state.checks
        .filter((check) => check.commit === commit && check.app === app)
        .map(({ status, conclusion }) => ({
          isDone: status === 'completed',
          isPassed: ['success', 'neutral', 'skipped'].includes(conclusion ?? ''),
        })),
    isOurs: (person) => person === app.bot,
    limitWrites: (seconds) => fake.limits.beginSecondary(seconds),
    rotateToken() {},
    async uninstall(owner) {
      const installation = installations.get(owner)
      if (!installation) return
      state.installations.splice(state.installations.indexOf(installation), 1)
      installations.delete(owner)
      await hooks.installation(app, installation.id, 'deleted')
    },
  }
}

async function openGitLab(hookUrl: string): Promise<WeekHost> {
  const fake = await startGitLab()
  const secrets = newSecrets()
  const tokens = { now: fake.state.addToken('sightline') }
  const send = (body: object) =>
    post(`${hookUrl}/webhooks/gitlab`, JSON.stringify(body), {
      ...{ 'x-gitlab-token': secrets.signing, 'x-gitlab-event-uuid': randomUUID() },
    })
  return {
    ...{ name: 'gitlab', fake, resolves: true, ...common(fake, secrets) },
    ...withToken('gitlab', fake.url, secrets, tokens, () => fake.state.addToken('sightline')),
    createProject: (owner, name, files) => reviewed(fake.world.createProject(`${owner}/${name}`, { files })),
    report({ change, ...event }) {
      const { project, number: iid, head: id } = change
      const updated_at = new Date(fake.world.now()).toISOString()
      const of = { project: { id: project.id, path_with_namespace: project.fullName } }
      if ('action' in event) {
        const action = { opened: 'open', pushed: 'update', closed: 'close' }[event.action]
        const attributes = { iid, action, last_commit: { id }, updated_at }
        return send({ ...of, object_kind: 'merge_request', object_attributes: attributes })
      }
      const type = event.thread ? 'DiffNote' : null
      const noted = { id: event.note.id, action: 'create', type, updated_at }
      return send({ ...of, object_kind: 'note', merge_request: { iid }, object_attributes: noted })
    },
    marksOf: ({ project }, commit) => marksIn(project, commit, ['pending', 'running']),
    isOurs: ({ login }) => login === 'sightline',
    limitWrites: (seconds) => fake.state.beginLimit(seconds),
  }
}

async function openForgejo(hookUrl: string): Promise<WeekHost> {
  const fake = await startForgejo()
  const secrets = newSecrets()
  const tokens = { now: fake.addToken('sightline') }
  const send = (event: string, body: string) =>
    post(`${hookUrl}/webhooks/forgejo`, body, {
      ...{ 'x-forgejo-event': event, 'x-forgejo-delivery': randomUUID() },
      'x-forgejo-signature': createHmac('sha256', secrets.signing).update(body).digest('hex'),
    })
  return {
    ...{ name: 'forgejo', fake, resolves: false, ...common(fake, secrets) },
    ...withToken('forgejo', fake.url, secrets, tokens, () => fake.addToken('sightline')),
    createProject: (owner, name, files) => reviewed(fake.world.createProject(`${owner}/${name}`, { files })),
    report({ change, ...event }) {
      const { project, number, head: sha } = change
      const updated_at = new Date(fake.world.now()).toISOString()
      const repository = { id: project.id, full_name: project.fullName }
      if ('action' in event) {
        const action = { opened: 'opened', pushed: 'synchronized', closed: 'closed' }[event.action]
        const pull_request = { head: { sha }, updated_at }
        return send('pull_request', JSON.stringify({ action, number, repository, pull_request }))
      }
      const comment = { id: event.note.id, updated_at }
      const body = { action: 'created', is_pull: true, repository, issue: { number }, comment }
      return send('issue_comment', JSON.stringify(body))
    },
    marksOf: ({ project }, commit) => marksIn(project, commit, ['pending']),
    isOurs: ({ login }) => login === 'sightline',
    limitWrites: (seconds) => fake.beginLimit(seconds),
  }
}

function newSecrets(): Secrets {
  const first = randomUUID()
  return { now: first, before: null, signing: first }
}

function common(
  fake: FakeHost,
  secrets: Secrets,
  afterRotation: () => void = () => {},
): Pick<WeekHost, 'setDown' | 'rotateWebhookSecret' | 'useWebhookSecret'> {
  const take = fake.faults.take.bind(fake.faults)
  let isDown = false
  fake.faults.take = (request: FaultRequest): Fault[] =>
    isDown ? [{ kind: 'fail-before', status: 502 }] : take(request)
  return {
    setDown(value) {
      isDown = value
    },
    rotateWebhookSecret() {
      secrets.before = secrets.now
      secrets.now = randomUUID()
    },
    useWebhookSecret() {
      secrets.signing = secrets.now
      afterRotation()
    },
  }
}

/** Of a host without Apps: one token, which is replaced while the old one works for a while. */
function withToken(
  name: HostName,
  url: string,
  secrets: Secrets,
  tokens: { now: string },
  make: () => string,
): Pick<WeekHost, 'settings' | 'uninstall' | 'rotateToken'> {
  return {
    settings: () => ({
      connection: { kind: name, url, token: { file: `${name}-token` }, ...hookSettings(name, secrets) },
      files: { [`${name}-token`]: tokens.now, ...hookFiles(name, secrets) },
    }),
    rotateToken() {
      tokens.now = make()
    },
    uninstall: async () => {},
  }
}

function hookSettings(name: string, { before }: Secrets): Record<string, unknown> {
  return {
    webhookSecret: { file: `${name}-webhook-secret` },
    ...(before === null ? {} : { previousWebhookSecret: { file: `${name}-webhook-secret-before` } }),
  }
}

function hookFiles(name: string, { now, before }: Secrets): Record<string, string> {
  return {
    [`${name}-webhook-secret`]: now,
    ...(before === null ? {} : { [`${name}-webhook-secret-before`]: before }),
  }
}

function reviewed(project: Project): Project {
  project.roles.set('sightline', 'admin')
  return project
}

function marksIn({ statuses }: Project, commit: string, pending: readonly string[]): Mark[] {
  const newest = statuses.findLast(
    (status) => status.commit === commit && status.creator.login === 'sightline',
  )
  return newest ? [{ isDone: !pending.includes(newest.state), isPassed: newest.state === 'success' }] : []
}

async function post(url: string, body: string, headers: Record<string, string>): Promise<number> {
  try {
    const answer = await fetch(url, {
      ...{ method: 'POST', body },
      headers: { 'content-type': 'application/json', ...headers },
    })
    await answer.text()
    return answer.status
  } catch {
    return 0
  }
}
