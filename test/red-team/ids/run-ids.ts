/**
 * Ids of another tenant at every route of the server: true ones, neighbours, guesses, and each of them written in other ways.
 * Whoever asks may do everything, in a tenant of their own. Judged by what is shown of the other tenant and changed there.
 */
import { cpSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { catalogRun } from '../../../src/server/api/hosted.ts'
import { hashOf } from '../../../src/server/http/access.ts'
import type { Route } from '../../../src/server/http/contract.ts'
import { placesOf } from '../../../src/server/jobs/places.ts'
import { Random } from '../../helpers/random.ts'
import { makeRecordedWorld, type RecordedWorld } from '../../server/api/recorded-world.ts'
import { bodies, openRouteWorld, type RouteWorld, triggerOf } from '../../server/http/route-world.ts'

type IdsOutcome = { tries: number; routes: number; answers: Record<string, number>; hits: string[] }

/** Ids of acme, by the parameter of a path that takes such. */
type Ids = Readonly<Record<string, readonly string[]>>

const atOnce = 8

export async function runIds(options: { seed: number; tries: number }): Promise<IdsOutcome> {
  const random = new Random(options.seed)
  const [world, recorded] = await Promise.all([openRouteWorld({ isUnlimited: true }), makeRecordedWorld()])
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce })
  try {
    await fillAcme(world, recorded)
    const ids = await idsOf(world, recorded)
    const signs = [recorded.offline, recorded.standard, 'canary-acme', triggerOf('acme'), 'src/price.ts']
    const routes = world.routes.filter(({ scope }) => ['read', 'review', 'admin'].includes(scope))
    const before = await stateOf(world)
    const hits = await controlOf(world, agent, routes, ids, signs)
    const answers: Record<string, number> = {}
    let left = options.tries
    const work = async () => {
      while (left-- > 0) {
        const asked = draw(random, routes, ids, world.tokens.globex)
        const { status, text } = await ask(world.listener.url, agent, asked)
        const kind = `${Math.floor(status / 100)}xx`
        answers[kind] = (answers[kind] ?? 0) + 1
        const said = JSON.stringify(asked)
        const shown = signs.filter((sign) => text.includes(sign) && !said.includes(sign))
        if (shown.length > 0) hits.push(`${asked.method} ${asked.path} shows ${shown.join(', ')}`)
        // With nothing but true ids in it, any success speaks of the other tenant.
        if (asked.isTrue && status < 400) hits.push(`${asked.method} ${asked.path}: ${status}`)
        if (status >= 500) hits.push(`${asked.method} ${asked.path}: ${status}`)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    if ((await stateOf(world)) !== before) hits.push('something of the other tenant changed')
    return { tries: options.tries, routes: routes.length, answers, hits }
  } finally {
    agent.destroy()
    await world.close()
    await recorded.close()
  }
}

async function fillAcme({ database, data }: RouteWorld, recorded: RecordedWorld): Promise<void> {
  const state = join(recorded.environment.XDG_STATE_HOME ?? '', 'sightline')
  cpSync(state, placesOf(data, 'acme').stateOwn, { recursive: true })
  for (const run of [recorded.offline, recorded.standard])
    await catalogRun({ database, environment: {}, data }, 'acme', run)
}

async function idsOf({ database, tokens }: RouteWorld, recorded: RecordedWorld): Promise<Ids> {
  const hashes = await database.query<{ hash: string }>(
    "select hash from api_token where tenant = 'acme' union all select hash from web_session where tenant = 'acme'",
  )
  const jobs = await database.query<{ id: string }>("select id::text as id from job where tenant = 'acme'")
  const runs = [recorded.offline, recorded.standard]
  const any = [
    ...['1', triggerOf('acme'), hashOf(tokens.admin).slice(0, 16)],
    ...[...hashes.map(({ hash }) => hash.slice(0, 16)), ...jobs.map(({ id }) => id)],
  ]
  return { run: runs, before: runs, after: runs, id: any, review: [triggerOf('acme')], call: ['0', '1'] }
}

/** The owner is shown what the signs stand for, or silence would mean nothing. */
async function controlOf(
  { listener, tokens }: RouteWorld,
  agent: Agent,
  routes: readonly Route[],
  ids: Ids,
  signs: readonly string[],
): Promise<string[]> {
  let seen = ''
  for (const { method, path } of routes.filter((route) => route.method === 'GET')) {
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name]?.[0] ?? 'github')
    seen += (await ask(listener.url, agent, { method, path: filled, token: tokens.admin })).text
  }
  return signs.filter((sign) => !seen.includes(sign)).map((sign) => `its owner is not shown ${sign}`)
}

type Asked = { method: string; path: string; token: string; body?: unknown; headers?: Record<string, string> }

function draw(
  random: Random,
  routes: readonly Route[],
  ids: Ids,
  token: string,
): Asked & { isTrue: boolean } {
  const withIds = routes.filter(({ path }) => path.includes('{') || path.endsWith('/mcp'))
  const { method, path, bodyBytes } = random.pick(random.chance(0.97) ? withIds : routes)
  let isTrue = path.includes('{') && !path.includes('/session')
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const known = ids[name]
    if (!known) return 'github'
    const [way, id] = [random.pick(ways), random.pick(known)]
    if (way.isOther) isTrue = false
    return way.write(id, random)
  })
  const query = random.chance(0.2) ? `?${random.pick(queries)}` : ''
  const headers = random.chance(0.1) ? random.pick(claims) : {}
  const body = bodyBytes === 0 ? undefined : bodyFor(random, `${method} ${path}`, ids)
  return { method, path: `${filled}${query}`, token, headers, body, isTrue }
}

type Way = { write: (id: string, random: Random) => string; isOther?: true }

/** `isOther`: another id, which may be one of whoever asks. */
const ways: readonly Way[] = [
  { write: (id) => id },
  { write: (id) => encodeAll(id) },
  { write: (id) => encodeAll(encodeAll(id)) },
  { write: (id) => id.toUpperCase() },
  { write: (id) => `${id}%00` },
  { write: (id) => `%20${id}` },
  { write: (id) => `${id}%0a` },
  { write: (id) => `0${id}` },
  { write: (id) => `+${id}` },
  { write: (id) => `${id}.json` },
  { write: (id) => `x%2f..%2f${id}` },
  { write: (id) => `..%2facme%2f${id}` },
  { write: (id) => `${id};tenant=acme` },
  { write: (id) => `acme:${id}` },
  { write: (id) => [...id].map((one) => encodeURIComponent(wide(one))).join('') },
  { write: (id) => `${id}'%20or%20'1'='1` },
  { write: (id) => id.replace(/.$/, '%25') },
  { write: (id) => id.replace(/.$/, '_') },
  { isOther: true, write: (id, random) => neighbour(id, random) },
  { isOther: true, write: (id, random) => guess(id, random) },
  { isOther: true, write: (id, random) => id.slice(0, random.between(1, id.length)) },
  {
    isOther: true,
    write: (_, random) => random.pick(['last', '*', '%25', 'null', '-1', '1e0', '__proto__', '..']),
  },
]

const queries = [
  'tenant=acme',
  'tenant[]=acme',
  'as=acme',
  'repository=1',
  'q=canary-acme',
  'cursor=e30',
  'limit=1000',
]
const claims = [
  { 'x-tenant': 'acme' },
  { 'x-forwarded-user': 'ada' },
  { 'x-original-url': '/api/v1/runs' },
  { 'x-http-method-override': 'DELETE' },
  { cookie: '__Host-sightline=acme' },
]

const encodeAll = (text: string) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
/** Full-width forms, which some databases and filters take for the plain ones. */
const wide = (one: string) =>
  /[!-~]/.test(one) ? String.fromCodePoint((one.codePointAt(0) ?? 0) + 0xfee0) : one

function neighbour(id: string, random: Random): string {
  if (/^\d+$/.test(id)) return String(Number(id) + random.between(-3, 3))
  const at = random.between(0, id.length - 1)
  return `${id.slice(0, at)}${random.pick([...'0123456789abcdef'])}${id.slice(at + 1)}`
}

const guess = (id: string, random: Random) =>
  id.replace(/[0-9a-f]/g, (one) => random.pick([...(/\d/.test(one) ? '0123456789' : 'abcdef')]))

/** Ids in bodies, as the agents' tools and changes take them. */
function bodyFor(random: Random, route: string, ids: Ids): unknown {
  const run = random.pick(ids.run ?? [])
  if (!route.endsWith('/mcp')) return bodies[route] ?? { run, tenant: 'acme' }
  const tool = random.pick([
    { name: 'get_finding', arguments: { run, id: random.pick(['C1', 'C2', '1']) } },
    { name: 'explain_finding', arguments: { run, id: 'C1' } },
    {
      name: 'list_reviews',
      arguments: { repository: random.pick(['acme/canary-acme', 'github.com/acme/canary-acme']) },
    },
    { name: 'related_changes', arguments: { repository: 'acme/canary-acme', change: 7 } },
    { name: 'review_change', arguments: { repository: 'acme/canary-acme', change: 7 } },
  ])
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params: tool }
}

function ask(url: string, agent: Agent, { method, path, token, body, headers }: Asked) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const text = body === undefined ? '' : JSON.stringify(body)
    const { hostname, port } = new URL(url)
    // As it is: `fetch` would tidy the path.
    const sent = request({ hostname, port, method, path, agent })
    const all = {
      ...{ authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream' },
      ...(text === '' ? {} : { 'content-type': 'application/json', 'content-length': String(text.length) }),
      ...headers,
    }
    for (const [name, value] of Object.entries(all)) sent.setHeader(name, value)
    sent.on('error', reject)
    sent.on('response', (answer) => {
      const status = answer.statusCode ?? 0
      let heard = ''
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        heard += chunk
        // A stream of events that never ends.
        if (!/event-stream/.test(answer.headers['content-type'] ?? '') || method !== 'GET') return
        resolve({ status, text: heard })
        sent.destroy()
      })
      answer.on('end', () => resolve({ status, text: heard }))
      answer.on('error', () => resolve({ status, text: heard }))
    })
    sent.end(text)
  })
}

const tables = [
  'repository',
  'api_token',
  'web_session',
  'job',
  'review_trigger',
  'audit_entry',
  'run_summary',
]

/** All of acme; when its tokens were used last is the business of whoever used them. */
async function stateOf({ database }: RouteWorld): Promise<string> {
  const rows = await Promise.all(
    tables.map((table) =>
      database
        .query(
          `select to_jsonb(t) - 'last_used_at' - 'seen_at' as row from ${table} t where tenant = 'acme' order by 1`,
        )
        .catch(() => []),
    ),
  )
  return JSON.stringify(rows)
}
