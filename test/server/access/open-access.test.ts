/** Each role of a job gets the keys that its work needs, and none of another repository, tenant or role. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { UserError } from '../../../src/base/errors.ts'
import { makeOpenAccess, makeWorkspaceSource } from '../../../src/server/access/open-access.ts'
import type { HostConnection } from '../../../src/server/connections/connections.ts'
import type { ReviewJob } from '../../../src/server/jobs/contract.ts'
import { ServerSettings } from '../../../src/server/settings/schema.ts'
import { openEmptyDatabase } from '../../helpers/empty-database.ts'
import { temporaryFolder } from '../../helpers/git-repo.ts'

const operatorsSettings = `
models:
  providers: { ours: { kind: openai-compatible, baseUrl: 'https://models.example.org', keyFrom: OUR_KEY } }
embedding: { kind: voyage, model: voyage-4, keyFrom: EMBED_KEY }
trackers:
  jira: { url: 'https://jira.example.org', token: JIRA_TOKEN, projects: [SHOP], repositories: [hub.example.org/acme/shop] }
  linear: { token: LINEAR_TOKEN, teams: [SITE], repositories: [hub.example.org/globex/site] }
mcp: { servers: { files: { command: [mcp-files, /srv], tools: [read] } } }
`
const environment = {
  ...{ OUR_KEY: 'our-key', EMBED_KEY: 'embed-key', ANTHROPIC_API_KEY: 'anthropic-key', OPENAI_API_KEY: '' },
  // A provider that is known by two names together.
  ...{ AWS_ACCESS_KEY_ID: 'aws-id', AWS_SECRET_ACCESS_KEY: 'aws-key' },
  ...{ AWS_REGION: 'eu-north-7', COHERE_API_KEY: 'cohere-key', JIRA_TOKEN: 'jira-token' },
  ...{ LINEAR_TOKEN: 'linear-token', DATABASE_URL: 'postgres://database-word', GITHUB_TOKEN: 'github-token' },
}

type Told = {
  token?: string | null
  tenantOf?: HostConnection['tenantOf']
  open?: HostConnection['open']
  missingRights?: HostConnection['missingRights']
}

/** A host whose tokens say for what they are. */
function connectionOf(name: string, url: string, told: Told = {}) {
  const asked: unknown[][] = []
  const unused = () => Promise.reject(new Error('an access must not ask this'))
  const connection: HostConnection = {
    ...{ name, kind: 'gitlab', host: new URL(url).host, webUrl: url, apiUrl: `${url}/api` },
    ...{ hasToken: true, named: [], app: unused, refreshInstallations: unused, webhookSecrets: unused },
    markerKeys: async () => ['marker-one', 'marker-two'],
    async tenantOf(installation, signal) {
      asked.push(['tenantOf', installation])
      return (await told.tenantOf?.(installation, signal)) ?? 'acme'
    },
    async open(repository, purpose, signal) {
      asked.push(['open', repository, purpose])
      if (told.open) return await told.open(repository, purpose, signal)
      const token = told.token === undefined ? `${name}-${repository.id}-${purpose}` : told.token
      return { token } as Awaited<ReturnType<HostConnection['open']>>
    },
    async missingRights(about, signal) {
      asked.push(['missingRights', about])
      return (await told.missingRights?.(about, signal)) ?? []
    },
  }
  return { connection, asked }
}

async function openWorld({ told = {}, server = {} }: { told?: Told; server?: object } = {}) {
  const database = await openEmptyDatabase()
  onTestFinished(() => database.close())
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'sightline'))
  writeFileSync(join(folder, 'sightline/settings.yaml'), operatorsSettings)
  const addresses = { hub: 'https://hub.example.org', lab: 'https://lab.example.org' }
  const settings = ServerSettings.parse({
    connections: Object.fromEntries(
      Object.entries(addresses).map(([name, url]) => [name, { kind: 'gitlab', url }]),
    ),
    ...server,
  })
  const hosts = Object.entries(addresses).map(([name, url]) => connectionOf(name, url, told))
  for (const [connection, id, tenant, name] of [
    ['hub', '7', 'acme', 'acme/shop'],
    ['hub', '8', 'acme', 'acme/vault'],
    ['lab', '9', 'acme', 'acme/tools'],
    ['lab', '1', 'globex', 'globex/site'],
  ] as const)
    await database.query(
      'insert into repository (connection, id, tenant, full_name, is_private) values ($1, $2, $3, $4, true)',
      [connection, id, tenant, name],
    )
  const clock = { now: new Date('2026-11-30T12:00:00Z') }
  const parts = {
    ...{ database, settings, secretKey: 'a key of this test that is long enough' },
    connections: new Map(hosts.map(({ connection }) => [connection.name, connection])),
    environment: { ...environment, XDG_CONFIG_HOME: folder },
    now: () => clock.now,
  }
  return { parts, clock, database, asked: hosts[0]?.asked ?? [] }
}

const job: ReviewJob = {
  address: 'https://hub.example.org/acme/shop/-/merge_requests/4',
  ...{ connection: 'hub', installation: '5', number: 4, head: null },
  repository: { host: 'hub.example.org', id: '7', name: 'acme/shop' },
  trigger: { id: 't', kind: 'opened', by: 'ada' },
  decision: { kind: 'review', depth: 'offline', budgetUsd: null, notice: null },
}
const signal = () => new AbortController().signal
const tokenName = 'SIGHTLINE_HOST_TOKEN'

test('each role has the variables that it reads, and the operator’s others reach none', async () => {
  const { parts, asked } = await openWorld()
  const { secrets } = await makeOpenAccess(parts)('acme', job, signal())
  expect(secrets.collector).toEqual({ [tokenName]: 'hub-7-collect', JIRA_TOKEN: 'jira-token' })
  expect(secrets.analyzer).toEqual({
    ...{ OUR_KEY: 'our-key', EMBED_KEY: 'embed-key', ANTHROPIC_API_KEY: 'anthropic-key' },
    // A provider that is known by two names together.
    ...{ AWS_ACCESS_KEY_ID: 'aws-id', AWS_SECRET_ACCESS_KEY: 'aws-key' },
    ...{ AWS_REGION: 'eu-north-7', COHERE_API_KEY: 'cohere-key' },
  })
  expect(secrets.publisher).toEqual({
    [tokenName]: 'hub-7-publish',
    SIGHTLINE_MARKER_KEYS: 'marker-one,marker-two',
    SIGHTLINE_MARKER_LEGACY: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  const of = { installation: '5', id: '7' }
  expect(asked).toEqual([
    ['tenantOf', '5'],
    ['open', of, 'collect'],
    ['open', of, 'publish'],
    ['missingRights', { installation: '5', repositories: ['acme/shop'] }],
  ])
})

test('a host that needs no token gives none', async () => {
  const { parts } = await openWorld({ told: { token: null } })
  const { secrets } = await makeOpenAccess(parts)('acme', job, signal())
  expect(secrets.collector).toEqual({ JIRA_TOKEN: 'jira-token' })
  expect(Object.keys(secrets.publisher)).toEqual(['SIGHTLINE_MARKER_KEYS', 'SIGHTLINE_MARKER_LEGACY'])
})

test('the settings of a job name its host, its trackers, and no program or repository of the operator', async () => {
  const { parts } = await openWorld()
  const access = await makeOpenAccess(parts)('acme', job, signal())
  const settings = parse(access.settings)
  expect(settings.mcp).toEqual({ servers: {} })
  expect(settings.workspace).toEqual({ repositories: [], sharedReaders: false, offline: true })
  expect(settings.hosts).toEqual({
    hub: {
      ...{ kind: 'gitlab', url: 'https://hub.example.org', apiUrl: 'https://hub.example.org/api' },
      token: tokenName,
    },
  })
  expect(Object.keys(settings.trackers).sort()).toEqual(['jira', 'seconds'])
  expect(settings.models.enabled).toBeUndefined()
  expect([access.allowanceUsd, access.lacks]).toEqual([null, []])
  for (const key of ['gate', 'opened', 'url']) expect(access).not.toHaveProperty(key)
})

test('the members of a workspace are named with their hosts, which get no token', async () => {
  const tenants = { acme: { policy: { workspace: true, sharedReaders: true, depth: 'quick' } } }
  const { parts } = await openWorld({ server: { tenants } })
  const settings = parse((await makeOpenAccess(parts)('acme', job, signal())).settings)
  const [lab, hub] = ['https://lab.example.org', 'https://hub.example.org']
  expect(settings.workspace).toEqual({
    repositories: [`${lab}/acme/tools`, `${hub}/acme/vault`],
    ...{ sharedReaders: true, offline: true },
  })
  expect(settings.hosts.lab).toEqual({ kind: 'gitlab', url: lab, apiUrl: `${lab}/api` })
  expect(Object.keys(settings.hosts)).toEqual(['hub', 'lab'])
  // By the policy of the operator, which names a depth with models.
  expect(settings.models.enabled).toBe(true)
})

test('what is left of a budget, the gate and the address of the server go with the job', async () => {
  const { parts, database, clock } = await openWorld({
    server: {
      url: 'https://sightline.example.org',
      budget: { daily: 5 },
      policy: { gate: { failOn: 'high', until: '2026-11-30' } },
    },
  })
  const open = () => makeOpenAccess(parts)('acme', job, signal())
  const before = await open()
  expect(before).toMatchObject({
    allowanceUsd: 5,
    url: 'https://sightline.example.org',
    gate: { failOn: 'high' },
  })
  expect(before).not.toHaveProperty('opened')
  const opened = { head: 'a'.repeat(40), by: 'ada', because: 'a fix of today' }
  await database.query(
    `insert into host_command (connection, comment, tenant, lane, actor, name, outcome, done_at)
     values ('hub', 'c', 'acme', 'hub/7/4', 'ada', 'open-gate', $1, now())`,
    [JSON.stringify(opened)],
  )
  expect((await open()).opened).toEqual(opened)
  clock.now = new Date('2026-12-01T00:00:00Z')
  const later = await open()
  for (const key of ['gate', 'opened']) expect(later).not.toHaveProperty(key)
})

test('a connection that is gone, an App that was taken away, and one of another tenant now open nothing', async () => {
  const { parts } = await openWorld()
  await expect(makeOpenAccess(parts)('acme', { ...job, connection: 'gone' }, signal())).rejects.toMatchObject(
    {
      code: 'host-unknown',
    },
  )
  const { parts: others, asked } = await openWorld({ told: { tenantOf: async () => 'globex' } })
  await expect(makeOpenAccess(others)('acme', job, signal())).rejects.toMatchObject({ code: 'host-refused' })
  expect(asked).toEqual([['tenantOf', '5']])
})

test('the host’s word on rights is asked for again after ten minutes, and by repository', async () => {
  const missing = [{ right: 'scope api', without: 'no comment is posted' }]
  const { parts, asked, clock } = await openWorld({ told: { missingRights: async () => missing } })
  const open = makeOpenAccess(parts)
  const lacksOf = async (name = 'acme/shop') =>
    (await open('acme', { ...job, repository: { ...job.repository, name } }, signal())).lacks
  const count = () => asked.filter(([what]) => what === 'missingRights').length
  const said = ['scope api: no comment is posted']
  expect([await lacksOf(), await lacksOf(), count()]).toEqual([said, said, 1])
  expect([await lacksOf('acme/vault'), count()]).toEqual([said, 2])
  clock.now = new Date(clock.now.getTime() + 10 * 60_000 - 1)
  expect([await lacksOf(), count()]).toEqual([said, 2])
  clock.now = new Date(clock.now.getTime() + 1)
  expect([await lacksOf(), count()]).toEqual([said, 3])
})

test('a host that does not tell its rights holds up no review and is asked again; who ends the job does', async () => {
  let isDown = true
  const ending = new AbortController()
  const { parts } = await openWorld({
    told: {
      missingRights: async (_about, given) => {
        given.throwIfAborted()
        if (isDown) throw new UserError('host-unavailable', 'no answer')
        return [{ right: 'scope api', without: 'nothing' }]
      },
    },
  })
  const open = makeOpenAccess(parts)
  expect((await open('acme', job, signal())).lacks).toEqual([])
  isDown = false
  expect((await open('acme', job, signal())).lacks).toEqual(['scope api: nothing'])
  ending.abort(new Error('it was ended'))
  const other = { ...job, repository: { ...job.repository, name: 'acme/vault' } }
  await expect(open('acme', other, ending.signal)).rejects.toThrow('it was ended')
})

const member = {
  connection: 'hub',
  id: '8',
  installation: '5',
  fullName: 'acme/vault',
  address: '',
  quietMs: 0,
}

test('the background gets one token for one repository, and a list of each tenant by itself', async () => {
  const tenants = { acme: { policy: { workspace: true } } }
  const { parts, asked } = await openWorld({ server: { tenants } })
  const source = makeWorkspaceSource(parts)
  const lists = [...(await source.list())].map(([tenant, list]) => [tenant, list.map(({ id }) => id)])
  expect(Object.fromEntries(lists)).toEqual({ acme: ['7', '9', '8'], globex: [] })
  const { settings, secrets } = await source.open('acme', member, signal())
  expect(secrets).toEqual({ [tokenName]: 'hub-8-collect' })
  expect(asked).toEqual([
    ['tenantOf', '5'],
    ['open', { installation: '5', id: '8' }, 'collect'],
  ])
  const { hosts, workspace, ...others } = parse(settings)
  expect([Object.keys(hosts), hosts.hub.token, hosts.lab.token]).toEqual([
    ['hub', 'lab'],
    tokenName,
    undefined,
  ])
  expect(workspace).toMatchObject({ sharedReaders: false, offline: true })
  expect(others).toEqual({})
  await expect(source.open('acme', { ...member, connection: 'gone' }, signal())).rejects.toMatchObject({
    code: 'host-unknown',
  })
})

test('a member that may no longer be read is fetched as by a stranger; a host that is away is asked later', async () => {
  const refuse = (error: Error) => ({ open: () => Promise.reject(error) })
  const openFor = async (told: Told) =>
    (await makeWorkspaceSource((await openWorld({ told })).parts).open('acme', member, signal())).secrets
  expect(await openFor({ tenantOf: async () => 'globex' })).toEqual({})
  expect(await openFor(refuse(new UserError('host-refused', 'not yours')))).toEqual({})
  await expect(openFor(refuse(new UserError('host-unavailable', 'away')))).rejects.toThrow('away')
  await expect(openFor(refuse(new TypeError('a bug')))).rejects.toThrow('a bug')
})
