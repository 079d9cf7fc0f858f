import { onTestFinished } from 'vitest'
import { openConnections } from '../../../src/server/connections/connections.ts'
import { openSealer } from '../../../src/server/connections/sealed-secrets.ts'
import { openListener } from '../../../src/server/http/listen.ts'
import { webhookRoutes } from '../../../src/server/http/webhook-routes.ts'
import { DeliveryWriter } from '../../../src/server/intake/deliveries.ts'
import { startIntake } from '../../../src/server/intake/intake-loop.ts'
import { openLog } from '../../../src/server/log.ts'
import { openMetrics } from '../../../src/server/metrics.ts'
import type { Job } from '../../../src/server/queue/contract.ts'
import { openQueue } from '../../../src/server/queue/sql-queue.ts'
import type { Secrets } from '../../../src/server/settings/load.ts'
import { ServerSettings } from '../../../src/server/settings/schema.ts'
import { openEmptyDatabase } from '../../helpers/empty-database.ts'
import { type FakeGitHub, startGitHub } from '../../helpers/hosts/github/server.ts'
import { noSecrets } from '../../helpers/no-secrets.ts'

export const webhookSecret = 'the secret of the App under test'

/** What the server signs and seals with. */
export const serverKey = 'a key of this test that is long enough'

const permissions = {
  checks: 'write',
  contents: 'read',
  issues: 'write',
  pull_requests: 'write',
  statuses: 'write',
} as const

/** One App on a fake GitHub. */
export async function startGitHubWithApp() {
  const github = await startGitHub()
  onTestFinished(() => github.close())
  const app = github.state.addApp('sightline', permissions)
  return { github, app }
}

type IntakeOptions = {
  settings: Record<string, unknown>
  /** Of its connections. */
  secrets: Secrets['connections']
}

/** Without a host: a test connects its own. */
export async function openIntake({ settings, secrets }: IntakeOptions) {
  const parsed = ServerSettings.parse(settings)
  const database = await openEmptyDatabase()
  const lines: string[] = []
  const log = openLog({ level: 'debug', write: (line) => lines.push(line) })
  const metrics = openMetrics()
  const connections = openConnections({
    settings: parsed,
    secrets: { ...noSecrets, connections: secrets },
    database,
    sealer: openSealer(serverKey),
  })
  const queue = openQueue(database)
  const now = () => new Date()
  const parts = { database, queue, settings: parsed, connections, metrics, log, now }
  const intake = startIntake({
    ...parts,
    patience: 0.02,
    defaultPerReviewUsd: 2,
    commandsPerHour: 20,
    secretKey: serverKey,
  })
  const writer = new DeliveryWriter(database, () => intake.wake())
  const listener = await openListener({
    routes: webhookRoutes({ connections, writer, limits: parsed.intake, metrics, log }),
    ...{ host: '127.0.0.1', port: 0, proxies: 0, strangersPerMinute: 1000, metrics, log },
  })
  onTestFinished(async () => {
    await listener.close(0)
    await intake.stop()
    await database.close()
  })
  const settled = async () => {
    for (;;) {
      const [row] = await database.query<{ waiting: number }>(
        'select count(*)::int as waiting from webhook_delivery where settled_at is null',
      )
      if (row?.waiting === 0) return
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  const triggers = () =>
    database.query<TriggerRow>('select * from review_trigger order by received_at, decided_at')
  return { database, queue, connections, metrics, log, lines, writer, url: listener.url, settled, triggers }
}

export async function openIntakeWorld(settings: Record<string, unknown> = {}) {
  const { github, app } = await startGitHubWithApp()
  const project = github.world.createProject('acme/shop', { files: { 'a.ts': 'export const one = 1\n' } })
  const installation = github.state.install(app, [project])
  const own = { appKey: app.privateKey, token: null, webhookSecret, previousWebhookSecret: null }
  const listener = await openIntake({
    settings: {
      connections: { github: { kind: 'github', url: github.url, appId: String(app.id) } },
      ...settings,
    },
    secrets: { github: own },
  })
  github.hooks.targets.set(app, { url: `${listener.url}/webhooks/github`, secret: webhookSecret })
  const tenant = `github-${github.world.person('acme').id}`
  /** Newest first. */
  const jobs = (): Promise<Job[]> => listener.queue.jobs(tenant)
  return { ...listener, github, app, project, installation, tenant, jobs }
}

export type IntakeWorld = Awaited<ReturnType<typeof openIntakeWorld>>

export type TriggerRow = {
  tenant: string
  number: number
  kind: string
  asked_by: string | null
  head: string | null
  decision: string
  job: number | null
  owns_job: boolean
  hold_usd: number
  state: string | null
  reason: string | null
}

export type { FakeGitHub }
