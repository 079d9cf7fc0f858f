/** The fake hosts as a server meets them for a week: webhooks, checks, rate limits, outages, secrets that change. */
import { randomUUID } from 'node:crypto'
import type { BuiltInHostKind } from '../../src/domain/host-kind.ts'
import { factsOf } from '../../src/hosts/remote/facts.ts'
import { appPermissions } from '../../src/server/connections/app-rights.ts'
import type { FakeHost } from '../contracts/host-setup.ts'
import type { Change } from '../helpers/hosts/engine/change.ts'
import type { Fault, FaultRequest } from '../helpers/hosts/engine/faults.ts'
import type { Files } from '../helpers/hosts/engine/repository.ts'
import type { Project } from '../helpers/hosts/engine/world.ts'
import { startGitHub } from '../helpers/hosts/github/server.ts'
import type { GitHubApp, Installation } from '../helpers/hosts/github/state.ts'
import {
  type HostEvent,
  type ShownCheck,
  sendDelivery,
  startTokenHost,
  type TokenHost,
} from '../helpers/served/token-hosts.ts'

/** What a commit is marked with. */
export type Mark = Pick<ShownCheck, 'isEnded' | 'isPassed'>

export type WeekHost = {
  readonly name: BuiltInHostKind
  readonly fake: TokenHost['fake']
  /** Closed threads are resolved with the rights that the documents ask for. */
  readonly resolves: boolean
  /** Its connection in the settings of a server, and what lies in the files that these name. */
  settings(): { connection: Record<string, unknown>; files: Record<string, string> }
  createProject(owner: string, name: string, files: Files): Project
  /** Sends the webhook; resolves to the status of the answer, 0 without one. */
  report(event: HostEvent): Promise<number>
  marksOf(change: Change, commit: string): Mark[]
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
export async function openWeekHost(name: BuiltInHostKind, hookUrl: string): Promise<WeekHost> {
  const host = await (name === 'github' ? openGitHub(hookUrl) : openByToken(name, hookUrl))
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
          isEnded: status === 'completed',
          isPassed: ['success', 'neutral', 'skipped'].includes(conclusion ?? ''),
        })),
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

/** With one token, which is replaced while the old one works for a while. */
async function openByToken(name: BuiltInHostKind, hookUrl: string): Promise<WeekHost> {
  const host = await startTokenHost(name)
  const { fake } = host
  const secrets = newSecrets()
  let token = host.addToken('sightline')
  return {
    ...{ name, fake, resolves: factsOf(name).abilities.resolve, ...common(fake, secrets) },
    settings: () => ({
      connection: {
        ...{ kind: name, url: fake.url, token: { file: `${name}-token` } },
        ...hookSettings(name, secrets),
      },
      files: { [`${name}-token`]: token, ...hookFiles(name, secrets) },
    }),
    createProject(owner, projectName, files) {
      const project = fake.world.createProject(`${host.ownerIn(owner)}/${projectName}`, { files })
      project.roles.set('sightline', 'admin')
      return project
    },
    report: (event) =>
      sendDelivery(host, event, { url: `${hookUrl}/webhooks/${name}`, secret: secrets.signing }).catch(
        () => 0,
      ),
    marksOf(change, commit) {
      const check = host.check(change, commit)
      return check ? [check] : []
    },
    limitWrites: (seconds) => host.limitWrites(seconds),
    rotateToken() {
      token = host.addToken('sightline')
    },
    uninstall: async () => {},
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
