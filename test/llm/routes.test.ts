/** Who plays which role, from the command line, the settings and the environment. */
import { expect, test } from 'vitest'
import { ModelSettings } from '../../src/config/settings/models.ts'
import { setUpModels } from '../../src/llm/routes/setup.ts'
import { startFakeProvider } from '../helpers/fakes/registry.ts'
import { gatewayTo, goodNotes, modelAt, question } from './fake-gateway.ts'

const none = ModelSettings.parse({})
const rolesOf = (settings: unknown, environment: Record<string, string>, overrides = {}) => {
  const { roles } = setUpModels(ModelSettings.parse(settings), environment, overrides)
  return Object.fromEntries(
    Object.entries(roles).map(([role, { models, from }]) => [role, [...models, from]]),
  )
}

test.each([
  ['ANTHROPIC_API_KEY', 'anthropic/claude-sonnet-5-5', 'anthropic/claude-haiku-4-5'],
  ['OPENAI_API_KEY', 'openai/gpt-6-sol', 'openai/gpt-6-luna'],
  ['GEMINI_API_KEY', 'google/gemini-3.1-pro-preview', 'google/gemini-3.5-flash-lite'],
  ['GOOGLE_GENERATIVE_AI_API_KEY', 'google/gemini-3.1-pro-preview', 'google/gemini-3.5-flash-lite'],
  ['OPENROUTER_API_KEY', 'openrouter/anthropic/claude-sonnet-5', 'openrouter/anthropic/claude-haiku-4.5'],
  [
    'AWS_BEARER_TOKEN_BEDROCK',
    'bedrock/us.anthropic.claude-sonnet-5-5',
    'bedrock/us.anthropic.claude-haiku-4-5-20251001-v1:0',
  ],
])('%s alone is enough to start', (name, reviewer, scout) => {
  expect(rolesOf({}, { [name]: 'x' })).toEqual({
    reviewer: [reviewer, 'environment'],
    scout: [scout, 'environment'],
    judge: [reviewer, 'the reviewer'],
  })
})

test('the command line wins over the settings, the settings over the environment', () => {
  const environment = { ANTHROPIC_API_KEY: 'x', OPENAI_API_KEY: 'y' }
  const settings = { roles: { reviewer: 'openai/gpt-5.5', judge: ['anthropic/a', 'openai/b'] } }
  expect(rolesOf(settings, environment, { reviewer: ['anthropic/claude-opus-5-5'] })).toEqual({
    reviewer: ['anthropic/claude-opus-5-5', 'command line'],
    scout: ['anthropic/claude-haiku-4-5', 'environment'],
    judge: ['anthropic/a', 'openai/b', 'settings'],
  })
  // The scout follows the provider that was chosen, not the first key that happens to be there.
  expect(rolesOf(settings, environment).scout).toEqual(['openai/gpt-6-luna', 'environment'])
})

test('a reviewer without a scout of its provider scouts itself; without anything nobody plays', () => {
  const settings = { roles: { reviewer: 'ollama/qwen3-coder:30b' } }
  expect(rolesOf(settings, { ANTHROPIC_API_KEY: 'x' }).scout).toEqual([
    'ollama/qwen3-coder:30b',
    'the reviewer',
  ])
  expect(rolesOf({}, {}).reviewer).toEqual(['nowhere'])
  expect(rolesOf({}, { OLLAMA_HOST: 'gpu' }).reviewer).toEqual(['nowhere'])
})

test('bedrock follows the region, and half a key is none', () => {
  const aws = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b', AWS_REGION: 'eu-central-1' }
  expect(rolesOf({}, aws).reviewer?.[0]).toBe('bedrock/eu.anthropic.claude-sonnet-5-5')
  expect(rolesOf({}, { AWS_ACCESS_KEY_ID: 'a' }).reviewer).toEqual(['nowhere'])
})

test('addresses are put in order, and somebody else’s gets no key of the usual one', () => {
  const at = (settings: unknown, environment: Record<string, string>) =>
    setUpModels(ModelSettings.parse(settings), environment).found[0]
  expect(at({}, { OLLAMA_HOST: '0.0.0.0' })?.baseUrl).toBe('http://127.0.0.1:11434')
  expect(at({}, { OLLAMA_HOST: 'gpu:9000' })?.baseUrl).toBe('http://gpu:9000')
  const proxy = { providers: { proxy: { kind: 'anthropic', baseUrl: 'http://proxy.local' } } }
  expect(at(proxy, { ANTHROPIC_API_KEY: 'x' })).toMatchObject({ keysFrom: [], keysSet: [] })
  const work = { providers: { work: { kind: 'anthropic', keyFrom: 'WORK_KEY' } } }
  expect(rolesOf(work, { WORK_KEY: 'x' }).reviewer).toEqual(['work/claude-sonnet-5-5', 'environment'])
})

test('a setup holds no key, and a provider nobody knows is the user’s mistake', () => {
  const setup = setUpModels(none, { ANTHROPIC_API_KEY: 'sk-very-secret' })
  expect(JSON.stringify(setup)).not.toContain('sk-very-secret')
  expect(() => rolesOf({ roles: { reviewer: 'acme/one' } }, {})).toThrow('acme')
  const withPassword = { providers: { p: { kind: 'anthropic', baseUrl: 'https://me:pw@host/v1' } } }
  expect(() => ModelSettings.parse(withPassword)).toThrow('keyFrom')
})

test('a second opinion comes from another provider, where judge or reviewer have one', async () => {
  const steps = [{ answer: 'good', times: 'always', value: goodNotes }] as const
  await using one = await startFakeProvider('openai', { steps: [...steps] })
  await using two = await startFakeProvider('openai', { steps: [...steps] })
  const { provider } = modelAt(one, 'openai', 'gpt-5.5')
  const models = [
    { name: 'one/gpt-5.5', provider },
    { name: 'two/gpt-5.5', provider: { ...provider, baseUrl: two.baseUrl } },
  ]
  const ask = async (
    roles: Record<string, string[]>,
    apartFrom?: string,
    role: 'judge' | 'reviewer' = 'judge',
  ) => {
    const before = [one.calls.length, two.calls.length]
    const gateway = await gatewayTo(models, { models: { roles } })
    const asked = question({ role, ...(apartFrom === undefined ? {} : { apartFrom }) })
    expect((await gateway.ask(asked)).outcome).toBe('answered')
    return [one.calls.length, two.calls.length].map((now, at) => now - (before[at] ?? 0))
  }
  expect(await ask({ reviewer: ['two/gpt-5.5'], judge: ['one/gpt-5.5'] })).toEqual([1, 0])
  expect(await ask({ reviewer: ['two/gpt-5.5'], judge: ['one/gpt-5.5'] }, 'one/gpt-5.5')).toEqual([0, 1])
  expect(
    await ask({ reviewer: ['one/gpt-5.5'], judge: ['one/gpt-5.5', 'two/gpt-5.5'] }, 'one/gpt-5.5'),
  ).toEqual([0, 1])
  expect(await ask({ reviewer: ['one/gpt-5.5'], judge: ['one/gpt-5.5'] }, 'one/gpt-5.5')).toEqual([1, 0])
  // A second reader is never the judge's model.
  const reads = (reviewer: string[]) => ask({ reviewer, judge: ['two/gpt-5.5'] }, 'one/gpt-5.5', 'reviewer')
  expect(await reads(['one/gpt-5.5', 'two/gpt-5.5'])).toEqual([0, 1])
  expect(await reads(['one/gpt-5.5'])).toEqual([1, 0])
})
