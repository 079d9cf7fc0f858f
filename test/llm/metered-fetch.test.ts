/** What an embedder was asked once is not asked and paid again, and still counts at what it cost. */
import { expect, test } from 'vitest'
import { defaultSettings } from '../../src/config/settings/schema.ts'
import { meteredFetch } from '../../src/llm/metered-fetch.ts'
import { openAccount } from '../../src/llm/money/account.ts'
import { openPriceBook } from '../../src/llm/money/prices.ts'
import { memoryJournal } from './memory-journal.ts'

const models = { ...defaultSettings.models, prices: { 'openai/code-1': { input: 1_000_000, output: 0 } } }
const metered = {
  role: 'embedder',
  model: { name: 'openai/code-1', model: 'code-1', table: null },
} as const
const body = JSON.stringify({ input: ['words'] })

function run(journal: ReturnType<typeof memoryJournal>, limitUsd: number) {
  const account = openAccount(limitUsd)
  let sent = 0
  const ask = meteredFetch(metered, {
    journal,
    account,
    prices: openPriceBook(models),
    unknownPrice: 'allow',
    onEvent: () => {},
    send: async () => {
      sent++
      return Response.json({ data: [], usage: { total_tokens: 3 } })
    },
    now: () => new Date(0),
  })
  const post = async () =>
    await (await ask('http://127.0.0.1:9/v1/embeddings', { method: 'POST', body })).json()
  return { account, post, sent: () => sent }
}

test('a recorded answer is given without asking, and counts at its price', async () => {
  const journal = memoryJournal()
  const first = run(journal, 100)
  const answer = await first.post()
  expect(first.account.cost()).toMatchObject({ calls: 1, usd: 3 })

  const second = run(journal, 100)
  expect(await second.post()).toEqual(answer)
  expect([first.sent(), second.sent()]).toEqual([1, 0])
  expect(second.account.cost()).toEqual(first.account.cost())
})

test('a call that the budget refuses is neither sent nor counted', async () => {
  const { account, post, sent } = run(memoryJournal(), 1)
  await expect(post()).rejects.toMatchObject({
    message: expect.stringContaining('openai/code-1 was not asked'),
  })
  expect([sent(), account.cost().calls]).toEqual([0, 0])
})
