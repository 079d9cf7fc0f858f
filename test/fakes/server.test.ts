/** The server under all fakes: what it keeps, how it sends, and that it leaves nothing behind. */
import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { startFakeProvider } from '../helpers/fakes/registry.ts'
import { listScenarios, loadScenario } from '../helpers/fakes/scenario/load.ts'
import { serve } from '../helpers/fakes/server.ts'
import { anyAnswer, openFake } from './raw.ts'

test('closing frees the port, even while an answer stalls', async () => {
  const fake = await startFakeProvider('ollama', {
    steps: [{ answer: 'good', text: 'x'.repeat(500), delivery: { kind: 'stall' } }],
  })
  const waiting = fetch(`${fake.url}/api/chat`, {
    method: 'POST',
    body: JSON.stringify({ model: 'llama3.2', messages: [] }),
  }).then((response) => response.text())
  await expect.poll(() => fake.requests.length).toBe(1)
  const settled = expect(waiting).rejects.toThrow()
  await fake.close()
  await settled
  const port = Number(new URL(fake.url).port)
  const next = createServer().listen(port, '127.0.0.1')
  await new Promise((resolve) => next.once('listening', resolve))
  expect(next.listening).toBe(true)
  await new Promise((resolve) => next.close(resolve))
})

test('a frame arrives in pieces that do not end where events or letters end', async () => {
  const body = 'data: Grüße 日本語\n\n'.repeat(20)
  const server = await serve(() => ({ status: 200, headers: {}, frames: [Buffer.from(body)] }))
  const response = await fetch(server.url)
  const pieces: Uint8Array[] = []
  for await (const piece of response.body ?? []) pieces.push(piece)
  expect(pieces.length).toBeGreaterThan(1)
  expect(Buffer.concat(pieces).toString()).toBe(body)
  await server.close()
})

test('everything that arrives is kept as it came', async () => {
  const { send, fake } = await openFake('openai', '/v1/chat/completions', () => ({
    authorization: 'Bearer wrong',
  }))
  await send(
    { model: 'gpt-5', messages: [] },
    { headers: { 'x-run-id': '7' }, path: '/v1/chat/completions?a=b' },
  )
  expect(fake.requests[0]).toMatchObject({
    method: 'POST',
    path: '/v1/chat/completions',
    query: { a: 'b' },
    headers: { 'x-run-id': '7' },
    body: { model: 'gpt-5' },
    outcome: 'answered',
  })
  expect(fake.calls).toEqual([])
})

test('an account has its rate limit, with the headers of its service', async () => {
  let now = 0
  const limits = { requests: 2, windowMs: 10_000 }
  const fake = await startFakeProvider('anthropic', { limits, steps: [anyAnswer] }, { now: () => now })
  const call = (): Promise<Response> =>
    fetch(`${fake.url}/v1/messages`, {
      method: 'POST',
      headers: { 'x-api-key': fake.apiKey, 'anthropic-version': '2023-06-01' },
      body: JSON.stringify({
        model: 'claude-haiku-4-5',
        max_tokens: 9,
        messages: [{ role: 'user', content: 'x' }],
      }),
    })
  const first = await call()
  expect([first.status, first.headers.get('anthropic-ratelimit-requests-remaining')]).toEqual([200, '1'])
  expect((await call()).status).toBe(200)
  now = 4000
  const third = await call()
  expect([third.status, third.headers.get('retry-after')]).toEqual([429, '6'])
  now = 10_001
  expect((await call()).status).toBe(200)
  await fake.close()
})

test('every scenario file is sound', () => {
  const names = listScenarios()
  expect(names.length).toBeGreaterThan(20)
  for (const name of names) expect(loadScenario(name).about.length).toBeGreaterThan(20)
})
