/** Every fault a provider can have, and how it ends: waited out, failed over, or told; never half an answer as a whole. */
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { startFakeProvider } from '../helpers/fakes/registry.ts'
import type { CodedStep } from '../helpers/fakes/scenario/script.ts'
import { type FakeGateway, gatewayTo, goodNotes, modelAt, question } from './fake-gateway.ts'
import { memoryJournal } from './memory-journal.ts'

const good: CodedStep = { answer: 'good', value: goodNotes, times: 'always' }
const sonnet = 'claude-sonnet-5-5'

async function anthropicWith(steps: CodedStep[], options: Parameters<typeof gatewayTo>[1] = {}) {
  const fake = await startFakeProvider('anthropic', { steps })
  const gateway = await gatewayTo([modelAt(fake, 'anthropic', sonnet)], options)
  return { fake, gateway, [Symbol.asyncDispose]: () => fake.close() }
}

const outcomes = (gateway: FakeGateway) =>
  gateway.events.flatMap((event) => (event.type === 'model-call' ? [event.call.outcome] : []))

test('a rate limit is waited out for as long as the provider asks', async () => {
  await using one = await anthropicWith([{ answer: 'rate-limit', retryAfterSeconds: 7 }, good])
  expect(await one.gateway.ask(question())).toMatchObject({ outcome: 'answered' })
  expect(one.gateway.waits).toEqual([7350])
  expect(outcomes(one.gateway)).toEqual(['failed', 'answered'])
})

test('a longer wait than the run has patience for is not waited, and the next model is asked', async () => {
  await using first = await startFakeProvider('anthropic', {
    steps: [{ answer: 'rate-limit', retryAfterSeconds: 600 }],
  })
  await using second = await startFakeProvider('openai', { steps: [good] })
  const models = [
    { ...modelAt(first, 'anthropic', sonnet), name: `one/${sonnet}` },
    { ...modelAt(second, 'openai', 'gpt-5.5'), name: 'two/gpt-5.5' },
  ]
  const gateway = await gatewayTo(models)
  const reply = await gateway.ask(question())
  expect(reply.outcome).toBe('answered')
  expect(reply.calls.map(({ model, outcome }) => [model, outcome])).toEqual([
    [`one/${sonnet}`, 'failed'],
    ['two/gpt-5.5', 'answered'],
  ])
  expect(gateway.waits).toEqual([])

  const replay = await gatewayTo(models, { journal: gateway.journal.replay() })
  const replayed = await replay.ask(question())
  expect(replayed.calls.map(({ served }) => served)).toEqual(['record', 'record'])
  expect({ ...replayed, calls: [] }).toEqual({ ...reply, calls: [] })
  expect(replay.cost()).toEqual(gateway.cost())
})

test.each<[string, CodedStep]>([
  ['overload', { answer: 'overloaded', times: 2 }],
  ['a server error', { answer: 'server-error', times: 2 }],
  ['a reset connection', { answer: 'reset', times: 2 }],
  ['an empty body', { answer: 'empty-body', times: 2 }],
  ['a page of a proxy', { answer: 'web-page', times: 2, status: 200 }],
  [
    'an error in place of an answer',
    { answer: 'good', value: goodNotes, times: 2, delivery: { kind: 'error-event', afterFrames: 0 } },
  ],
  [
    'an error in the middle',
    { answer: 'good', value: goodNotes, times: 2, delivery: { kind: 'error-event' } },
  ],
  ['a cut in the middle', { answer: 'good', value: goodNotes, times: 2, delivery: { kind: 'cut' } }],
  ['garbage in the middle', { answer: 'good', value: goodNotes, times: 2, delivery: { kind: 'garbage' } }],
])('%s is tried again, with jitter', async (_name, step) => {
  await using one = await anthropicWith([step, good])
  expect(await one.gateway.ask(question())).toMatchObject({ outcome: 'answered', value: goodNotes })
  expect(outcomes(one.gateway)).toEqual(['failed', 'failed', 'answered'])
  expect(one.gateway.waits).toEqual([500, 1000])
})

test('after four tries the model is given up, and the reason is told', async () => {
  await using one = await anthropicWith([{ answer: 'overloaded', times: 'always' }])
  const reply = await one.gateway.ask(question())
  expect(reply).toMatchObject({ outcome: 'failed', reason: expect.stringContaining('529') })
  expect(reply.calls).toHaveLength(4)
})

test('an account without money is not asked again', async () => {
  for (const [kind, model] of [
    ['anthropic', sonnet],
    ['openai', 'gpt-5.5'],
  ] as const) {
    await using fake = await startFakeProvider(kind, { steps: [{ answer: 'quota', times: 'always' }] })
    const gateway = await gatewayTo([modelAt(fake, kind, model)])
    expect(await gateway.ask(question())).toMatchObject({ outcome: 'failed' })
    expect(fake.requests).toHaveLength(1)
  }
})

test('Gemini says quota for a minute’s limit too; then its wish is kept', async () => {
  await using fake = await startFakeProvider('google', {
    steps: [{ answer: 'rate-limit', retryAfterSeconds: 5 }, good],
  })
  const gateway = await gatewayTo([modelAt(fake, 'google', 'gemini-2.5-pro')])
  expect(await gateway.ask(question())).toMatchObject({ outcome: 'answered' })
  expect(gateway.waits).toEqual([5250])
})

test('a wrong key, an unknown model and a refused request are told at once', async () => {
  await using fake = await startFakeProvider('anthropic', { steps: [good] })
  const wrongKey = await gatewayTo([modelAt(fake, 'anthropic', sonnet)], {
    environment: { FAKE_KEY: 'sk-wrong-0123456789' },
  })
  const refused = await wrongKey.ask(question())
  expect(refused).toMatchObject({ outcome: 'failed', reason: expect.stringContaining('401') })
  expect(JSON.stringify(refused)).not.toContain('sk-wrong')

  const retired = await gatewayTo([modelAt(fake, 'anthropic', 'claude-retired-1')])
  expect(await retired.ask(question())).toMatchObject({ reason: expect.stringContaining('404') })
  await using other = await startFakeProvider('openai', { steps: [good] })
  const tooMuch = await gatewayTo([modelAt(other, 'openai', 'gpt-5.5')], { budget: Infinity })
  expect(await tooMuch.ask(question({ maxOutputTokens: 999_999 }))).toMatchObject({
    outcome: 'failed',
    reason: expect.stringContaining('400'),
  })
  expect(other.requests).toHaveLength(1)
  expect(fake.requests).toHaveLength(2)
})

test('without its key a model is not asked, and the variable is named', async () => {
  await using fake = await startFakeProvider('anthropic', { steps: [good] })
  const gateway = await gatewayTo([modelAt(fake, 'anthropic', sonnet)], { environment: {} })
  expect(await gateway.ask(question())).toMatchObject({
    outcome: 'failed',
    reason: expect.stringContaining('FAKE_KEY'),
  })
  expect(fake.requests).toHaveLength(0)
})

test('a silent server is left after the first word is late, twice, and its socket is closed', async () => {
  let closed = 0
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.resume()
    socket.on('close', () => void closed++)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { port: number }
  const models = [modelAt({ baseUrl: `http://127.0.0.1:${port}/v1` }, 'anthropic', sonnet)]
  const gateway = await gatewayTo(models, { timeouts: { firstByteMs: 60 } })
  expect(await gateway.ask(question())).toMatchObject({
    outcome: 'failed',
    reason: expect.stringContaining('it sent nothing within 0.06 s'),
  })
  await expect.poll(() => closed).toBe(2)
  server.close()
})

test('an answer that falls silent is a stall; what it may have cost is unknown, not nothing', async () => {
  const stall: CodedStep = { answer: 'good', value: goodNotes, delivery: { kind: 'stall' } }
  await using one = await anthropicWith([stall, good], { timeouts: { chunkMs: 80 } })
  const reply = await one.gateway.ask(question())
  expect(reply.calls.map(({ outcome, usd }) => [outcome, usd === null])).toEqual([
    ['failed', true],
    ['answered', false],
  ])
  expect(one.gateway.cost()).toMatchObject({ unpricedCalls: 1 })
})

test('an abort stops a call, a wait, and what comes after, with the reason of the signal', async () => {
  const slow: CodedStep = { answer: 'good', value: goodNotes, delivery: { kind: 'stall' }, times: 'always' }
  await using one = await anthropicWith([slow])
  const control = new AbortController()
  const asking = one.gateway.ask(question({ signal: control.signal }))
  await expect.poll(() => one.fake.requests.length).toBe(1)
  control.abort(new Error('enough'))
  await expect(asking).rejects.toThrow('enough')
  await expect.poll(() => one.fake.requests[0]?.outcome).toBe('aborted')
  await expect(one.gateway.ask(question({ signal: control.signal }))).rejects.toThrow('enough')
  expect(one.fake.requests).toHaveLength(1)

  await using limited = await anthropicWith([{ answer: 'rate-limit', retryAfterSeconds: 30 }], {
    wait: (await import('../../src/llm/wire/fault.ts')).pause,
  })
  const other = new AbortController()
  const waiting = limited.gateway.ask(question({ signal: other.signal }))
  await expect.poll(() => limited.gateway.events.some(({ type }) => type === 'model-retry')).toBe(true)
  other.abort(new Error('no more'))
  await expect(waiting).rejects.toThrow('no more')
})

test('what a replay has no record of goes nowhere', async () => {
  await using one = await anthropicWith([good])
  await one.gateway.ask(question())
  const replay = await gatewayTo([modelAt(one.fake, 'anthropic', sonnet)], {
    journal: one.gateway.journal.replay(),
  })
  const other = question({ turns: [{ from: 'user', parts: [{ text: 'Something else' }] }] })
  await expect(replay.ask(other)).rejects.toThrow('test/review')
  expect(one.fake.requests).toHaveLength(1)
})

test('a prompt beyond the window is no matter for waiting, but for a larger model', async () => {
  await using small = await startFakeProvider('openai', {
    models: { 'gpt-small': { contextWindow: 64 } },
    steps: [good],
  })
  await using large = await startFakeProvider('anthropic', { steps: [good] })
  const gateway = await gatewayTo([
    { ...modelAt(small, 'openai', 'gpt-small'), name: 'small/gpt-small' },
    { ...modelAt(large, 'anthropic', sonnet), name: `large/${sonnet}` },
  ])
  const reply = await gateway.ask(question())
  expect(reply.outcome).toBe('answered')
  expect(reply.calls.map(({ outcome }) => outcome)).toEqual(['failed', 'answered'])
  expect(gateway.waits).toEqual([])
})

test('a model that takes no schema gets it in words', async () => {
  await using fake = await startFakeProvider('openai', { steps: [good] })
  const gateway = await gatewayTo([modelAt(fake, 'openai-chat', 'gpt-3.5-turbo')])
  expect(await gateway.ask(question({ effort: 'none' }))).toMatchObject({ outcome: 'answered' })
  expect(fake.requests[0]?.body).toHaveProperty('response_format')
  expect(fake.requests[1]?.body).not.toHaveProperty('response_format')
  expect(fake.requests[1]?.text).toContain('JSON schema')
})

test('a run that is taken up again pays nothing twice, and asks anew where it had given up', async () => {
  await using broke = await anthropicWith([{ answer: 'quota', times: 'always' }])
  expect(await broke.gateway.ask(question())).toMatchObject({ outcome: 'failed' })
  const { port } = new URL(broke.fake.url)
  await broke.fake.close()
  await using fake = await startFakeProvider('anthropic', { steps: [good] }, { port: Number(port) })
  const models = [modelAt(fake, 'anthropic', sonnet)]
  const resumed = await gatewayTo(models, { journal: memoryJournal(new Map(broke.gateway.journal.entries)) })
  expect(await resumed.ask(question())).toMatchObject({ outcome: 'answered', calls: [{ served: 'live' }] })
  const later = await gatewayTo(models, { journal: memoryJournal(new Map(resumed.journal.entries)) })
  expect(await later.ask(question())).toMatchObject({ outcome: 'answered', calls: [{ served: 'record' }] })
  expect(fake.requests).toHaveLength(1)
  expect(await later.ask(question({ sample: 1 }))).toMatchObject({ calls: [{ served: 'live' }] })
})
