/**
 * All routes of the web role behind a real listener, with two tenants: acme and globex, whose names are canaries, tokens of every
 * kind, and a session of somebody who may show both.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dashboardRoutes } from '../../../src/server/api/hosted.ts'
import { openConnections } from '../../../src/server/connections/connections.ts'
import { openSealer } from '../../../src/server/connections/sealed-secrets.ts'
import type { Database } from '../../../src/server/database/contract.ts'
import { hashOf, makeToken, type TokenScope } from '../../../src/server/http/access.ts'
import type { Route } from '../../../src/server/http/contract.ts'
import { type Listener, openListener } from '../../../src/server/http/listen.ts'
import { openWeb } from '../../../src/server/http/web-routes.ts'
import { questionKind, type ReviewJob } from '../../../src/server/jobs/contract.ts'
import { openLog } from '../../../src/server/log.ts'
import { openMetrics } from '../../../src/server/metrics.ts'
import { ServerSettings } from '../../../src/server/settings/schema.ts'
import { openEmptyDatabase } from '../../helpers/empty-database.ts'
import { noSecrets } from '../../helpers/no-secrets.ts'

export const adminToken = 'the-admin-token-of-this-test-long-enough'
export const metricsToken = 'the-metrics-token-of-this-test-long-enough'
const secretKey = 'the secret key of this test, long enough'
/** Of a person who may show both tenants. */
export const browser = { key: 'the-key-of-a-session', csrf: 'the-second-token-of-a-session' }

export type Credentials = Record<string, string>
export type RouteWorld = {
  database: Database
  listener: Listener
  routes: readonly Route[]
  /** Of its server. */
  data: string
  tokens: Record<'read' | 'review' | 'admin' | 'expired' | 'revoked' | 'globex', string>
  /** Of its log. */
  lines: string[]
  beginSession(key?: string): Promise<void>
  /** `body`: what the route takes when not given. */
  call(
    route: Route,
    path: string,
    credentials: Credentials,
    body?: unknown,
  ): Promise<{ status: number; text: string; headers: Headers }>
  close(): Promise<void>
}

/** `isUnlimited`: nobody asks too often. `hasPages`: for a browser, which takes its cookies from this machine. */
export async function openRouteWorld({ isUnlimited = false, hasPages = false } = {}): Promise<RouteWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-routes-'))
  const data = join(folder, 'data')
  const lines: string[] = []
  const database = await openEmptyDatabase()
  const url = hasPages ? null : 'https://sightline.example.org'
  // Each is a tenant of its own name.
  const named = { kind: 'gitlab', url: 'https://gitlab.example.org' }
  const settings = ServerSettings.parse({
    connections: { initech: named, umbrella: named },
    ...(url === null ? {} : { url }),
  })
  const ending = new AbortController()
  const metrics = openMetrics()
  const log = openLog({ level: 'debug', write: (line) => lines.push(line) })
  const sealer = openSealer(secretKey)
  const connections = openConnections({ settings, secrets: noSecrets, database, sealer })
  const now = () => new Date()
  const isOperator = (token: string) => token === adminToken
  const web = openWeb({
    ...{ database, settings, environment: {}, data, now, isStopping: () => false },
    ...{ connections, sealer, secretKey, isOperator, metrics, log, clientSecrets: {} },
    writer: { write: async () => true },
    url,
    fetch: () => Promise.reject(new Error('no host is asked here')),
  })
  const routes = isUnlimited
    ? web.routes.map((route) => ({ ...route, rate: { ...route.rate, most: Number.MAX_SAFE_INTEGER } }))
    : web.routes
  const strangersPerMinute = isUnlimited ? Number.MAX_SAFE_INTEGER : 10_000
  const listener = await openListener({
    ...{ ...web, routes: hasPages ? [...routes, ...dashboardRoutes(log, ending.signal)] : routes },
    ...{ host: '127.0.0.1', port: 0, proxies: 0, strangersPerMinute, isOperator },
    ...{ metrics, log, isMetricsReader: (token) => token === metricsToken },
  })
  const make = (tenant: string, name: string, scopes: readonly TokenScope[]) =>
    makeToken(database, tenant, { name, scopes, days: null })
  const tokens = {
    read: await make('acme', 'reader', ['read']),
    review: await make('acme', 'reviewer', ['read', 'review']),
    admin: await make('acme', 'admin', ['read', 'review', 'admin']),
    globex: await make('globex', 'admin', ['read', 'review', 'admin']),
    expired: await make('acme', 'expired', ['read', 'review', 'admin']),
    revoked: await make('acme', 'revoked', ['read', 'review', 'admin']),
  }
  await database.query("update api_token set expires_at = now() - interval '1 second' where hash = $1", [
    hashOf(tokens.expired),
  ])
  await database.query('delete from api_token where hash = $1', [hashOf(tokens.revoked)])
  for (const tenant of ['acme', 'globex'] as const) await fillTenant(database, tenant)
  const startSession = (key = browser.key) => beginSession(database, key)
  await startSession()
  return {
    ...{ database, listener, routes, data, tokens, lines, beginSession: startSession },
    call: (...asked) => call(listener, ...asked),
    async close() {
      ending.abort()
      await listener.close(0)
      await database.close()
      rmSync(folder, { recursive: true })
    },
  }
}

async function beginSession(database: Database, key: string): Promise<void> {
  const rights = { role: 'admin', repositories: null }
  await database.query(
    `insert into web_session (hash, tenant, csrf, expires_at, provider, subject, login, rights, provider_tokens)
     values ($1, 'acme', $2, now() + interval '1 hour', 'oidc', '7', 'ada', $3::jsonb, 'sealed')`,
    [hashOf(key), browser.csrf, JSON.stringify({ acme: rights, globex: rights })],
  )
}

async function fillTenant(database: Database, tenant: 'acme' | 'globex'): Promise<void> {
  const id = idOf(tenant)
  const name = `${tenant}/canary-${tenant}`
  await database.query(
    `insert into repository (connection, id, tenant, full_name, is_private)
     values ('github', $1, $2, $3, true)`,
    [id, tenant, name],
  )
  await database.query(
    `insert into review_trigger (id, tenant, connection, repository, repository_name, number, kind,
       head, received_at, decision, state, reason)
     values ($1, $2, 'github', $3, $4, 7, 'opened', $5, now(), $6, 'skipped', 'policy')`,
    [triggerOf(tenant), tenant, id, name, 'a'.repeat(40), `skipped: canary-${tenant}`],
  )
  const job: ReviewJob = {
    address: `https://github.com/${name}/pull/7`,
    ...{ connection: 'github', installation: null, number: 7, head: 'a'.repeat(40) },
    repository: { host: 'github.com', id, name },
    trigger: { id: triggerOf(tenant), kind: 'opened', by: null },
    decision: { kind: 'review', depth: 'auto', budgetUsd: null, notice: null },
  }
  await database.query(
    `insert into job (tenant, kind, lane, content_key, payload, state, result, ended_at, give_up_at)
     values ($1, $2, $1, 'c', $3::jsonb, 'reviewed', $4::jsonb, now(), now())`,
    [tenant, questionKind, JSON.stringify(job), JSON.stringify({ run: `run-of-${tenant}` })],
  )
}

export const idOf = (tenant: string) => (tenant === 'acme' ? '1' : '2')

export function triggerOf(tenant: string): string {
  return `00000000-0000-4000-8000-00000000000${idOf(tenant)}`
}

/**
 * A path of a route, with ids of the tenant in its braces. Throws for a parameter that it has no value for: whoever adds
 * one says here what of another tenant it could name. Records of runs are tried in `test/server/api/hosted.test.ts`.
 */
export function pathOf(
  { path }: Pick<Route, 'path'>,
  tenant: string,
  own: Record<string, string> = {},
): string {
  const values: Record<string, string> = {
    ...{ connection: 'github', tenant: `nobody-${tenant}`, call: '0', provider: 'github' },
    ...{ run: `run-of-${tenant}`, before: `run-of-${tenant}`, after: `run-of-${tenant}` },
    ...{ id: idOf(tenant), review: triggerOf(tenant) },
    ...own,
  }
  return path.replace(/\{([a-z]+)\}/gi, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`${path}: give {${name}} a value here`)
    return value
  })
}

/** What each route takes, so that it gets as far as it may. */
export const bodies: Record<string, unknown> = {
  'PATCH /api/v1/repositories/{connection}/{id}': { isEnabled: false },
  'POST /api/v1/tokens': { name: 'made', scopes: ['read'] },
  'POST /api/v1/operator/tokens': { tenant: 'initech', name: 'made' },
  'PATCH /api/v1/session': { tenant: 'globex' },
  'POST /api/v1/runs/{run}/ask': { question: 'why?' },
}

export const bearer = (token: string): Credentials => ({ authorization: `Bearer ${token}` })
export const inBrowser = (key = browser.key): Credentials => ({ cookie: `__Host-sightline=${key}` })

async function call(
  listener: Listener,
  route: Route,
  path: string,
  credentials: Credentials,
  body?: unknown,
) {
  const sent = body ?? bodies[`${route.method} ${route.path}`] ?? {}
  const answer = await fetch(`${listener.url}${path}`, {
    method: route.method,
    redirect: 'manual',
    headers: { 'content-type': 'application/json', ...credentials },
    ...(route.bodyBytes === 0 ? {} : { body: JSON.stringify(sent) }),
  })
  return { status: answer.status, text: await textOf(answer), headers: answer.headers }
}

/** Of a stream that never ends, its first event. */
export async function textOf(answer: Response): Promise<string> {
  if (!answer.headers.get('content-type')?.startsWith('text/event-stream')) return await answer.text()
  const reader = answer.body?.getReader()
  const { value } = (await reader?.read()) ?? {}
  await reader?.cancel()
  return Buffer.from(value ?? []).toString('utf8')
}
