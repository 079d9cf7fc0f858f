/** `sightline ui`: the API of one machine, for whoever has the printed token. */
import { request } from 'node:http'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { Session } from '../../../src/server/api/contract/operation.ts'
import { resources } from '../../../src/server/api/contract/resources.ts'
import { serveLocal } from '../../../src/server/api/local.ts'
import { environment } from '../../helpers/sightline.ts'
import { eventsOf, get, refusal, testRuns } from './api-suite.ts'
import { makeRecordedWorld, type RecordedWorld } from './recorded-world.ts'

let world: RecordedWorld
let url = ''
let token = ''
let cookie = ''
let csrf = ''
const stop = new AbortController()
let served: Promise<void>

const ask = (path: string, init: RequestInit = {}) => fetch(`${url}${path}`, init)
const begin = (given: string) =>
  ask('/api/v1/session/local', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: given }),
  })

function call(method: string, path: string, body?: unknown): Promise<Response> {
  const headers = { cookie, 'x-sightline-csrf': csrf, 'content-type': 'application/json' }
  return ask(`/api/v1${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

beforeAll(async () => {
  world = await makeRecordedWorld()
  await new Promise<void>((resolve, reject) => {
    served = serveLocal({
      environment: environment(world.environment),
      folder: world.repository,
      port: 0,
      signal: stop.signal,
      writeLog: () => {},
      onReady(local) {
        url = local.url
        token = local.token
        resolve()
      },
    })
    served.catch(reject)
  })
  expect((await begin('wrong')).status).toBe(401)
  const began = await begin(token)
  expect(began.status).toBe(200)
  cookie = began.headers.get('set-cookie')?.split(';')[0] ?? ''
  expect(began.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Strict/)
  csrf = Session.parse(await began.json()).csrf
  await vi.waitFor(async () => expect((await get({ call }, 'runs')).items).toHaveLength(2), {
    timeout: 60_000,
  })
})

afterAll(async () => {
  stop.abort()
  await served
  await world.close()
})

testRuns(() => ({ world, call }))

test('the token works once; nothing is answered without the session', async () => {
  expect(await refusal(begin(token))).toEqual({ status: 401, code: 'sign-in-required' })
  expect(await refusal(ask('/api/v1/runs'))).toEqual({ status: 401, code: 'sign-in-required' })
  const forged = ask(`/api/v1/runs/${world.offline}/replay`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: '{}',
  })
  expect(await refusal(forged)).toEqual({ status: 403, code: 'forbidden' })
  expect(await refusal(ask('/api/v1/runs', { headers: { cookie, 'sec-fetch-site': 'cross-site' } }))).toEqual(
    {
      status: 403,
      code: 'forbidden',
    },
  )
})

test('whoever has the session still gets nothing at another host, or from another site', async () => {
  const { port } = new URL(url)
  const foreign: Record<string, string>[] = [
    { host: 'evil.example' },
    { host: `evil.example:${port}` },
    { host: `127.0.0.1.evil.example:${port}` },
    { host: '127.0.0.1:1' },
    { host: 'localhost' },
    { host: `[::1]:${port}` },
    { host: `0.0.0.0:${port}` },
    { host: `me@127.0.0.1:${port}` },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: `http://127.0.0.1:${port}.evil.example` },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ]
  const statuses = new Map<string, number>()
  for (const { method, path } of Object.values(resources))
    for (const headers of foreign) {
      const filled = path.replace(/\{\w+\}/g, world.offline)
      const status = await askAs(method, `/api/v1${filled}`, headers)
      statuses.set(`${method} ${path} ${JSON.stringify(headers)}`, status)
    }
  expect([...statuses].filter(([, status]) => status !== 403)).toEqual([])
  expect(statuses.size).toBe(Object.keys(resources).length * foreign.length)
  expect(await askAs('GET', '/api/v1/runs', { origin: url, 'sec-fetch-site': 'same-origin' })).toBe(200)
  expect(await askAs('GET', '/api/v1/runs', { host: `localhost:${port}` })).toBe(200)
})

/** With the cookie and the token against forged requests, and as no browser or client would set the headers. */
function askAs(method: string, path: string, headers: Record<string, string>): Promise<number> {
  const own = { cookie, 'x-sightline-csrf': csrf, 'content-type': 'application/json', ...headers }
  return new Promise((resolve, reject) => {
    const asked = request(`${url}${path}`, { method, headers: own }, (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
    asked.on('error', reject)
    asked.end(method === 'POST' || method === 'PATCH' ? '{}' : '')
  })
}

test('a replay streams its progress and ends in the same review', async () => {
  const events = await eventsOf(await call('POST', `/runs/${world.standard}/replay`, {}))
  expect(events.filter(({ event }) => event === 'progress').length).toBeGreaterThan(2)
  expect(events.at(-1)).toMatchObject({
    event: 'result',
    data: { isIdentical: true, comparison: { fidelity: 1 } },
  })
})

test('a question that cannot be answered ends with the reason', async () => {
  const events = await eventsOf(await call('POST', '/runs/20200101-000000-abcdef/ask', { question: 'why?' }))
  expect(events).toMatchObject([
    { event: 'error', data: { message: expect.stringContaining('there is no run') } },
  ])
  expect(await refusal(call('POST', `/runs/${world.offline}/ask`, { question: '' }))).toEqual({
    status: 400,
    code: 'invalid',
  })
})

test('settings with their origin, the queue and health', async () => {
  const { configuration, budgets } = await get({ call }, 'policy')
  expect(configuration.find(({ path }) => path === 'money.perRun')?.origin).toBe('default')
  expect(budgets).toHaveLength(1)
  // Of a section that the settings file has, the keys that it leaves out have their defaults.
  const set = configuration.filter(({ origin }) => origin !== 'default').map(({ path }) => path)
  expect(set.filter((path) => !path.startsWith('models.'))).toEqual(['telemetry.traceUrl'])
  const { items } = await get({ call }, 'queue')
  expect(items.map(({ run }) => run)).toEqual([world.standard, world.offline])
  expect((await get({ call }, 'health')).state).toBe('ok')
  const { items: repositories } = await get({ call }, 'repositories')
  expect(repositories).toMatchObject([{ runs: 2 }])
})
