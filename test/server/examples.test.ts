/** The files of examples/server are what they say: settings that load, addresses that exist, times that fit together. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { healthRoutes } from '../../src/server/http/health-routes.ts'
import { openMetrics } from '../../src/server/metrics.ts'
import { loadServerSettings } from '../../src/server/settings/load.ts'
import { ServerSettings } from '../../src/server/settings/schema.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'

const folder = resolve(import.meta.dirname, '../../examples/server')
const read = (name: string) => readFileSync(join(folder, name), 'utf8')

/** Loads the settings as a process would that is started so: files of secrets and settings lie in a folder of the test. */
function loadAs(environment: Record<string, string>, settings: string, flags: readonly string[]) {
  const own = temporaryFolder()
  const secretFolder = join(own, 'secrets')
  mkdirSync(secretFolder)
  const moved = Object.fromEntries(
    Object.entries(environment).map(([name, value]) => {
      const [, file] = /^\/run\/secrets\/(?:sightline\/)?([\w-]+)$/.exec(value) ?? []
      if (file === undefined) return [name, value]
      // An address, and not a secret alone.
      const scheme = name.startsWith('DATABASE_URL') ? 'postgres://' : ''
      writeFileSync(join(secretFolder, file), `${scheme}a-secret-for-${file}-long-enough-for-all\n`)
      return [name, join(secretFolder, file)]
    }),
  )
  const path = join(own, 'server.yaml')
  writeFileSync(path, settings)
  const role = flags[flags.indexOf('--role') + 1]
  return loadServerSettings(
    {
      HOME: own,
      ...moved,
      SIGHTLINE_SERVER_SETTINGS: path,
      ...(role ? { SIGHTLINE_SERVER_ROLE: role } : {}),
    },
    path,
  )
}

function seconds(text: string): number {
  const [, count = '', unit = 's'] = /^(\d+)(s|m)?$/.exec(text) ?? []
  return Number(count) * (unit === 'm' ? 60 : 1)
}

const shutdown = ServerSettings.parse({}).shutdownSeconds
const port = ServerSettings.parse({}).listen.port
const healthPaths = healthRoutes({
  database: { query: async () => [] },
  metrics: openMetrics(),
  isStopping: () => false,
}).map(({ path }) => path)

test('server.yaml is valid', () => {
  const { settings } = loadAs(
    { GITLAB_REVIEW_TOKEN: 'glpat-made-up', GITLAB_WEBHOOK_SECRET: 'a secret that is long enough' },
    read('server.yaml'),
    [],
  )
  expect(Object.keys(settings.connections)).toEqual(['github', 'gitlab'])
})

test('compose.yaml: one web process and three workers on PostgreSQL', () => {
  type Service = {
    command?: string[]
    environment?: Record<string, string>
    secrets?: string[]
    stop_grace_period?: string
    ports?: string[]
    volumes?: string[]
    healthcheck?: { test: string[] }
    deploy?: { replicas: number }
  }
  const file = parse(read('compose.yaml'), { merge: true }) as {
    services: Record<string, Service>
    secrets: Record<string, unknown>
    volumes: Record<string, unknown>
  }
  for (const role of ['web', 'worker'] as const) {
    const { command = [], environment = {}, ...service } = file.services[role] ?? {}
    const { settings, secrets, dataFolder } = loadAs(environment, read('server.yaml'), command)
    expect([settings.role, secrets.databaseUrl === null, settings.listen.host]).toEqual([
      role,
      false,
      '0.0.0.0',
    ])
    expect(service.volumes?.some((volume) => volume.endsWith(`:${dataFolder}`))).toBe(true)
    expect(service.volumes?.[0]).toContain(environment.SIGHTLINE_SERVER_SETTINGS)
    expect(seconds(service.stop_grace_period ?? '0')).toBeGreaterThan(shutdown)
    for (const name of service.secrets ?? []) expect(Object.keys(file.secrets)).toContain(name)
    const named = Object.values(environment).flatMap(
      (value) => /^\/run\/secrets\/(\w+)$/.exec(value)?.[1] ?? [],
    )
    expect([...(service.secrets ?? [])].sort()).toEqual(named.sort())
  }
  const { web, worker } = file.services
  expect(worker?.deploy?.replicas).toBe(3)
  expect(web?.ports).toEqual([`127.0.0.1:${port}:${port}`])
  expect(web?.healthcheck?.test.join(' ')).toContain(`:${port}${healthPaths[1]}`)
})

test('kubernetes.yaml: the same roles, with probes that exist and time to hand over', () => {
  type Container = {
    args: string[]
    env: { name: string; value: string }[]
    ports: { containerPort: number }[]
    readinessProbe: { httpGet: { path: string } }
    livenessProbe: { httpGet: { path: string } }
    volumeMounts: { name: string; mountPath: string }[]
  }
  type Pod = {
    containers: Container[]
    volumes: { name: string }[]
    terminationGracePeriodSeconds: number
    securityContext: { runAsNonRoot: boolean }
  }
  type Document = {
    kind: string
    metadata: { name: string; labels: Record<string, string> }
    data: Record<string, string>
    spec: {
      selector: { matchLabels: Record<string, string> } & Record<string, string>
      template: { metadata: { labels: Record<string, string> }; spec: Pod }
      ports: { targetPort: string }[]
    }
  }
  const documents = parseAllDocuments(read('kubernetes.yaml')).map((each) => {
    expect(each.errors).toEqual([])
    return each.toJS() as Document
  })
  const settings = documents.find(({ kind }) => kind === 'ConfigMap')?.data['server.yaml'] ?? ''
  const deployments = documents.filter(({ kind }) => kind === 'Deployment')
  expect(deployments).toHaveLength(2)
  for (const { spec, metadata } of deployments) {
    const pod = spec.template.spec
    const [container] = pod.containers
    if (!container) throw new Error(`${metadata.name} has no container`)
    const environment = Object.fromEntries(container.env.map(({ name, value }) => [name, value]))
    const loaded = loadAs(environment, settings, container.args)
    expect(loaded.settings.role).toBe(metadata.labels.role)
    expect(spec.selector.matchLabels).toEqual(spec.template.metadata.labels)
    expect(container.ports[0]?.containerPort).toBe(loaded.settings.listen.port)
    expect([container.livenessProbe, container.readinessProbe].map(({ httpGet }) => httpGet.path)).toEqual(
      healthPaths.slice(0, 2),
    )
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(shutdown)
    expect(pod.securityContext.runAsNonRoot).toBe(true)
    const mounts = container.volumeMounts
    expect(mounts.map(({ name }) => name).sort()).toEqual(pod.volumes.map(({ name }) => name).sort())
    expect(mounts.map(({ mountPath }) => mountPath)).toContain(loaded.dataFolder)
  }
})

test('sightline.service: a command that exists, its folder, and time to hand over', () => {
  const lines = read('sightline.service').split('\n')
  const all = (key: string) =>
    lines.filter((line) => line.startsWith(`${key}=`)).map((line) => line.slice(key.length + 1))
  expect(lines.filter((line) => /^\[/.test(line))).toEqual(['[Unit]', '[Service]', '[Install]'])
  expect(all('ExecStart')[0]).toMatch(/ serve --settings \/etc\/sightline\/server\.yaml$/)
  const environment = Object.fromEntries(
    all('Environment').map((text) => [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)]),
  )
  const { dataFolder } = loadAs(environment, 'role: all\n', [])
  expect(dataFolder).toBe(`/var/lib/${all('StateDirectory')[0]}`)
  expect(seconds(all('TimeoutStopSec')[0] ?? '')).toBeGreaterThan(shutdown)
})
