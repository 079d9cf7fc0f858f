/**
 * What depth deep asks and pays for on small changes, beside depth standard.
 *
 *   node bench/triage/depths.ts --mirrors FOLDER [--cache FOLDER] [--only TEXT]… [--depth DEPTH]… CASES.jsonl…
 *
 * Reviews the changes of evaluation cases (those whose id contains one of the texts) over the wire of a provider on loopback
 * that has nothing to say: the scout is done at once, planes find nothing, so that nothing is checked or followed up. Prints
 * the calls, the bytes of all prompts, and the input in tokens at full price, with the discounts of a provider's cache (a
 * tenth for what is read from it, a quarter more for what is written).
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Depth } from '../../src/domain/review.ts'
import { reviewChange } from '../../src/index.ts'
import type { Call } from '../../test/helpers/fakes/contract.ts'
import { startFakeProvider } from '../../test/helpers/fakes/registry.ts'
import { type ContextCase, readCases } from '../context/cases.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    mirrors: { type: 'string' },
    cache: { type: 'string' },
    only: { type: 'string', multiple: true, default: [] },
    depth: { type: 'string', multiple: true, default: ['standard', 'deep'] },
  },
})
if (!values.mirrors || positionals.length === 0) throw new Error('see the head of this file for its options')

const folder = mkdtempSync(join(tmpdir(), 'sightline-bench-'))
try {
  for (const one of readCases(positionals, values.mirrors)) {
    if (values.only.length > 0 && !values.only.some((text) => one.id.includes(text))) continue
    for (const depth of values.depth) console.log(await measure(one, Depth.parse(depth)))
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function measure(
  { id, folder: repo, base, head }: ContextCase & { folder: string },
  depth: Depth,
): Promise<string> {
  await using fake = await startFakeProvider('anthropic', {
    steps: [{ answer: 'good', times: 'always', answerFrom: nothingToSay }],
  })
  const settings = join(folder, 'settings.yaml')
  const provider = `{ kind: anthropic, baseUrl: '${fake.baseUrl}', keyFrom: FAKE_KEY }`
  const roles = '{ reviewer: fake/claude-sonnet-5-5, scout: fake/claude-haiku-4-5 }'
  writeFileSync(settings, `models: { providers: { fake: ${provider} }, roles: ${roles} }\n`)
  const { review } = await reviewChange({
    folder: repo,
    selector: { kind: 'range', range: `${base}..${head}` },
    cacheFolder: values.cache ?? join(folder, 'cache'),
    models: { environment: { SIGHTLINE_SETTINGS: settings, FAKE_KEY: fake.apiKey } },
    overrides: { depth },
  })
  if (fake.mistakes.length > 0) throw new Error(fake.mistakes.join('\n'))
  const calls = fake.calls.map(({ call }) => call)
  const bytes = sum(calls, ({ prompt }) => Buffer.byteLength(prompt))
  const priced = Math.round(sum(calls, pricedTokens))
  const planes = review.models?.groups.map(({ address }) => address.split('/').at(-1)).join(' ')
  return `${id} ${depth}: ${calls.length} calls, ${bytes} bytes, ${priced} tokens at full price (${planes})`
}

/** Every list empty, and a loop that is done. */
function nothingToSay({ schema }: Call): object {
  const properties = Object(schema?.schema.properties)
  if (Object.hasOwn(properties, 'tools')) return { reasoning: 'enough', tools: [], done: true }
  return Object.fromEntries(Object.keys(properties).map((key) => [key, []]))
}

function pricedTokens({ usage: { input, cacheRead, cacheWrite } }: Call): number {
  return input - cacheRead - cacheWrite + 0.1 * cacheRead + 1.25 * cacheWrite
}

function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((total, item) => total + of(item), 0)
}
