/** The API of a server: the same answers as on one machine, to the tenant of the caller and to nobody else. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { repositoryFolder } from '../../../src/code-index/tree-index/stored-trees.ts'
import { apiBase } from '../../../src/server/api/contract/common.ts'
import { NewToken, Session } from '../../../src/server/api/contract/operation.ts'
import { type AnswerOf, type Resource, resources } from '../../../src/server/api/contract/resources.ts'
import { catalogRun, openHosted } from '../../../src/server/api/hosted.ts'
import { openSealer } from '../../../src/server/connections/sealed-secrets.ts'
import type { Database } from '../../../src/server/database/contract.ts'
import { makeToken } from '../../../src/server/http/access.ts'
import { type Listener, openListener } from '../../../src/server/http/listen.ts'
import { reviewKind } from '../../../src/server/jobs/contract.ts'
import { placesOf } from '../../../src/server/jobs/places.ts'
import { ProgressMeter } from '../../../src/server/jobs/progress.ts'
import { openLog } from '../../../src/server/log.ts'
import { openMetrics } from '../../../src/server/metrics.ts'
import { openQueue } from '../../../src/server/queue/sql-queue.ts'
import { ServerSettings } from '../../../src/server/settings/schema.ts'
import { openEmptyDatabase } from '../../helpers/empty-database.ts'
import { environment } from '../../helpers/sightline.ts'
import { textOf } from '../http/route-world.ts'
import { get, testRuns } from './api-suite.ts'
import { makeRecordedWorld, type RecordedWorld } from './recorded-world.ts'

let world: RecordedWorld
let database: Database
let listener: Listener
const data = mkdtempSync(join(tmpdir(), 'sightline-hosted-'))
const tokens = { acme: '', globex: '' }

const as =
  (token: string) =>
  (method: string, path: string, body?: unknown): Promise<Response> =>
    fetch(`${listener.url}${apiBase}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
const acme = { call: (method: string, path: string, body?: unknown) => as(tokens.acme)(method, path, body) }

beforeAll(async () => {
  world = await makeRecordedWorld()
  database = await openEmptyDatabase()
  cpSync(join(world.environment.XDG_STATE_HOME ?? '', 'sightline'), placesOf(data, 'acme').stateOwn, {
    recursive: true,
  })
  for (const run of [world.offline, world.standard])
    await catalogRun(partsOf(ServerSettings.parse({})), 'acme', run)
  for (const tenant of ['acme', 'globex'] as const) {
    const token = { name: `admin of ${tenant}`, scopes: ['read', 'review', 'admin'] as const, days: 1 }
    tokens[tenant] = await makeToken(database, tenant, token)
    await database.query(
      `insert into repository (connection, id, tenant, full_name, is_private) values ('github', $1, $1, $2, true)`,
      [tenant, `${tenant}/canary-${tenant}`],
    )
  }
  listener = await openFor(ServerSettings.parse({}))
})

const log = openLog({ level: 'error', write: () => {} })
const partsOf = (settings: ServerSettings) => ({
  ...{ database, settings, environment: environment(world.environment), data, log },
  ...{ clientSecrets: {}, sealer: openSealer('a secret key of at least 32 characters') },
})
const openFor = (settings: ServerSettings): Promise<Listener> =>
  openListener({
    ...openHosted({ ...partsOf(settings), now: () => new Date() }),
    ...{ host: '127.0.0.1', port: 0, proxies: 0, strangersPerMinute: 100_000, log },
    metrics: openMetrics(),
  })

afterAll(async () => {
  await listener.close(0)
  await database.close()
  await world.close()
  rmSync(data, { recursive: true, force: true })
})

testRuns(() => ({ world, ...acme }))

const everyResource = Object.values<Resource>(resources)
/** Whoever adds a parameter says here what of Acme it could name. */
const filled = (template: string) => {
  const path = template
    .replace('{run}', world.standard)
    .replace('{before}', world.offline)
    .replace('{after}', world.standard)
    .replace('{call}', '0')
    .replace('{connection}', 'github')
    .replace('{review}', '00000000-0000-4000-8000-000000000001')
    .replace('{id}', 'acme')
  if (path.includes('{')) throw new Error(`${template}: give its parameters a value here`)
  return path
}
const bodies: Record<string, unknown> = {
  'POST /runs/{run}/ask': { question: 'why?' },
  'POST /runs/{run}/replay': {},
  'POST /tokens': { name: 'made', scopes: ['read'] },
  'PATCH /repositories/{connection}/{id}': { isEnabled: false },
}

test('no resource shows or changes anything of another tenant', async () => {
  const signs = [world.standard, world.offline, 'canary-acme', 'admin of acme', 'src/price.ts']
  for (const { method, path, isStream, scope } of everyResource) {
    if (['public', 'signed', 'operator'].includes(scope) || path === '/session') continue
    if (method === 'POST' && path === '/tokens') continue
    const response = await as(tokens.globex)(method, filled(path), bodies[`${method} ${path}`])
    const text = await textOf(response)
    const shown = signs.filter((sign) => text.includes(sign) && !filled(path).includes(sign))
    expect(shown, `${method} ${path}`).toEqual([])
    if (path.includes('{') && !isStream) expect(response.status, `${method} ${path}`).toBe(404)
  }
  const { items } = await get(acme, 'repositories')
  expect(items).toMatchObject([{ name: 'acme/canary-acme', isEnabled: true }])
})

test('a repository is indexed when a worker of this machine left the index of one of its trees', async () => {
  const isIndexed = async () => (await get(acme, 'repositories')).items.map((item) => item.isIndexed)
  expect(await isIndexed()).toEqual([null])
  const { cacheOwn } = placesOf(data, 'acme')
  const folderOf = (id: string) => repositoryFolder(cacheOwn, `github.com/acme/${id}`)
  folderOf('other').write(`${'a'.repeat(40)}.tree`, Buffer.from('x'))
  expect(await isIndexed()).toEqual([false])
  folderOf('canary-acme').write(`${'a'.repeat(40)}.tree`, Buffer.from('x'))
  expect(await isIndexed()).toEqual([true])
})

test('runs are counted for the repository of that name on that host, and pages miss no namesake', async () => {
  const settings = ServerSettings.parse({
    connections: { public: { kind: 'github' }, inside: { kind: 'gitlab', url: 'https://git.example.org' } },
  })
  const other = await openFor(settings)
  const token = await makeToken(database, 'initech', { name: 'reader', scopes: ['read'], days: 1 })
  const call = (method: string, path: string) =>
    fetch(`${other.url}${apiBase}${path}`, { method, headers: { authorization: `Bearer ${token}` } })
  const known: [string, string, string][] = [
    ['public', '1', 'initech/price_list'],
    ['public', '2', 'initech/price-list'],
    ['inside', '3', 'initech/price_list'],
  ]
  for (const row of known)
    await database.query(
      `insert into repository (connection, id, tenant, full_name, is_private) values ($1, $2, 'initech', $3, true)`,
      row,
    )
  const counted: [string, number][] = [
    ['github.com/initech/price-list', 5],
    ['git.example.org/initech/price_list', 2],
  ]
  for (const [name, runs] of counted)
    await database.query(
      `insert into run_repository (tenant, repository, runs, last_run_at) values ('initech', $1, $2, now())`,
      [name, runs],
    )
  const seen: [string, number][] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = `?limit=1&cursor=${encodeURIComponent(cursor)}`
    const page: AnswerOf<'repositories'> = await get({ call }, 'repositories', {}, query)
    seen.push(...page.items.map(({ id, runs }): [string, number] => [id, runs]))
    cursor = page.next
  }
  await other.close(0)
  expect(seen.sort()).toEqual([
    ['inside/3', 2],
    ['public/1', 0],
    ['public/2', 5],
  ])
})

test('a browser signs in with a token; when that is revoked, its sessions end too', async () => {
  const made = NewToken.parse(
    await (await acme.call('POST', '/tokens', { name: 'short', scopes: ['read'], days: 1 })).json(),
  )
  const begun = await as('')('POST', '/session/local', { token: made.token })
  expect(Session.parse(await begun.json()).role).toBe('viewer')
  const cookie = begun.headers.get('set-cookie')?.split(';')[0] ?? ''
  const read = () => fetch(`${listener.url}${apiBase}/runs`, { headers: { cookie } })
  expect((await read()).status).toBe(200)
  expect((await acme.call('DELETE', `/tokens/${made.made.id}`)).status).toBe(200)
  expect((await read()).status).toBe(401)
  const { items } = await get(acme, 'audit')
  expect(items.map(({ action }) => action)).toContain('token.revoke')
})

test('queue, policy, installations and health answer in their shapes', async () => {
  expect((await get(acme, 'queue')).queued).toBe(0)
  const queue = openQueue(database)
  const job = { tenant: 'acme', kind: reviewKind, lane: 'l', contentKey: 'c', payload: {} }
  await queue.enqueue(job)
  const claims = await queue.claim({ worker: 'w', kinds: [reviewKind], slots: 1 })
  const meter = new ProgressMeter(() => 0)
  meter.hear({ type: 'stage', stage: 'review' })
  meter.hear({ type: 'progress', done: 1, total: 4, files: { done: 1, total: 3 } })
  meter.hear({ type: 'spent', usd: 0.25, unpricedCalls: 0 })
  meter.hear({ type: 'waits', ms: 1, why: 'waits for a model: rate limit' })
  await queue.heartbeat(claims, new Map(claims.map((claim) => [claim, meter.current])))
  await queue.enqueue({ ...job, contentKey: 'newer' })
  const { items } = await get(acme, 'queue')
  expect(items).toMatchObject([
    {
      ...{ state: 'running', stage: 'review', progress: 0.25, files: { done: 1, total: 3 } },
      ...{ calls: 1, usd: 0.25, why: 'waits for a model: rate limit' },
    },
    { state: 'queued', ahead: 0, why: 'waits for the running review of the same change request' },
  ])
  expect((await get(acme, 'policy')).policies.length).toBeGreaterThan(3)
  expect((await get(acme, 'installations')).items).toEqual([])
  expect((await get(acme, 'tokens')).items.map(({ name }) => name)).toEqual(['admin of acme'])
  expect((await get(acme, 'health')).parts.map(({ name }) => name)).toEqual(['database', 'queue'])
})
