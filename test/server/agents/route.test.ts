/** `/mcp` of a server, asked by the official client: one tenant, its repositories, and what its token may do. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, onTestFinished, test } from 'vitest'
import type { Review } from '../../../src/domain/review.ts'
import { ChangeRequest } from '../../../src/domain/review-request.ts'
import { type AgentHomeParts, agentHome } from '../../../src/server/agents/home.ts'
import { agentRoute } from '../../../src/server/agents/route.ts'
import type { TokenScope } from '../../../src/server/http/access.ts'
import type { Caller } from '../../../src/server/http/caller.ts'
import { Refused } from '../../../src/server/http/contract.ts'
import { openListener } from '../../../src/server/http/listen.ts'
import type { NewDelivery } from '../../../src/server/intake/deliveries.ts'
import { newTriggerId, storeTrigger } from '../../../src/server/intake/triggers.ts'
import { openSqlLedger } from '../../../src/server/ledger/sql-ledger.ts'
import { openLog } from '../../../src/server/log.ts'
import { openMetrics } from '../../../src/server/metrics.ts'
import { graphOfReview } from '../../../src/storage/catalog/graph-of-review.ts'
import { openSqlCatalog } from '../../../src/storage/catalog/sql-catalog.ts'
import { openSqlGraph } from '../../../src/storage/catalog/sql-graph.ts'
import { openEmptyDatabase } from '../../helpers/empty-database.ts'
import { sampleReview } from '../../helpers/sample-review.ts'
import { sampleRow } from '../../helpers/sample-row.ts'

const row = sampleRow({
  ...{ run: '20261121-061502-3fa94c', startedAt: '2026-11-21T06:15:02.103Z' },
  findings: { critical: 0, high: 1, medium: 0, low: 0 },
})
const reviewed = { ...row, run: '20261122-000000-aaaaaa' }

/** Of the catalog and the ledger, what is asked here; a token is `TENANT SCOPE…`, as base64. */
async function openServer(own: Partial<AgentHomeParts> = {}) {
  const rows = [row]
  const deliveries: NewDelivery[] = []
  const audited: unknown[][] = []
  const review = sampleReview()
  const parts: AgentHomeParts = {
    database: {
      query: async (text: string, [tenant, , , action, target]: readonly unknown[] = []) => {
        if (text.startsWith('insert into audit_entry')) audited.push([tenant, action, target])
        // How what was asked for ended.
        if (text.includes('webhook_delivery')) return [{ id: 't' }] as never[]
        if (text.includes('review_trigger'))
          return [{ state: 'reviewed', run: reviewed.run, received_at: new Date(), usd: null }] as never[]
        return (
          tenant === 'acme'
            ? [{ connection: 'gh', id: '1', installation: null, full_name: 'acme/shop', is_enabled: true }]
            : []
        ) as never[]
      },
    },
    catalogOf: (tenant) => ({
      get: async (run) => (tenant === 'acme' ? (rows.find((one) => one.run === run) ?? null) : null),
      list: async ({ repository, change }) =>
        tenant !== 'acme'
          ? []
          : rows.filter(
              (one) =>
                (repository ?? one.repository) === one.repository && (change ?? one.change) === one.change,
            ),
    }),
    graphOf: () => ({ reviewsOf: async () => [], commitsOf: async () => [] }),
    ledgerOf: () => ({ read: async () => ({ events: [], damage: null }) }) as never,
    homeOf: () => Promise.reject(new Error('no run is opened here')),
    hostOf: () => 'github.com',
    writer: {
      async write(delivery) {
        deliveries.push(delivery)
        rows.unshift(reviewed)
        return true
      },
    },
    ...own,
  }
  const listener = await openListener({
    routes: [
      agentRoute({
        url: 'https://sightline.example.org',
        homeOf(caller) {
          const home = agentHome(parts, caller)
          const readReview = (run: string) =>
            caller.tenant === 'acme' && !own.homeOf ? Promise.resolve(review) : home.readReview(run)
          return { ...home, readReview, pollMs: 20 }
        },
      }),
    ],
    ...{ host: '127.0.0.1', port: 0, proxies: 0, strangersPerMinute: 1000 },
    admission: { identify: async ({ headers }) => callerOf(headers.authorization ?? '') },
    ...{ metrics: openMetrics(), log: openLog({ level: 'error', write: () => {} }) },
  })
  onTestFinished(() => listener.close(0))
  return { url: `${listener.url}/mcp`, deliveries, audited, review }
}

function tokenOf(tenant: string, ...scopes: TokenScope[]): string {
  return Buffer.from([tenant, ...scopes].join(' ')).toString('base64')
}

function callerOf(authorization: string): Caller | null {
  const [tenant = '', ...scopes] = Buffer.from(authorization.slice('Bearer '.length), 'base64')
    .toString()
    .split(' ')
  if (!['acme', 'globex'].includes(tenant)) return null
  return {
    ...{ kind: 'token', name: tenant, tenant, scopes: new Set(scopes as TokenScope[]), repositories: null },
    session: { tenants: [tenant], user: null, role: 'viewer', csrf: '', expiresAt: null },
  }
}

async function connect(url: string, token: string, mode: 'auto' | 'legacy') {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const headers = { authorization: `Bearer ${token}` }
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
  const ask = async (name: string, args: object = {}, onprogress = () => {}) => {
    const { content, isError } = await client.callTool({ name, arguments: { ...args } }, { onprogress })
    const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
    return isError ? `failed: ${text}` : text
  }
  return { client, ask }
}

test('only with a token, only what is of its tenant, and a review for those who may ask for one', async () => {
  const { url, deliveries, audited, review } = await openServer()
  const viewer = tokenOf('acme', 'read')
  const reviewer = tokenOf('acme', 'read', 'review')
  const globex = tokenOf('globex', 'read', 'review')
  for (const mode of ['auto', 'legacy'] as const) {
    const { client, ask } = await connect(url, viewer, mode)
    const { tools } = await client.listTools()
    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
      ['list_reviews', true],
      ['get_finding', true],
      ['explain_finding', true],
      ['related_changes', true],
    ])
    expect(await ask('list_reviews')).toContain(
      '20261121-061502-3fa94c  github.com/acme/shop#7  APPROVE  1 finding',
    )
    expect(await ask('get_finding', { repository: 'github.com/acme/shop' })).toBe('No open findings.')
    await client.close()
  }
  const acmes = await connect(url, reviewer, 'auto')
  const others = await connect(url, globex, 'auto')
  const finding = { run: row.run, id: review.findings[0]?.fingerprint.slice(0, 8) ?? '' }
  expect(await acmes.ask('explain_finding', finding)).toMatch(/^[\s\S]*Finding \w+: /)
  expect(await others.ask('explain_finding', finding)).toMatch(/^failed: [\s\S]*there is no such review/)
  expect(await others.ask('list_reviews')).toBe('No recorded reviews.')
  // Without its host it is another name, and that it has no findings would be wrong.
  for (const [name, more] of Object.entries({
    list_reviews: {},
    get_finding: {},
    related_changes: { paths: ['a'] },
  }))
    expect(await acmes.ask(name, { repository: 'acme/shop', ...more })).toMatch(
      /^failed: [\s\S]*there is no such repository; it is named with its host/,
    )
  const change = { repository: 'github.com/acme/shop', change: 7 }
  expect(await others.ask('review_change', change)).toMatch(/^failed: [\s\S]*there is no such repository/)
  expect(deliveries).toEqual([])
  expect(await acmes.ask('review_change', change)).toContain('20261122-000000-aaaaaa')
  expect(audited).toEqual([['acme', 'review.request', 'github.com/acme/shop#7']])
  expect(deliveries.map(({ event }) => event)).toMatchObject([
    { type: 'change', repository: { id: '1', fullName: 'acme/shop' }, number: 7, head: null },
  ])
  await Promise.all([acmes.client.close(), others.client.close()])
  const raw = async (headers: Record<string, string>, method = 'POST') => {
    const accept = 'application/json, text/event-stream'
    const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
    const sent = { method, headers: { 'content-type': 'application/json', accept, ...headers } }
    return (await fetch(url, method === 'POST' ? { ...sent, body } : sent)).status
  }
  const authorization = `Bearer ${viewer}`
  expect(await raw({ authorization })).toBe(200)
  expect(await raw({})).toBe(401)
  expect(await raw({ cookie: 'sightline=anything' })).toBe(401)
  expect(await raw({ authorization: 'Bearer wrong' })).toBe(401)
  expect(await raw({ authorization, origin: 'https://evil.example' })).toBe(403)
  expect(await raw({ authorization, origin: 'https://sightline.example.org' })).toBe(200)
  expect(await raw({ authorization }, 'GET')).toBe(405)
})

test('reviews, findings and related changes come from the tables of the tenant', async () => {
  const database = await openEmptyDatabase()
  onTestFinished(() => database.close())
  await database.query(
    `insert into repository (connection, id, tenant, full_name, is_private)
     values ('gh', '1', 'acme', 'acme/shop', true), ('gh', '2', 'globex', 'globex/shop', true)`,
  )
  const commit = { commit: 'abc123', author: 'Eve', day: '2026-10-01', subject: 'Parse (#5)' }
  const code = { symbols: ['parse'], commits: [{ ...commit, paths: ['src/parse.ts'], mentions: ['OPS-7'] }] }
  const graph = graphOfReview(reviewOfSeven(), code)
  await openSqlCatalog(database, 'acme').put([{ row, amounts: [], graph }])
  const { url, deliveries } = await openServer({
    database,
    catalogOf: (tenant) => openSqlCatalog(database, tenant),
    graphOf: (tenant) => openSqlGraph(database, tenant),
    ledgerOf: (tenant) => openSqlLedger(database, tenant),
    homeOf: () => Promise.reject(new Refused(404, 'no runs here')),
  })
  const acme = await connect(url, tokenOf('acme', 'read', 'review'), 'auto')
  const globex = await connect(url, tokenOf('globex', 'read', 'review'), 'auto')
  const repository = 'github.com/acme/shop'
  const paths = ['src/parse.ts']
  expect(await acme.ask('list_reviews', { repository, change: 7 })).toContain(
    'github.com/acme/shop#7  APPROVE',
  )
  expect(await acme.ask('get_finding', { repository })).toBe('No open findings.')
  const related = await acme.ask('related_changes', { repository, paths })
  expect(related).toMatch(
    /#7 {2}2026-11-21 {2}ada: Parse strictly\n[\s\S]*open at the same time: #9\n[\s\S]*found: `parse` now/,
  )
  expect(related).toMatch(
    /1 commit in these files:\n[\s\S]*abc123 {2}Eve: 2026-10-01 Parse \(#5\) {2}\(OPS-7\)/,
  )
  // The other one is known from the review of the first alone.
  expect(related).toMatch(/#9 {2}2026-11-21 {2}eve: Parse twice/)
  expect(await acme.ask('related_changes', { repository, paths: ['absent.ts'] })).toMatch(
    /^No reviewed change/,
  )
  const asked = { run: row.run, id: 'abc' }
  expect(await acme.ask('explain_finding', asked)).toMatch(/there is no such review/)
  expect(await globex.ask('list_reviews')).toBe('No recorded reviews.')
  expect(await globex.ask('related_changes', { repository, paths })).toMatch(
    /^failed: [\s\S]*there is no such repository/,
  )
  expect(await globex.ask('review_change', { repository, change: 7 })).toMatch(/there is no such repository/)
  expect(deliveries).toEqual([])
  await Promise.all([acme.client.close(), globex.client.close()])
})

test('whoever asks for a review hears at once that there is none, or of the one that there is', async () => {
  const database = await openEmptyDatabase()
  onTestFinished(() => database.close())
  await database.query(
    `insert into repository (connection, id, tenant, full_name, is_private) values ('gh', '1', 'acme', 'acme/shop', true)`,
  )
  await openSqlCatalog(database, 'acme').put([{ row, amounts: [] }])
  let [decision, state, run] = ['skipped: draft, by the policy of acme', 'skipped', null as string | null]
  const { url } = await openServer({
    database,
    catalogOf: (tenant) => openSqlCatalog(database, tenant),
    writer: {
      // As the intake answers it.
      async write({ connection, id, hash, receivedAt }) {
        await database.query(
          `insert into webhook_delivery (connection, id, hash, lane, event, received_at, settled_at)
           values ($1, $2, $3, 'l', '{}', $4, now())`,
          [connection, id, hash, receivedAt],
        )
        const [job] = await database.query<{ id: number }>(
          `insert into job (tenant, kind, lane, content_key, payload, state, ended_at, give_up_at, result)
           values ('acme', 'review', 'l', $1, '{}', $2, now(), now(), $3::jsonb) returning id`,
          [id, state, JSON.stringify({ run })],
        )
        await storeTrigger(database, newTriggerId(), {
          ...{
            tenant: 'acme',
            connection,
            repository: { id: '1', name: 'acme/shop' },
            number: 7,
            kind: 'pushed',
          },
          ...{ askedBy: null, head: null, receivedAt, decision, job: job?.id ?? null, ownsJob: false },
          ...{ holdUsd: 0, ended: null },
        })
        return true
      },
    },
  })
  const { client, ask } = await connect(url, tokenOf('acme', 'read', 'review'), 'auto')
  const change = { repository: 'github.com/acme/shop', change: 7 }
  expect(await ask('review_change', change)).toMatch(
    /No review \(skipped\)\.[\s\S]*draft, by the policy of acme/,
  )
  ;[decision, state, run] = ['review at depth auto', 'reviewed', row.run]
  expect(await ask('review_change', change)).toContain(`${row.run}  github.com/acme/shop#7  APPROVE`)
  await client.close()
})

function reviewOfSeven(): Review {
  const review = sampleReview()
  const actor = { id: '1', login: 'ada', isBot: false, trust: 'member' }
  const changeRequest = ChangeRequest.parse({
    ...{ number: 7, url: 'https://github.com/acme/shop/pull/7', isDraft: false, isFork: false },
    ...{ baseRef: 'main', headRef: 'strict', author: actor, participants: [], labels: [], linkedIssues: [] },
  })
  const other = { name: '#9', title: 'Parse twice', author: 'eve', isDraft: false }
  const openChanges = [{ ...other, files: [{ path: 'src/parse.ts', places: null }] }]
  return { ...review, request: { ...review.request, title: 'Parse strictly', changeRequest, openChanges } }
}
