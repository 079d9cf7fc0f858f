/** The bundle at depth standard, over real repositories: sections, switches, budgets, cuts, and one hash for one change. */
import { expect, onTestFinished, test } from 'vitest'
import { openLookAround } from '../../../src/assembly/open-explorer.ts'
import { createFactStore } from '../../../src/code-index/fact-store.ts'
import { Config } from '../../../src/config/schema.ts'
import { defaultSettings } from '../../../src/config/settings/schema.ts'
import { collectLocal } from '../../../src/hosts/local/collect.ts'
import { readChangeSet } from '../../../src/pipeline/diff/read-change-set.ts'
import { type ContextParts, freezeContext } from '../../../src/pipeline/freeze-context.ts'
import { createRepo, type Files } from '../../helpers/git-repo.ts'

const before: Files = {
  'CLAUDE.md': 'Write tests.\n',
  'src/price.ts': 'export function round(cents: number): number {\n  return Math.round(cents)\n}\n',
  'src/cart.ts':
    "import { round } from './price.ts'\n\nexport function total(items: number[]): number {\n  return items.reduce((sum, item) => sum + round(item), 0)\n}\n",
  'src/page.ts':
    "import { total } from './cart.ts'\n\nexport function page(): string {\n  return String(total([1, 2]))\n}\n",
  'test/cart.test.ts':
    "import { total } from '../src/cart.ts'\n\nexport function checksTotal(): void {\n  total([1])\n}\n",
}
const cart = String(before['src/cart.ts'])

async function freeze(context: object = {}, some: Partial<ContextParts> = {}) {
  const repo = createRepo()
  repo.commit({ ...before, 'src/cart.ts': '// old\n', 'src/page.ts': '// old\n' })
  repo.commit(before)
  repo.commit({ 'src/cart.ts': cart.replace('sum + round(item)', 'sum - round(item)') })
  const config = Config.parse({ review: { depth: 'standard' }, context })
  const change = await collectLocal({
    folder: repo.path,
    selector: { kind: 'commit', commit: 'HEAD' },
    limits: config.limits,
  })
  const facts = createFactStore({ cacheFolder: null })
  onTestFinished(async () => {
    await Promise.all([facts.close(), change.close()])
  })
  const { signal } = new AbortController()
  const { sandbox } = defaultSettings
  const around = openLookAround({ change, facts, cacheFolder: null, config, journal: null, sandbox, signal })
  const set = await readChangeSet(await change.diff(), { ...config.paths, base: change.base })
  return await freezeContext(change, set, {
    config,
    facts,
    signal,
    retrieveGraph: around.retrieveGraph,
    ...some,
  })
}

const states = (bundle: Awaited<ReturnType<typeof freeze>>) =>
  Object.fromEntries(bundle.around?.sections.map(({ name, state }) => [name, state]) ?? [])

test('holds what the change uses, who uses it, and its tests, each told why', async () => {
  const bundle = await freeze()
  const told = bundle.evidence.map(({ path, title }) => `${path}: ${title}`)
  expect(told).toContain('src/price.ts: used by the change: round')
  expect(told).toContain('src/page.ts: user of total')
  expect(told).toContain('test/cart.test.ts: test of total')
  expect(bundle.evidence.map(({ id }) => id)).toEqual(bundle.evidence.map((_, at) => `E${at + 1}`))
  expect(bundle.around?.instructions.map(({ path }) => path)).toEqual(['CLAUDE.md'])
  expect(bundle.around?.history).toMatchObject({
    commitsRead: 2,
    missingPartners: [{ path: 'src/page.ts', share: 0.56 }],
  })
  expect(states(bundle)).toEqual({
    code: 'gathered',
    tickets: 'gathered',
    history: 'gathered',
    instructions: 'gathered',
  })
})

test.each(['code', 'tickets', 'history', 'instructions'])(
  'without %s nothing of it is left, and it is said',
  async (name) => {
    const bundle = await freeze({ leaveOut: [name] })
    expect(states(bundle)[name]).toBe('left-out')
    const { tickets, history, instructions } = bundle.around ?? {}
    const held = { code: bundle.evidence, tickets, history, instructions }
    expect(Reflect.get(held, name) ?? []).toEqual([])
    expect(bundle.hash).not.toBe((await freeze()).hash)
  },
)

test('the budget in tokens holds, and what it left out is counted', async () => {
  const bundle = await freeze({ tokens: 60 })
  const code = bundle.around?.sections.find(({ name }) => name === 'code')
  const tokens = bundle.evidence.reduce((sum, { text }) => sum + Math.ceil(Buffer.byteLength(text) / 3), 0)
  expect(tokens).toBeLessThanOrEqual(60)
  expect(code?.trimmed).toBeGreaterThan(0)
  expect((await freeze({ tokens: 0 })).evidence).toEqual([])
})

test('a retrieval that fails or hangs makes a smaller bundle that says so inside its hash', async () => {
  const failed = await freeze({}, { retrieveGraph: () => Promise.reject(new Error('the clone failed')) })
  expect([states(failed).code, failed.cuts, failed.evidence]).toEqual([
    'failed',
    ['part of the context is missing: the clone failed'],
    [],
  ])
  const hung = await freeze({ graphSeconds: 1 }, { retrieveGraph: () => new Promise(() => {}) })
  expect([states(hung).code, hung.cuts]).toEqual([
    'cut',
    ['part of the context is missing: it took longer than 3 s'],
  ])
  expect(new Set([failed.hash, hung.hash, (await freeze()).hash]).size).toBe(3)
})

/** `SIGHTLINE_RUNS=1000` for all of them. */
test('one change, one hash: every rebuild, in every folder', async () => {
  const runs = Number(process.env.SIGHTLINE_RUNS ?? 4)
  const hashes = new Set<string>()
  // The commits are made anew in folders of their own, with the same times: only the bundle's content may count.
  for (let run = 0; run < runs; run++) hashes.add((await freeze()).hash)
  expect(hashes.size).toBe(1)
})

test('at depth quick nothing is looked around for', async () => {
  const bundle = await freeze({}, { config: Config.parse({ review: { depth: 'quick' } }) })
  expect([bundle.around, bundle.evidence]).toEqual([null, []])
})
