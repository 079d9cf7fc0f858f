/**
 * How much of a loop's input is read from the provider's cache, and what of its cost that saves?
 *
 *   node bench/gateway/caching.ts [--json FILE]
 *
 * The real loop runs six iterations through the real gateway against fakes that compare prefixes as the providers do
 * (four bytes are a token). `cold` is the first loop; `warm` is another one over the same change within the cache's time
 * to live, as of a second reviewer: instructions and change are the same, what it looks at is not. `ceiling` is what
 * the best possible caching of the same six prompts would save from a cold start: each token is sent in full once, at
 * the price of writing, and read after that. Costs are of input only, at the prices of genai-prices.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { explore } from '../../src/agent/explore.ts'
import { usualLimits } from '../../src/agent/limits.ts'
import type { ModelCall } from '../../src/domain/model-call.ts'
import { openPriceBook, type PricedUsage } from '../../src/llm/money/prices.ts'
import { startFakeProvider } from '../../test/helpers/fakes/registry.ts'
import { scriptedToolbox } from '../../test/helpers/scripted-toolbox.ts'
import { gatewayTo, modelAt } from '../../test/llm/fake-gateway.ts'
import { memoryJournal } from '../../test/llm/memory-journal.ts'

const { values } = parseArgs({ options: { json: { type: 'string' } } })

const iterations = 6
const priceDate = new Date('2026-11-20')

const models = [
  { fake: 'anthropic', kind: 'anthropic', model: 'claude-haiku-4-5', table: 'anthropic' },
  { fake: 'anthropic', kind: 'anthropic', model: 'claude-sonnet-5-5', table: 'anthropic' },
  { fake: 'anthropic', kind: 'anthropic', model: 'claude-opus-5-5', table: 'anthropic' },
  { fake: 'openai', kind: 'openai', model: 'gpt-5.5', table: 'openai' },
  { fake: 'google', kind: 'google', model: 'gemini-2.5-flash', table: 'google' },
] as const

/** Bytes: a usual change, a large one, and a bundle near its limit with little asked for. */
const shapes = [
  { shape: 'usual', change: 24_000, perIteration: 8_000 },
  { shape: 'large', change: 120_000, perIteration: 8_000 },
  { shape: 'still', change: 120_000, perIteration: 1_000 },
] as const

type Row = {
  shape: string
  model: string
  start: 'cold' | 'warm'
  input: number
  readShare: number
  saved: number
  ceiling: number
}

const rows: Row[] = []
for (const one of models) for (const shape of shapes) rows.push(...(await measure(one, shape)))
for (const { shape, model, start, readShare, saved, ceiling } of rows)
  console.log(
    `${shape.padEnd(6)} ${model.padEnd(18)} ${start}  read ${percent(readShare)}  saved ${percent(saved)}  ceiling ${percent(ceiling)}`,
  )
if (values.json) writeFileSync(values.json, `${JSON.stringify({ iterations, shapes, rows }, null, 2)}\n`)

async function measure(one: (typeof models)[number], shape: (typeof shapes)[number]): Promise<Row[]> {
  let turn = 0
  const look = () => ({ tool: 'look', args: { at: `place-${++turn}`, times: null } })
  const answerFrom = () => ({ reasoning: 'There is more to see.', tools: [look()], done: false })
  await using fake = await startFakeProvider(one.fake, {
    steps: [{ answer: 'good', answerFrom, times: 'always' }],
  })
  const loop = async (firstTurn: number): Promise<readonly ModelCall[]> => {
    turn = firstTurn
    const gateway = await gatewayTo([modelAt(fake, one.kind, one.model)], {
      journal: memoryJournal(),
      budget: 99,
    })
    const { calls, detail } = await explore({
      gateway,
      toolbox: scriptedToolbox((at) => words(at, shape.perIteration)),
      limits: { ...usualLimits, iterations, evidenceBytes: 1e6 },
      prompt: 'explore@1',
      instructions: words('instructions', 6_000),
      change: words('change', shape.change),
      seed: [],
      fence: (origin, text) => `<<${origin}>>\n${text}\n<<end>>`,
      elapsedSeconds: async () => 0,
      signal: AbortSignal.timeout(60_000),
    })
    if (calls.length !== iterations) throw new Error(`${calls.length} calls: ${detail}`)
    return calls
  }
  const cold = rowOf(await loop(0), 'cold')
  const warm = rowOf(await loop(1000), 'warm')
  if (fake.mistakes.length > 0) throw new Error(fake.mistakes.join('\n'))
  return [cold, warm]

  function rowOf(calls: readonly ModelCall[], start: Row['start']): Row {
    const usages = calls.map(({ usage }) => usage)
    const input = total(usages.map((usage) => usage.input))
    const plain = total(usages.map((usage) => cost({ ...usage, cacheRead: 0, cacheWrite: 0 })))
    const took = total(usages.map(cost))
    const best = total(
      usages.map(({ input: size }, at) => {
        const before = usages[at - 1]?.input ?? 0
        const hasWritePrice = one.kind === 'anthropic'
        return cost({
          input: size,
          cacheRead: before,
          cacheWrite: hasWritePrice ? size - before : 0,
          output: 0,
        })
      }),
    )
    const readShare = total(usages.map(({ cacheRead }) => cacheRead)) / input
    const { shape: name } = shape
    return {
      shape: name,
      model: one.model,
      start,
      input,
      readShare,
      saved: 1 - took / plain,
      ceiling: 1 - best / plain,
    }
  }

  function cost(usage: PricedUsage): number {
    const book = openPriceBook({ prices: {}, contextWindows: {} })
    const model = { name: `${one.table}/${one.model}`, model: one.model, table: one.table }
    const price = book.price(model, { ...usage, output: 0 }, priceDate)
    if (!price) throw new Error(`${one.model} has no price.`)
    return price.usd
  }
}

/** Always the same words for the same name, and others for another. */
function words(name: string, bytes: number): string {
  const line = (at: number) => `${name} line ${at}: ${(at * 2_654_435_761) % 4_294_967_296}\n`
  let text = ''
  for (let at = 0; text.length < bytes; at++) text += line(at)
  return text.slice(0, bytes)
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1).padStart(5)} %`
}
