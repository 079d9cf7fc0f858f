/** Who may send code to a model: one place decides, and every way to a model goes through it. */
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { defaultSettings } from '../../src/config/settings/schema.ts'
import * as agreement from '../../src/llm/agreement.ts'

const sources = globSync(['src/**/*.ts', 'evals/**/*.ts', 'action/**/*.ts'])
  .sort()
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }))

/** Which files call it; its own definition does not count. */
function callersOf(name: string): string[] {
  const called = new RegExp(`(?<!function )\\b${name}\\(`)
  return sources.filter(({ text }) => called.test(text)).map(({ path }) => path)
}

test('what opens a way to a model is called in these places, and cannot be called without an agreement', () => {
  const openers = ['createGateway', 'openEmbedder', 'openReranker']
  expect(Object.fromEntries(openers.map((name) => [name, callersOf(name)]))).toEqual({
    createGateway: ['src/assembly/open-models.ts', 'src/assembly/replay-run.ts', 'src/llm/probe.ts'],
    openEmbedder: ['src/assembly/search-models.ts'],
    openReranker: ['src/assembly/search-models.ts'],
  })
  for (const path of ['src/llm/gateway.ts', 'src/llm/embedding/registry.ts', 'src/llm/rerank/registry.ts'])
    expect(readFileSync(path, 'utf8'), path).toMatch(/\bagreed: Agreed\b/)
})

test('an agreement is made by one file, whose functions are asked in these places', () => {
  const makers = Object.keys(agreement).filter((name) => !['isAgreed', 'asksModels'].includes(name))
  const asked = Object.fromEntries(
    makers.map((name) => [
      name,
      sources
        .filter(({ path, text }) => path !== 'src/llm/agreement.ts' && new RegExp(`\\b${name}\\b`).test(text))
        .map(({ path }) => path),
    ]),
  )
  expect(asked).toEqual({
    readAgreement: ['src/assembly/open-models.ts', 'src/assembly/replay-run.ts', 'src/lsp/ask-models.ts'],
    askToSend: ['src/assembly/open-models.ts'],
    agreeByPolicy: ['src/server/access/open-access.ts'],
    agreeByName: ['src/assembly/search-models.ts'],
    nothingIsSent: ['src/assembly/replay-run.ts', 'src/llm/probe.ts'],
  })
  // Nothing else makes one by force.
  for (const { path, text } of sources) expect(text, path).not.toMatch(/\bas (unknown as )?Agreed\b/)
})

test('whoever serves others never says that they agreed', () => {
  const served = sources.filter(({ path }) => path.startsWith('src/server/roles/'))
  for (const { path, text } of served)
    for (const [call] of text.matchAll(/\b(?:prepareModels|replayWith|replayRun)\([\s\S]*?\)/g))
      expect(call, path).toContain('isServed: true')
  expect(served.some(({ text }) => text.includes('isServed: true'))).toBe(true)
})

test('on a server the settings have the last word, then the policy', () => {
  const { models } = defaultSettings
  const agreedTo = (enabled: boolean | undefined, depth: string) =>
    agreement.agreeByPolicy(enabled === undefined ? models : { ...models, enabled }, depth).enabled
  expect(agreedTo(undefined, 'auto')).toBe(undefined)
  expect(agreedTo(undefined, 'offline')).toBe(undefined)
  expect(agreedTo(undefined, 'standard')).toBe(true)
  expect(agreedTo(false, 'standard')).toBe(false)
  expect(agreement.readAgreement(models, false)).toBe('unsaid')
  expect(agreement.readAgreement({ ...models, enabled: false }, false)).toBe('refused')
})
