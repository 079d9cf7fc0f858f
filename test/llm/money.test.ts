/** Prices, budgets and estimates: unknown is never nothing, and nothing is spent beyond the limit. */
import { expect, test } from 'vitest'
import { openPriceBook } from '../../src/llm/money/prices.ts'
import { createTokenEstimator, readUsage } from '../../src/llm/money/tokens.ts'
import { startFakeProvider } from '../helpers/fakes/registry.ts'
import type { CodedStep } from '../helpers/fakes/scenario/script.ts'
import { gatewayTo, goodNotes, modelAt, question } from './fake-gateway.ts'

const good: CodedStep = { answer: 'good', value: goodNotes, times: 'always' }
const now = new Date('2026-11-20')
const usage = { input: 7012, cacheRead: 5000, cacheWrite: 2000, output: 500 }
const book = openPriceBook({ prices: {}, contextWindows: {} })
const opus = { name: 'anthropic/claude-opus-5-5', model: 'claude-opus-5-5', table: 'anthropic' }

test('cached tokens have prices of their own, and the entry that was taken is named', () => {
  // 12 fresh at $4, 5000 read at $0.2, 2000 written at $5, 500 out at $20 for a million.
  expect(book.price(opus, usage, now)).toEqual({
    usd: expect.closeTo(0.021048, 9),
    pricedAs: 'claude-opus-5-5',
  })
  const hour = book.price(opus, { ...usage, cacheWriteHour: 2000 }, now)
  expect(hour?.usd).toBeCloseTo(0.027048, 9)
  const sonnet = { ...opus, model: 'claude-sonnet-5-5' }
  expect(book.price(sonnet, usage, now)?.pricedAs).toBe('claude-sonnet-5')
  expect(book.contextWindow(opus)).toEqual({ tokens: 1_000_000, from: 'table' })
})

test('what nobody knows has no price, and the operator may set one', () => {
  const local = { name: 'ollama/qwen', model: 'qwen', table: null }
  expect(book.price(local, usage, now)).toBeNull()
  expect(book.contextWindow(local)).toBeNull()
  expect(book.price({ ...opus, model: 'claude-haiku-5-5' }, usage, now)).toBeNull()
  const own = openPriceBook({
    prices: { 'ollama/qwen': { input: 1, output: 2, cacheRead: 0.5 } },
    contextWindows: { 'ollama/qwen': 32_768 },
  })
  expect(own.price(local, usage, now)).toEqual({
    usd: expect.closeTo((2012 * 1 + 5000 * 0.5 + 500 * 2) / 1e6, 12),
    pricedAs: 'ollama/qwen (settings)',
  })
  expect(own.contextWindow(local)).toEqual({ tokens: 32_768, from: 'settings' })
  expect(own.rates(local, now)).toMatchObject({ input: 1, output: 2 })
})

test('estimates start at a third of a token for a byte, and learn from what was counted', () => {
  const estimator = createTokenEstimator()
  expect(estimator.estimate('m', 1000)).toBe(334)
  for (let turn = 0; turn < 20; turn++) estimator.learn({ model: 'm', bytes: 1000, tokens: 250 })
  expect(estimator.estimate('m', 1000)).toBe(251)
  expect(estimator.estimateAtStart('m', 1000)).toBe(334)
  expect(estimator.estimate('other', 1000)).toBe(334)
  const seeded = createTokenEstimator([{ model: 'm', bytes: 1000, tokens: 500 }])
  expect(seeded.estimateAtStart('m', 1000)).toBe(384)
})

test.each([
  ['missing', { inputTokens: undefined, outputTokens: undefined }],
  ['negative', { inputTokens: -5, outputTokens: 3 }],
  ['beyond the prompt', { inputTokens: 9e12, outputTokens: 3 }],
  ['no number', { inputTokens: Number.NaN, outputTokens: 3 }],
])('usage that is %s is not believed', (_name, figures) => {
  const raw = {
    ...figures,
    inputTokenDetails: { cacheReadTokens: undefined, cacheWriteTokens: undefined },
    outputTokenDetails: { reasoningTokens: undefined },
  }
  const read = readUsage(raw, { bytes: 3000, maxOutputTokens: 1000 })
  expect(read).toMatchObject({ isKnown: false, tokens: { input: 0, output: 0 } })
})

test('the hard stop comes before the call that would go beyond, and says so', async () => {
  await using fake = await startFakeProvider('anthropic', { steps: [good] })
  const models = [modelAt(fake, 'anthropic', 'claude-opus-5-5')]
  // A call may cost 2,000 tokens of output at $20 for a million, which is four cents; it takes far less.
  const gateway = await gatewayTo(models, { budget: 0.042 })
  let asked = 0
  let reply = await gateway.ask(question())
  while (reply.outcome === 'answered' && asked < 100) reply = await gateway.ask(question({ sample: ++asked }))
  expect(reply).toMatchObject({ outcome: 'over-budget', reason: expect.stringContaining('$0.042') })
  expect(asked).toBeGreaterThan(1)
  expect(gateway.cost().usd).toBeLessThanOrEqual(0.042)
  expect(fake.requests).toHaveLength(asked)

  const none = await gatewayTo(models, { budget: 0.001 })
  expect(await none.ask(question())).toMatchObject({ outcome: 'over-budget', calls: [] })
  expect(none.cost()).toMatchObject({ calls: 0, byRole: [] })
  expect(none.events).toEqual([])
  expect(fake.requests).toHaveLength(asked)
})

test('calls that run side by side share the budget', async () => {
  await using fake = await startFakeProvider('anthropic', { steps: [good] })
  const models = [modelAt(fake, 'anthropic', 'claude-opus-5-5')]
  const gateway = await gatewayTo(models, { budget: 0.1 })
  const replies = await Promise.all([0, 1, 2, 3, 4].map((sample) => gateway.ask(question({ sample }))))
  expect(replies.filter(({ outcome }) => outcome === 'answered')).toHaveLength(2)
  const replay = await gatewayTo(models, { budget: 99, journal: gateway.journal.replay() })
  const again = await Promise.all([4, 3, 2, 1, 0].map((sample) => replay.ask(question({ sample }))))
  expect(again.reverse().map(({ outcome }) => outcome)).toEqual(replies.map(({ outcome }) => outcome))
  expect(replay.cost()).toEqual(gateway.cost())
})

test('a price that is not known is counted as such, or refused when the settings say so', async () => {
  await using fake = await startFakeProvider('anthropic', { steps: [good] })
  const models = [modelAt(fake, 'anthropic', 'claude-haiku-5-5')]
  const gateway = await gatewayTo(models)
  expect(await gateway.ask(question())).toMatchObject({
    outcome: 'answered',
    calls: [{ usd: null, pricedAs: null }],
  })
  expect(gateway.cost()).toMatchObject({ usd: 0, unpricedCalls: 1, byRole: [{ usd: null }] })
  expect(gateway.estimate(question())).toMatchObject({ usd: null, outputTokens: 2000 })
  const strict = await gatewayTo(models, { money: { unknownPrice: 'refuse' } })
  expect(await strict.ask(question())).toMatchObject({ outcome: 'over-budget' })
  expect(fake.requests).toHaveLength(1)
})

test('a replay tells the prices of then, also when they have changed since', async () => {
  await using fake = await startFakeProvider('anthropic', { steps: [good] })
  const models = [modelAt(fake, 'anthropic', 'claude-opus-5-5')]
  const gateway = await gatewayTo(models)
  await gateway.ask(question())
  const dearer = { 'fake/claude-opus-5-5': { input: 999, output: 999 } }
  const replay = await gatewayTo(models, { journal: gateway.journal.replay(), models: { prices: dearer } })
  await replay.ask(question())
  expect(replay.cost()).toEqual(gateway.cost())
})

test('an estimate sends nothing, and is no less than what the call then takes', async () => {
  await using fake = await startFakeProvider('anthropic', { steps: [good] })
  const gateway = await gatewayTo([modelAt(fake, 'anthropic', 'claude-opus-5-5')])
  const estimate = gateway.estimate(question())
  expect(fake.requests).toHaveLength(0)
  const reply = await gateway.ask(question())
  expect(estimate.usd).toBeGreaterThan(reply.calls[0]?.usd ?? Infinity)
  expect(gateway.modelOf('judge')).toEqual({ model: 'fake/claude-opus-5-5', contextWindow: 1_000_000 })
})
