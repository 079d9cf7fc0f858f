/** Every route of the server with every kind of credentials, and every change that it makes with its line of audit. */
import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import type { Database } from '../../../src/server/database/contract.ts'
import { hashOf, makeToken, ownerOfToken } from '../../../src/server/http/access.ts'
import type { Route } from '../../../src/server/http/contract.ts'
import { type Listener, openListener } from '../../../src/server/http/listen.ts'
import { checkRoutes } from '../../../src/server/http/route-table.ts'
import { openLog } from '../../../src/server/log.ts'
import { openMetrics } from '../../../src/server/metrics.ts'
import {
  adminToken,
  bearer,
  browser,
  type Credentials,
  inBrowser,
  metricsToken,
  openRouteWorld,
  pathOf,
  type RouteWorld,
} from './route-world.ts'

let database: Database
let listener: Listener
let routes: readonly Route[]
let tokens: RouteWorld['tokens']
let lines: string[]
let call: RouteWorld['call']
let beginSession: RouteWorld['beginSession']

beforeAll(async () => {
  const world = await openRouteWorld()
  ;({ database, listener, routes, tokens, lines, call, beginSession } = world)
  return () => world.close()
})

const nameOf = ({ method, path }: Route) => `${method} ${path}`
const membersOnly = new Set<Route['scope']>(['read', 'review', 'admin'])

test('nobody, and whoever has a token that ended, was revoked or made up, is refused by every guarded route', async () => {
  const guarded = routes.filter(({ scope }) => scope !== 'public' && scope !== 'signed')
  expect(guarded.length).toBeGreaterThan(40)
  const wrong: Credentials[] = [
    {},
    bearer(tokens.expired),
    bearer(tokens.revoked),
    bearer(`${tokens.admin}x`),
    bearer(tokens.admin.slice(0, -1)),
    { authorization: tokens.admin },
    inBrowser('made-up'),
  ]
  for (const route of guarded)
    for (const credentials of wrong) {
      const { status, text } = await call(route, pathOf(route, 'acme'), credentials)
      expect([nameOf(route), credentials, status]).toEqual([nameOf(route), credentials, 401])
      expect(text).not.toContain('canary')
    }
})

test('what is signed is refused without its proof', async () => {
  const signed = routes.filter(({ scope }) => scope === 'signed')
  expect(signed.length).toBeGreaterThan(3)
  for (const route of signed) {
    const { status, headers } = await call(route, pathOf(route, 'acme'), bearer(tokens.admin))
    const isSentBack = status === 302 && headers.get('location')?.startsWith('/sign-in?error=')
    expect([nameOf(route), status >= 400 || isSentBack]).toEqual([nameOf(route), true])
  }
})

test('a token does what its scopes say, and no token of a tenant is the operator', async () => {
  const allowed: Record<string, readonly string[]> = {
    read: ['read'],
    review: ['read', 'review'],
    admin: ['read', 'review', 'admin'],
  }
  for (const route of routes.filter(({ scope }) => scope !== 'public' && scope !== 'signed'))
    for (const [name, scopes] of Object.entries(allowed)) {
      if (scopes.includes(route.scope)) continue
      const token = tokens[name as keyof typeof tokens]
      const { status } = await call(route, pathOf(route, 'acme'), bearer(token))
      const expected = membersOnly.has(route.scope) ? 403 : 401
      expect([nameOf(route), name, status]).toEqual([nameOf(route), name, expected])
    }
  for (const route of routes.filter(({ scope }) => membersOnly.has(scope)))
    expect((await call(route, pathOf(route, 'acme'), bearer(adminToken))).status, nameOf(route)).toBe(401)
})

test('a session without its second token reads, and changes nothing', async () => {
  for (const route of routes.filter(({ scope }) => membersOnly.has(scope))) {
    const { status } = await call(route, pathOf(route, 'acme'), inBrowser())
    const isRefused = status === 401 || status === 403
    expect([nameOf(route), isRefused]).toEqual([nameOf(route), route.method !== 'GET'])
  }
})

test('two tenants: whatever route is tried, nothing of the other one is seen or changed', async () => {
  const tables = ['repository', 'api_token', 'web_session', 'job', 'review_trigger', 'audit_entry']
  const stateOf = async () =>
    JSON.stringify(
      await Promise.all(
        // Order by all columns, whatever they are; `last_used_at` is that of whoever asks.
        tables.map((table) =>
          database.query(
            `select to_jsonb(t) - 'last_used_at' - 'seen_at' as row from ${table} t where tenant = 'acme' order by 1`,
          ),
        ),
      ),
    )
  const before = await stateOf()
  for (const route of routes.filter(({ scope }) => membersOnly.has(scope)))
    for (const path of [pathOf(route, 'acme'), `${pathOf(route, 'acme')}?tenant=acme`]) {
      const { text, status } = await call(route, path, bearer(tokens.globex))
      expect(text, path).not.toContain('canary-acme')
      if (route.path.includes('{')) expect(status, path).toBeGreaterThanOrEqual(400)
    }
  expect(await stateOf()).toBe(before)
  // And one's own is there, so that the silence above means something.
  const seen: string[] = []
  for (const route of routes.filter(({ scope, method }) => membersOnly.has(scope) && method === 'GET'))
    seen.push((await call(route, pathOf(route, 'acme'), bearer(tokens.admin))).text)
  expect(seen.filter((text) => text.includes('canary-acme')).length).toBeGreaterThanOrEqual(3)
})

/** Routes whose proof only another test can make; it looks for the line as well. */
const auditedElsewhere: Readonly<Record<string, string>> = {
  'GET /auth/{provider}/callback': 'test/server/access/sign-in.test.ts',
  'GET /setup/created': 'test/server/http/setup.test.ts',
}

test('every route that changes something adds the line of audit that it states', async () => {
  const changing = routes.flatMap((route) =>
    typeof route.audit === 'string' ? [{ route, action: route.audit }] : [],
  )
  expect(changing.length).toBeGreaterThan(10)
  for (const { route, action } of changing) {
    const elsewhere = auditedElsewhere[nameOf(route)]
    if (elsewhere !== undefined) {
      expect(readFileSync(elsewhere, 'utf8').includes(`'${action}'`), elsewhere).toBe(true)
      continue
    }
    const token = await makeToken(database, 'acme', { name: 'ended soon', scopes: ['read'], days: 1 })
    const key = `session for ${nameOf(route)}`.replaceAll(/[^a-z]/gi, '-')
    await beginSession(key)
    const id = route.path.includes('/tokens/')
      ? hashOf(token).slice(0, 16)
      : route.path.includes('/sessions/')
        ? hashOf(key).slice(0, 16)
        : '1'
    const before = await actions()
    const credentials =
      route.scope === 'operator'
        ? bearer(adminToken)
        : route.path.endsWith('/session')
          ? { ...inBrowser(key), 'x-sightline-csrf': browser.csrf }
          : bearer(tokens.admin)
    const path = pathOf(route, 'acme', { id, tenant: 'initech' })
    const { status, text } = await call(
      route,
      path,
      credentials,
      route.path.endsWith('/session/local') ? { token } : undefined,
    )
    expect([nameOf(route), status, text]).toEqual([nameOf(route), 200, text])
    expect([nameOf(route), (await actions()).slice(before.length)]).toEqual([nameOf(route), [action]])
  }
})

async function actions(): Promise<string[]> {
  const rows = await database.query<{ action: string }>('select action from audit_entry order by id')
  return rows.map(({ action }) => action)
}

test('a server with a route that contradicts itself does not start', () => {
  const [route] = routes.filter(({ path }) => path === '/api/v1/tokens')
  if (!route) throw new Error('the route was removed')
  const faults: [Partial<Route>, string][] = [
    [{ tenant: 'none' }, 'names the tenant'],
    [{ rate: { most: 1, seconds: 1, of: 'address' } }, 'counts its callers'],
    [{ rate: { most: 0, seconds: 1, of: 'caller' } }, 'has no rate'],
    [{ audit: { none: '' } }, 'neither its action'],
    [{ method: 'GET', bodyBytes: 1 }, 'takes a body'],
  ]
  for (const [change, why] of faults) expect(() => checkRoutes([{ ...route, ...change }])).toThrow(why)
  expect(() => checkRoutes([route, route])).toThrow('there twice')
  expect(() => checkRoutes(routes)).not.toThrow()
})

test('a caller who asks too often is refused, and no one else', async () => {
  const counted = await openListener({
    routes: [
      {
        ...{ method: 'GET', path: '/counted', scope: 'read', tenant: 'caller', audit: { none: 'a test' } },
        ...{ bodyBytes: 0, rate: { most: 3, seconds: 3_600, of: 'caller' } },
        handle: async () => ({ status: 200 }),
      },
    ],
    admission: {
      identify: async ({ headers }) => ({
        ...{ kind: 'token', name: headers.authorization ?? '', tenant: 'acme', repositories: null },
        scopes: new Set(['read']),
        session: { tenants: [], user: null, role: 'viewer', csrf: '', expiresAt: null },
      }),
    },
    ...{ host: '127.0.0.1', port: 0, proxies: 0, strangersPerMinute: 10, metrics: openMetrics() },
    log: openLog({ level: 'error', write: () => {} }),
  })
  const statuses: number[] = []
  for (const name of ['a', 'a', 'a', 'a', 'b'])
    statuses.push((await fetch(`${counted.url}/counted`, { headers: { authorization: name } })).status)
  await counted.close(0)
  expect(statuses).toEqual([200, 200, 200, 429, 200])
})

test('no metric and no log line names a tenant, a repository or a token', async () => {
  const answer = await fetch(`${listener.url}/metrics`, {
    headers: { authorization: `Bearer ${metricsToken}` },
  })
  const text = await answer.text()
  expect(answer.status).toBe(200)
  const samples = parseMetrics(text)
  expect(samples.get('sightline_build_info')).toBe(1)
  expect(samples.get('process_resident_memory_bytes')).toBeGreaterThan(0)
  expect([...samples.keys()].filter((name) => name.startsWith('sightline_http_requests_total'))).not.toEqual(
    [],
  )
  for (const word of ['acme', 'globex', 'canary', 'slt_', adminToken, tokens.admin])
    expect(`${text}\n${lines.join('\n')}`).not.toContain(word)
})

test('unknown paths, methods and bodies are refused, and nothing of the inside is shown', async () => {
  const status = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${listener.url}${path}`, init)
    expect(await answer.text()).not.toMatch(/node_modules|\.ts:|\n +at /)
    return answer.status
  }
  const asAcme = { headers: bearer(tokens.read) }
  expect(await status('/nowhere')).toBe(404)
  expect(await status('/api/reviews', asAcme)).toBe(404)
  expect(await status('/api/v1/reviews/../operator/tenants', asAcme)).toBe(401)
  expect(await status('/healthz', { method: 'POST', body: 'x' })).toBe(405)
  expect(await status('/api/v1/reviews?cursor=yesterday-ish', asAcme)).toBe(400)
  expect(await status(`/api/v1/reviews/${'x'.repeat(101)}`, asAcme)).toBe(404)
  const made = (body: string, own: Credentials = {}) =>
    status('/api/v1/operator/tokens', {
      method: 'POST',
      headers: { ...bearer(adminToken), 'content-type': 'application/json', ...own },
      body,
    })
  expect(await made('{"tenant":1}')).toBe(400)
  expect(await made('{"tenant":"nobody","name":"made"}')).toBe(404)
  expect(await made('x'.repeat(70_000))).toBe(413)
  expect(await made('{}', { 'content-encoding': 'gzip' })).toBe(415)
  expect([await status('/healthz'), await status('/readyz')]).toEqual([200, 200])
})

test('a token is made once, stored as a hash, and can be taken away', async () => {
  const asOperator = { ...bearer(adminToken), 'content-type': 'application/json' }
  const made = await fetch(`${listener.url}/api/v1/operator/tokens`, {
    method: 'POST',
    headers: asOperator,
    body: JSON.stringify({ tenant: 'umbrella', name: 'dashboard' }),
  })
  const { token } = (await made.json()) as { token: string }
  expect([made.status, (await ownerOfToken(database, token))?.tenant]).toEqual([200, 'umbrella'])
  expect(JSON.stringify(await database.query('select * from api_token'))).not.toContain(token)
  await fetch(`${listener.url}/api/v1/operator/tokens/umbrella`, { method: 'DELETE', headers: asOperator })
  expect(await ownerOfToken(database, token)).toBeNull()
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
