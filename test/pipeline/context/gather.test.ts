/** The bundle at depth standard: sections, switches, budgets and cuts. */
import { expect, test } from 'vitest'
import { Config } from '../../../src/config/schema.ts'
import type { ContextParts } from '../../../src/pipeline/freeze-context.ts'
import { freezeChange, shopChange } from './frozen.ts'

const freeze = (context: object = {}, some: Partial<ContextParts> = {}) =>
  freezeChange(shopChange(), { context, some })

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
    missingPartners: [{ path: 'src/page.ts', share: 1 }],
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

test('that models are not shown what the author says is part of the bundle', async () => {
  const bundle = await freeze({ leaveOut: ['author'] })
  expect(states(bundle).author).toBe('left-out')
  expect(bundle.hash).not.toBe((await freeze()).hash)
  expect(states(await freeze())).not.toHaveProperty('author')
})

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
    ['part of the context is missing: it took longer than 1.1 s'],
  ])
  expect(new Set([failed.hash, hung.hash, (await freeze()).hash]).size).toBe(3)
})

test('at depth quick nothing is looked around for', async () => {
  const bundle = await freeze({}, { config: Config.parse({ review: { depth: 'quick' } }) })
  expect([bundle.around, bundle.evidence]).toEqual([null, []])
})
