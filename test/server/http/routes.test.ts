/** Every route of the server, tried with nobody's, the wrong and another tenant's credentials. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { openConnections } from '../../../src/server/connections/connections.ts'
import { openSealer } from '../../../src/server/connections/sealed-secrets.ts'
import type { Database } from '../../../src/server/database/contract.ts'
import { makeToken, tenantOfToken } from '../../../src/server/http/access.ts'
import type { Route } from '../../../src/server/http/contract.ts'
import { type Door, openDoor } from '../../../src/server/http/listen.ts'
import { webRoutes } from '../../../src/server/http/web-routes.ts'
import { openLog } from '../../../src/server/log.ts'
import { openMetrics } from '../../../src/server/metrics.ts'
import { ServerSettings } from '../../../src/server/settings/schema.ts'
import { openEmptyDatabase } from '../../helpers/empty-database.ts'

const adminToken = 'the-admin-token-of-this-test-long-enough'
const metricsToken = 'the-metrics-token-of-this-test-long-enough'
const secretKey = 'the secret key of this test, long enough'

let database: Database
let door: Door
let routes: Route[]
const tokens = { acme: '', globex: '' }
const lines: string[] = []

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-routes-'))
  database = await openEmptyDatabase(join(folder, 'database'))
  const settings = ServerSettings.parse({ url: 'https://sightline.example.org' })
  const metrics = openMetrics()
  const log = openLog({ level: 'debug', write: (line) => lines.push(line) })
  const sealer = openSealer(secretKey)
  const secrets = {
    databaseUrl: null,
    secretKey: null,
    adminToken: null,
    metricsToken: null,
    clientSecrets: {},
    connections: {},
  }
  const connections = openConnections({ settings, secrets, database, sealer })
  const now = () => new Date()
  const isAdmin = (token: string) => token === adminToken
  routes = webRoutes({
    ...{ database, settings, environment: {}, data: join(folder, 'data'), now, isStopping: () => false },
    ...{ connections, sealer, secretKey, isAdmin, metrics, log, clientSecrets: {} },
    writer: { write: async () => true },
    url: 'https://sightline.example.org',
    fetch: () => Promise.reject(new Error('no host is asked here')),
  })
  door = await openDoor({
    ...{ routes, host: '127.0.0.1', port: 0, proxies: 0, strangersPerMinute: 10_000, isAdmin, metrics, log },
    findTenant: (token) => tenantOfToken(database, token),
    isMetricsReader: (token) => token === metricsToken,
  })
  for (const tenant of ['acme', 'globex'] as const) {
    tokens[tenant] = await makeToken(database, tenant, { name: 'test', scopes: ['read'], days: null })
    await database.query(
      `insert into repository (connection, id, tenant, full_name, is_private)
       values ('github', $1, $2, $3, true)`,
      [tenant === 'acme' ? '1' : '2', tenant, `${tenant}/canary-${tenant}`],
    )
    await database.query(
      `insert into review_trigger (id, tenant, connection, repository, repository_name, number, kind,
         head, received_at, decision, state, reason)
       values ($1, $2, 'github', $3, $4, 7, 'opened', $5, now(), $6, 'skipped', 'policy')`,
      [
        ...[triggerOf(tenant), tenant, tenant === 'acme' ? '1' : '2', `${tenant}/canary-${tenant}`],
        ...['a'.repeat(40), `skipped: canary-${tenant}`],
      ],
    )
  }
  return async () => {
    await door.close(0)
    await database.close()
    rmSync(folder, { recursive: true })
  }
}, 120_000)

function triggerOf(tenant: string): string {
  return `00000000-0000-4000-8000-00000000000${tenant === 'acme' ? 1 : 2}`
}

/**
 * A path of a route, with ids of the tenant in its braces. Throws for a parameter that it has no value for: whoever adds
 * one says here what of another tenant it could name. Records of runs are tried in `test/server/api/hosted.test.ts`.
 */
function pathOf({ path }: Route, tenant: string): string {
  const values: Record<string, string> = {
    ...{ connection: 'github', tenant: `nobody-${tenant}`, call: '0', provider: 'github' },
    ...{ run: `run-of-${tenant}`, before: `run-of-${tenant}`, after: `run-of-${tenant}` },
    id: path.startsWith('/api/reviews/') ? triggerOf(tenant) : tenant === 'acme' ? '1' : '2',
  }
  return path.replace(/\{([a-z]+)\}/gi, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`${path}: give {${name}} a value here`)
    return value
  })
}

async function call(route: Route, path: string, token: string | null) {
  const answer = await fetch(`${door.url}${path}`, {
    method: route.method,
    headers: {
      'content-type': 'application/json',
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(route.bodyBytes === undefined ? {} : { body: JSON.stringify({ isEnabled: false }) }),
  })
  return { status: answer.status, text: await textOf(answer) }
}

/** Of a stream that never ends, its first event. */
async function textOf(answer: Response): Promise<string> {
  if (!answer.headers.get('content-type')?.startsWith('text/event-stream')) return await answer.text()
  const reader = answer.body?.getReader()
  const { value } = (await reader?.read()) ?? {}
  await reader?.cancel()
  return Buffer.from(value ?? []).toString('utf8')
}

test('without the right credentials no route that has any answers anything', async () => {
  // Where nothing is, nothing is for everybody.
  const guarded = routes.filter(({ access, path }) => access !== 'public' && !path.endsWith('/*'))
  expect(guarded.length).toBeGreaterThan(30)
  const wrong = [null, '', 'slt_made-up', 'Bearer', `${tokens.acme}x`, tokens.acme.slice(0, -1)]
  for (const route of guarded)
    for (const token of wrong) {
      const { status, text } = await call(route, pathOf(route, 'acme'), token)
      expect([route.path, token, status]).toEqual([route.path, token, 401])
      expect(text).not.toContain('canary')
    }
})

test('a token of one tenant opens no route of the operator', async () => {
  for (const route of routes.filter(({ access }) => access === 'admin' || access === 'metrics'))
    expect((await call(route, pathOf(route, 'acme'), tokens.acme)).status).toBe(401)
  for (const route of routes.filter(({ access }) => access === 'tenant'))
    expect((await call(route, pathOf(route, 'acme'), adminToken)).status).toBe(401)
})

test('two tenants: whatever route is tried, nothing of the other one is seen or changed', async () => {
  const before = await database.query('select * from repository order by id')
  for (const route of routes)
    for (const path of [pathOf(route, 'globex'), `${pathOf(route, 'globex')}?tenant=globex`]) {
      const { text } = await call(route, path, tokens.acme)
      expect(text, path).not.toContain('canary-globex')
    }
  expect(await database.query("select * from repository where tenant = 'globex'")).toEqual(
    before.filter(({ tenant }) => tenant === 'globex'),
  )
  // And one's own is there, so that the silence above means something.
  const own = routes.filter(
    ({ access, method }) => (access === 'tenant' || access === 'member') && method === 'GET',
  )
  const seen: string[] = []
  for (const route of own) seen.push((await call(route, pathOf(route, 'acme'), tokens.acme)).text)
  expect(seen.filter((text) => text.includes('canary-acme')).length).toBeGreaterThanOrEqual(4)
})

test('a repository is turned off by its own tenant only', async () => {
  const route = routes.find(({ path }) => path === '/api/repositories/{connection}/{id}')
  if (!route) throw new Error('the route is gone')
  expect((await call(route, pathOf(route, 'globex'), tokens.acme)).status).toBe(404)
  const own = await call(route, pathOf(route, 'globex'), tokens.globex)
  expect([own.status, JSON.parse(own.text).isEnabled]).toEqual([200, false])
})

test('no metric and no log line names a tenant, a repository or a token', async () => {
  const answer = await fetch(`${door.url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } })
  const text = await answer.text()
  expect(answer.status).toBe(200)
  const samples = parseMetrics(text)
  expect(samples.get('sightline_build_info')).toBe(1)
  expect(samples.get('process_resident_memory_bytes')).toBeGreaterThan(0)
  expect([...samples.keys()].filter((name) => name.startsWith('sightline_http_requests_total'))).not.toEqual(
    [],
  )
  for (const word of ['acme', 'globex', 'canary', 'slt_', adminToken, tokens.acme])
    expect(`${text}\n${lines.join('\n')}`).not.toContain(word)
})

test('unknown paths, methods and bodies are refused, and nothing of the inside is shown', async () => {
  const status = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${door.url}${path}`, init)
    expect(await answer.text()).not.toMatch(/node_modules|\.ts:|\n +at /)
    return answer.status
  }
  const asAcme = { headers: { authorization: `Bearer ${tokens.acme}` } }
  expect(await status('/nowhere')).toBe(404)
  expect(await status('/api/reviews/../admin/tenants', asAcme)).toBe(401)
  expect(await status('/healthz', { method: 'POST', body: 'x' })).toBe(405)
  expect(await status('/api/reviews?before=yesterday-ish', asAcme)).toBe(400)
  expect(await status(`/api/reviews/${'x'.repeat(101)}`, asAcme)).toBe(404)
  const tokensPath = '/api/admin/tokens'
  const asAdmin = { authorization: `Bearer ${adminToken}` }
  expect(await status(tokensPath, { method: 'POST', headers: asAdmin, body: '{"tenant":1}' })).toBe(400)
  expect(await status(tokensPath, { method: 'POST', headers: asAdmin, body: 'x'.repeat(20_000) })).toBe(413)
  expect([await status('/healthz'), await status('/readyz')]).toEqual([200, 200])
})

test('a token is made once, stored as a hash, and can be taken away', async () => {
  const asAdmin = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' }
  const made = await fetch(`${door.url}/api/admin/tokens`, {
    method: 'POST',
    headers: asAdmin,
    body: JSON.stringify({ tenant: 'initech', name: 'dashboard' }),
  })
  const { token } = (await made.json()) as { token: string }
  expect([made.status, await tenantOfToken(database, token)]).toEqual([201, 'initech'])
  expect(JSON.stringify(await database.query('select * from api_token'))).not.toContain(token)
  await fetch(`${door.url}/api/admin/tokens/initech`, { method: 'DELETE', headers: asAdmin })
  expect(await tenantOfToken(database, token)).toBeNull()
})

/** The text format of Prometheus, strictly; samples with labels under their whole name, and `build_info` without. */
function parseMetrics(text: string): Map<string, number> {
  const samples = new Map<string, number>()
  for (const line of text.split('\n').filter((each) => each !== '' && !each.startsWith('# '))) {
    const parts = /^([a-z_][a-z0-9_]*)(\{(?:[a-z_]+="(?:[^"\\\n]|\\.)*",?)*\})? (\S+)$/i.exec(line)
    if (!parts) throw new Error(`not a sample: ${line}`)
    const [, name = '', labels = '', value = ''] = parts
    samples.set(name === 'sightline_build_info' ? name : `${name}${labels}`, Number(value))
  }
  for (const line of text.split('\n').filter((each) => each.startsWith('# ')))
    expect(line).toMatch(/^# (?:HELP|TYPE) [a-z_][a-z0-9_]* /i)
  return samples
}
