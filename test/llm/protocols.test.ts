/** The same question in every wire protocol: the body that goes out, the answer, and its replay without a network. */
import { expect, test } from 'vitest'
import type { ProviderKind } from '../../src/config/settings/models.ts'
import { type FakeKind, startFakeProvider } from '../helpers/fakes/registry.ts'
import { gatewayTo, goodNotes, modelAt, question } from './fake-gateway.ts'

const protocols: readonly (readonly [FakeKind, ProviderKind, model: string])[] = [
  ['anthropic', 'anthropic', 'claude-sonnet-5-5'],
  ['anthropic', 'anthropic', 'claude-haiku-4-5'],
  ['openai', 'openai', 'gpt-5.5'],
  ['openai', 'openai-chat', 'gpt-4o'],
  ['google', 'google', 'gemini-3-pro-preview'],
  ['bedrock', 'bedrock', 'us.anthropic.claude-sonnet-5-5'],
  ['bedrock', 'bedrock', 'amazon.nova-pro-v1:0'],
  ['azure', 'azure', 'gpt-5.5'],
  ['ollama', 'openai-compatible', 'qwen3-coder:30b'],
  ['openai-compatible', 'openai-compatible', 'gpt-oss-120b'],
]

const asked = () =>
  question({
    turns: [
      { from: 'user', parts: [{ text: 'The change: + let a = 1', stable: true }, { text: 'Look twice.' }] },
      { from: 'model', parts: [{ text: '{"notes":[]}' }] },
      { from: 'user', parts: [{ text: 'Is that all?', stable: true }] },
    ],
  })

test.each(protocols)('%s as %s with %s: asked, answered, replayed', async (fakeKind, kind, model) => {
  const fake = await startFakeProvider(fakeKind, { steps: [{ answer: 'good', value: goodNotes }] })
  const models = [modelAt(fake, kind, model)]
  const gateway = await gatewayTo(models)
  const reply = await gateway.ask(asked())
  await fake.close()

  expect(fake.mistakes).toEqual([])
  expect(reply).toMatchObject({ outcome: 'answered', value: goodNotes, repaired: false })
  expect(reply.calls).toHaveLength(1)
  expect(reply.calls[0]?.usage.input).toBeGreaterThan(0)
  const [request] = fake.requests
  expect({ path: request?.path, body: request?.body }).toMatchSnapshot()
  // It is not asked with more cache marks than it takes, and none is dropped.
  const warnings = gateway.journal.notes.filter(({ type }) => type === 'warning')
  expect(warnings.filter(({ detail }) => /cache|breakpoint/i.test(String(detail.warning)))).toEqual([])

  const again = await gatewayTo(models, { journal: gateway.journal.replay(), environment: {} })
  const replayed = await again.ask(asked())
  expect(replayed).toEqual({ ...reply, calls: reply.calls.map((call) => ({ ...call, served: 'record' })) })
  expect(again.cost()).toEqual(gateway.cost())
  expect(fake.requests).toHaveLength(1)
})

test('instructions are kept for an hour when the operator wishes so', async () => {
  await using fake = await startFakeProvider('anthropic', { steps: [{ answer: 'good', value: goodNotes }] })
  const models = [modelAt(fake, 'anthropic', 'claude-sonnet-5-5')]
  const gateway = await gatewayTo(models, { models: { keepInstructionsCached: '1h' } })
  expect(await gateway.ask(asked())).toMatchObject({ outcome: 'answered' })
  expect(fake.requests[0]?.body).toMatchObject({
    system: [{ cache_control: { type: 'ephemeral', ttl: '1h' } }],
    messages: [{ content: [{ cache_control: { type: 'ephemeral' } }, {}] }, {}, {}],
  })
})

test('OpenRouter gets its marks on parts, is asked for the bill, and the bill is believed', async () => {
  const sent: string[] = []
  const gateway = await gatewayTo([], {
    environment: { OPENROUTER_API_KEY: 'sk-or-0123456789' },
    roles: { reviewer: ['openrouter/anthropic/claude-sonnet-5'] },
    fetch: async (_url, init) => {
      sent.push(String(init?.body))
      const chunk = {
        id: 'x',
        choices: [{ delta: { content: JSON.stringify(goodNotes) }, finish_reason: 'stop', index: 0 }],
        usage: { prompt_tokens: 90, completion_tokens: 12, total_tokens: 102, cost: 0.00042 },
      }
      return new Response(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`, {
        headers: { 'content-type': 'text/event-stream' },
      })
    },
  })
  const reply = await gateway.ask(asked())
  expect(reply).toMatchObject({ outcome: 'answered', calls: [{ usd: 0.00042 }] })
  expect(JSON.parse(sent[0] ?? '')).toMatchObject({
    usage: { include: true },
    messages: [
      { role: 'system', content: [{ type: 'text', cache_control: { type: 'ephemeral' } }] },
      { role: 'user', content: [{ cache_control: { type: 'ephemeral' } }, { text: 'Look twice.' }] },
      { role: 'assistant' },
      { role: 'user', content: [{ type: 'text', cache_control: { type: 'ephemeral' } }] },
    ],
  })
})
