/** Questions asked side by side: the order in which money is set aside for them, however long each takes to prepare. */
import { expect, test } from 'vitest'
import type { JournalRequest } from '../../src/domain/journal.ts'
import { openBudget } from '../../src/llm/money/account.ts'
import { orderReservations } from '../../src/llm/money/ordered-reservations.ts'
import { createTokenEstimator } from '../../src/llm/money/tokens.ts'
import { startFakeProvider } from '../helpers/fakes/registry.ts'
import { gatewayTo, goodNotes, modelAt, question } from './fake-gateway.ts'
import { memoryJournal } from './memory-journal.ts'

const asked = (words: string) => question({ turns: [{ from: 'user', parts: [{ text: words }] }] })

test('nothing is given back and nothing learnt before all have had their turn', async () => {
  const parts = { budget: openBudget(1), estimator: createTokenEstimator() }
  const { places, budget, estimator } = orderReservations(2, parts)
  const [first, second] = places
  expect(budget.reserve(0.8)).toBe(true)
  budget.settle(0.8, 0.1)
  estimator.learn({ model: 'm', bytes: 1_000, tokens: 900 })
  expect([budget.reserve(0.3), parts.estimator.estimate('m', 300)]).toEqual([false, 100])
  first?.pass()
  await second?.comes
  expect(budget.reserve(0.3)).toBe(false)
  second?.pass()
  second?.pass()
  await new Promise((done) => setImmediate(done))
  expect([budget.spentUsd, budget.reserve(0.3)]).toEqual([0.1, true])
  expect(parts.estimator.estimate('m', 300)).toBeGreaterThan(100)
  budget.settle(0.3, 0.2)
  expect(parts.budget.spentUsd).toBeCloseTo(0.3)
})

test.each([[[0, 1, 2, 3]], [[3, 2, 1, 0]], [[2, 0, 3, 1]]])(
  'of four questions the first two are paid for, prepared in the order %j',
  async (order) => {
    await using fake = await startFakeProvider('anthropic', {
      steps: [{ answer: 'good', value: goodNotes, times: 'always' }],
    })
    const kept = memoryJournal()
    // The journal is asked right before money is set aside; a slow disk changes who comes first.
    const journal = {
      ...kept,
      async find(request: JournalRequest) {
        const at = Number(/q(\d)/.exec(request.address)?.[1])
        await new Promise((done) => setTimeout(done, 30 * order.indexOf(at)))
        return kept.find(request)
      },
    }
    const gateway = await gatewayTo([modelAt(fake, 'anthropic', 'claude-sonnet-5-5')], {
      journal,
      budget: 0.048,
      models: { prices: { 'fake/claude-sonnet-5-5': { input: 1, output: 10 } } },
    })
    const replies = await gateway.askAll(
      [0, 1, 2, 3].map((at) => ({ ...asked(`words ${at}`), address: `test/q${at}` })),
    )
    expect(replies.map(({ outcome }) => outcome)).toEqual([
      'answered',
      'answered',
      'over-budget',
      'over-budget',
    ])
  },
)

test('a question whose answer is on record, or that fails, keeps nobody waiting', async () => {
  await using fake = await startFakeProvider('anthropic', {
    steps: [
      { answer: 'good', value: goodNotes },
      { answer: 'web-page', status: 403 },
      { answer: 'good', value: goodNotes },
    ],
  })
  const gateway = await gatewayTo([modelAt(fake, 'anthropic', 'claude-sonnet-5-5')], { budget: 9 })
  await gateway.ask(asked('known'))
  const replies = await gateway.askAll(['known', 'failing', 'good'].map(asked))
  expect(replies.map(({ outcome }) => outcome)).toEqual(['answered', 'failed', 'answered'])
  expect(await gateway.askAll([])).toEqual([])
})
