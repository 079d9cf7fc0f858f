/**
 * How much of what planes are sent is read from the provider's cache, and what of the input's cost that saves?
 *
 *   node bench/gateway/planes.ts [--json FILE]
 *
 * The real review stage asks six planes about one group, through the real gateway, of fakes that compare prefixes as the
 * providers do (four bytes are a token). `later` is the second to the sixth plane, `all` the six of them; `deep on quick`
 * is the input cost of all six against one question that is asked alone. Costs are of input only, at the prices of
 * genai-prices.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { createFence } from '../../src/base/untrusted/untrusted.ts'
import { defaultConfig } from '../../src/config/schema.ts'
import type { ModelCall } from '../../src/domain/model-call.ts'
import { openPriceBook } from '../../src/llm/money/prices.ts'
import { askReviewers } from '../../src/pipeline/reviewer/ask-reviewers.ts'
import { listModelPlanes } from '../../src/pipeline/reviewer/panel/model-planes.ts'
import { deepPanel, onePanel, type Panel } from '../../src/pipeline/reviewer/panel/panels.ts'
import { startFakeProvider } from '../../test/helpers/fakes/registry.ts'
import { emptyAnswer } from '../../test/helpers/reviewer-answer.ts'
import { gatewayTo, modelAt } from '../../test/llm/fake-gateway.ts'
import { contextOf, createWorld } from '../../test/pipeline/validation/world.ts'

const { values } = parseArgs({ options: { json: { type: 'string' } } })

const priceDate = new Date('2026-11-20')
const models = [
  { fake: 'anthropic', kind: 'anthropic', model: 'claude-sonnet-5-5', table: 'anthropic' },
  { fake: 'anthropic', kind: 'anthropic', model: 'claude-opus-5-5', table: 'anthropic' },
  { fake: 'openai', kind: 'openai', model: 'gpt-5.5', table: 'openai' },
] as const
/** Lines that the change adds: a small change, a usual and a large one. */
const shapes = [
  { shape: 'small', lines: 40 },
  { shape: 'usual', lines: 400 },
  { shape: 'large', lines: 2_000 },
] as const
const answer = {
  ...emptyAnswer,
  criteria: [],
  memory_insights: [],
  looked_at: [],
}

type Row = { shape: string; model: string; input: number; later: number; saved: number; onQuick: number }

const rows: Row[] = []
for (const one of models) for (const shape of shapes) rows.push(await measure(one, shape))
for (const { shape, model, input, later, saved, onQuick } of rows)
  console.log(
    `${shape.padEnd(6)} ${model.padEnd(18)} ${String(input).padStart(7)} tokens in  later planes read ${percent(later)}  all saved ${percent(saved)}  deep on quick ${onQuick.toFixed(2)}`,
  )
if (values.json) writeFileSync(values.json, `${JSON.stringify({ shapes, rows }, null, 2)}\n`)

async function measure(
  one: (typeof models)[number],
  { shape, lines }: (typeof shapes)[number],
): Promise<Row> {
  const planes = listModelPlanes().filter(({ byDefault }) => byDefault)
  const [deep, quick] = [await ask(one, deepPanel(planes), lines), await ask(one, onePanel('quick'), lines)]
  const paid = costOf(deep, one)
  const [first, ...others] = deep
  const rest = others.reduce((total, { usage }) => total + usage.input, 0)
  return {
    shape,
    model: one.model,
    input: (first?.usage.input ?? 0) + rest,
    later: others.reduce((total, { usage }) => total + usage.cacheRead, 0) / rest,
    saved: 1 - paid / costOf(deep, one, false),
    onQuick: paid / costOf(quick, one),
  }
}

async function ask(one: (typeof models)[number], panel: Panel, lines: number): Promise<ModelCall[]> {
  const value = panel.depth === 'deep' ? answer : withoutExtras()
  await using fake = await startFakeProvider(one.fake, {
    steps: [{ answer: 'good', value, times: 'always' }],
  })
  const gateway = await gatewayTo([modelAt(fake, one.kind, one.model)], { budget: 99 })
  const added = Array.from({ length: lines }, (_, at) => `export const value${at} = compute(${at}, 'a word')`)
  const world = createWorld({ 'src/a.ts': 'old()\n' }, { 'src/a.ts': `${added.join('\n')}\n` })
  await askReviewers({
    panel,
    triage: null,
    context: contextOf(world.change),
    candidates: [],
    head: world.head,
    facts: world.facts,
    config: defaultConfig,
    gateway,
    fence: createFence('0123456789abcdef'),
    mayAsk: async () => true,
    onEvent: () => {},
    note: () => {},
    signal: new AbortController().signal,
  })
  return gateway.events.flatMap((event) => (event.type === 'model-call' ? [event.call] : []))
}

function withoutExtras() {
  const { criteria, memory_insights, looked_at, ...rest } = answer
  return rest
}

function costOf(
  calls: readonly ModelCall[],
  { model, table }: (typeof models)[number],
  isCached = true,
): number {
  const book = openPriceBook({ prices: {}, contextWindows: {} })
  return calls.reduce((sum, { usage: { input, cacheRead, cacheWrite } }) => {
    const cached = isCached ? { cacheRead, cacheWrite } : { cacheRead: 0, cacheWrite: 0 }
    const price = book.price(
      { name: `${table}/${model}`, model, table },
      { input, output: 0, ...cached },
      priceDate,
    )
    if (!price) throw new Error(`${model} has no price.`)
    return sum + price.usd
  }, 0)
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}
