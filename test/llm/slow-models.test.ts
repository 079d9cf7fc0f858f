/**
 * A model that is silent for longer than Node's own `fetch` would wait. Sockets and the client are real; what is moved
 * on is the clock inside of the client, below everything of ours.
 */
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import { connect } from 'node:net'
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici'
import { afterEach, expect, test, vi } from 'vitest'
import { patientFetch } from '../../src/llm/wire/post.ts'
import { startFakeProvider } from '../helpers/fakes/registry.ts'
import { gatewayTo, goodNotes, modelAt, question } from './fake-gateway.ts'

/** The clock by which undici ends what is silent; it is moved by hand, for tests. */
const clientClock: { tick(ms?: number): void } = createRequire(import.meta.url)('undici/lib/util/timers.js')

const usualClient = getGlobalDispatcher()
const servers: Server[] = []

afterEach(() => {
  setGlobalDispatcher(usualClient)
  vi.unstubAllEnvs()
  for (const server of servers.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
})

/** Between the gateway and a fake: holds back the first byte, then the second half, until it is let go on. */
async function slowServerBefore(target: string) {
  const waits = { first: Promise.withResolvers<void>(), rest: Promise.withResolvers<void>() }
  const reached: string[] = []
  const server = createServer((incoming, response) => {
    void (async () => {
      const parts: Uint8Array[] = []
      for await (const part of incoming) parts.push(part)
      reached.push('asked')
      await waits.first.promise
      const headers = Object.fromEntries(
        Object.entries(incoming.headers).filter(
          ([name]) => !['host', 'connection', 'content-length'].includes(name),
        ),
      ) as Record<string, string>
      const answer = await fetch(`${target}${incoming.url}`, {
        method: 'POST',
        headers,
        body: Buffer.concat(parts),
      })
      const bytes = Buffer.from(await answer.arrayBuffer())
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
      response.write(bytes.subarray(0, 100))
      reached.push('begun')
      await waits.rest.promise
      response.end(bytes.subarray(100))
    })().catch((error: unknown) => response.destroy(error as Error))
  })
  servers.push(server)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { port: number }
  return { url: `http://127.0.0.1:${port}`, waits, reached }
}

/** The first call starts the timers that wait to be started. */
function passSeconds(seconds: number): void {
  clientClock.tick()
  clientClock.tick(seconds * 1000)
}

test('a model that is silent for 400 s, before its first byte and in its answer, is waited for', async () => {
  await using fake = await startFakeProvider('anthropic', { steps: [{ answer: 'good', value: goodNotes }] })
  const slow = await slowServerBefore(fake.url)
  const { name, provider } = modelAt({ baseUrl: `${slow.url}/v1` }, 'anthropic', 'claude-sonnet-5-5')
  const patient = { name, provider: { ...provider, firstWordSeconds: 3600 } }
  const gateway = await gatewayTo([patient], { timeouts: { chunkMs: 3_600_000 } })
  const asking = gateway.ask(question())
  await expect.poll(() => slow.reached).toEqual(['asked'])
  passSeconds(400)
  slow.waits.first.resolve()
  await expect.poll(() => slow.reached).toEqual(['asked', 'begun'])
  passSeconds(400)
  slow.waits.rest.resolve()
  const reply = await asking
  expect(reply).toMatchObject({ outcome: 'answered', value: goodNotes })
  expect(reply.calls.map(({ outcome }) => outcome)).toEqual(['answered'])
})

test('the limits of the client of the process, five minutes by default, do not hold for models', async () => {
  // The shortest that its clock can tell is about a second, however little is asked for.
  setGlobalDispatcher(new Agent({ headersTimeout: 50, bodyTimeout: 50 }))
  await using fake = await startFakeProvider('anthropic', { steps: [{ answer: 'good', value: goodNotes }] })
  const slow = await slowServerBefore(fake.url)
  setTimeout(() => slow.waits.first.resolve(), 2_500)
  slow.waits.rest.resolve()
  const gateway = await gatewayTo([modelAt({ baseUrl: `${slow.url}/v1` }, 'anthropic', 'claude-sonnet-5-5')])
  const reply = await gateway.ask(question())
  expect(reply.calls.map(({ outcome }) => outcome)).toEqual(['answered'])
})

test('a proxy that Node is told to use is used', async () => {
  const asked: string[] = []
  const proxy = createServer().on('connect', (request, socket) => {
    asked.push(request.url ?? '')
    const [host = '', port = ''] = (request.url ?? '').split(':')
    const target = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      target.pipe(socket).pipe(target)
    })
    for (const end of [target, socket]) end.on('error', () => {})
  })
  servers.push(proxy)
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done))
  const { port } = proxy.address() as { port: number }
  vi.stubEnv('NODE_USE_ENV_PROXY', '1')
  vi.stubEnv('HTTP_PROXY', `http://127.0.0.1:${port}`)
  await using fake = await startFakeProvider('openai', { steps: [] })
  const answer = await patientFetch(`${fake.baseUrl}/models`, {
    headers: { authorization: `Bearer ${fake.apiKey}` },
  })
  expect(answer.status).toBe(200)
  expect(asked).toEqual([new URL(fake.baseUrl).host])
})
