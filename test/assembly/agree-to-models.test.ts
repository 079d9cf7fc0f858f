/** Whether code may go to a model: by the caller, by the settings, or by an answer; never by a key that lies around. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { agreeToModels, type ModelOptions, prepareModels } from '../../src/assembly/open-models.ts'
import { parseSettings, rememberModelsEnabled } from '../../src/config/settings/load.ts'
import type { Depth } from '../../src/domain/review.ts'
import { temporaryFolder } from '../helpers/git-repo.ts'

const key = { ANTHROPIC_API_KEY: 'sk-fake-0123456789abcdef', HOME: '/home/ada' }
const reviewer = 'models: { roles: { reviewer: anthropic/claude-sonnet-5-5 } }'

async function agree(
  yaml: string,
  {
    environment = key,
    depth,
    ...options
  }: ModelOptions & { environment?: NodeJS.ProcessEnv; depth?: Depth } = {},
) {
  const settings = parseSettings(yaml, 'settings.yaml')
  const prepared = prepareModels(options, { settings, environment }, depth)
  const { setup, withheld } = await agreeToModels(prepared, depth ?? 'auto')
  return { asks: setup !== null, withheld }
}

describe('agreement', () => {
  test('a key in the environment alone sends nothing, and one line says how to change that', async () => {
    expect(await agree('')).toEqual({
      asks: false,
      withheld:
        'no model was asked: ANTHROPIC_API_KEY is set, but sending code to anthropic needs your agreement: use --depth quick for one review, or set `models.enabled: true` in /home/ada/.config/sightline/settings.yaml for all',
    })
  })

  test.each<[string, Parameters<typeof agree>[1], string]>([
    ['', { depth: 'quick' }, 'a depth on the command line'],
    ['', { roles: { reviewer: ['anthropic/claude-opus-5-5'] } }, 'a model on the command line'],
    ['models: { enabled: true }', {}, 'the settings in so many words'],
    [reviewer, {}, 'a reviewer in the settings'],
    ['models: { enabled: false }', { depth: 'deep' }, 'the command line over the settings'],
    ['', { maySend: async () => true }, 'an answer'],
  ])('%j %j: %s', async (yaml, options) => {
    expect(await agree(yaml, options)).toEqual({ asks: true, withheld: null })
  })

  test.each<[string, Parameters<typeof agree>[1]]>([
    ['models: { enabled: false }', {}],
    ['models: { enabled: false, roles: { reviewer: anthropic/claude-sonnet-5-5 } }', {}],
    ['models: { enabled: true }', { depth: 'offline' }],
    ['', { environment: {} }],
  ])('%j %j: nobody is asked, and nothing needs to be said', async (yaml, options) => {
    const { withheld } = await agree(yaml, options)
    expect(withheld).toBeNull()
  })

  test('what others ask a server for is no agreement, and they read nothing of its environment', async () => {
    const withheld = 'no model was asked: the operator of this server has not agreed to send code to one'
    for (const depth of [undefined, 'quick', 'deep'] as const)
      expect(await agree('', { isServed: true, ...(depth ? { depth } : {}) })).toEqual({
        asks: false,
        withheld,
      })
    const roles = { reviewer: ['anthropic/claude-opus-5-5'] }
    expect(await agree('', { isServed: true, roles })).toEqual({ asks: false, withheld })
    expect((await agree('models: { enabled: true }', { isServed: true })).asks).toBe(true)
    expect((await agree(reviewer, { isServed: true })).asks).toBe(true)
  })

  test('who is asked hears which key was found and where the code would go, and a no is kept to', async () => {
    const heard: unknown[] = []
    const maySend = async (found: unknown) => {
      heard.push(found)
      return false
    }
    expect((await agree('', { maySend })).asks).toBe(false)
    expect(heard).toEqual([
      { model: 'anthropic/claude-sonnet-5-5', provider: 'anthropic', keys: ['ANTHROPIC_API_KEY'] },
    ])
    await agree('models: { enabled: false }', { maySend })
    await agree('models: { enabled: true }', { maySend })
    await agree('', { maySend, depth: 'offline' })
    expect(heard).toHaveLength(1)
  })
})

test('a depth that no model can serve is refused at once, with what is missing', () => {
  const prepare = (yaml: string, environment: NodeJS.ProcessEnv) =>
    prepareModels({}, { settings: parseSettings(yaml, 'settings.yaml'), environment }, 'standard')
  expect(() => prepare('', {})).toThrow('no key was found, and the settings name none.')
  expect(() => prepare(reviewer, {})).toThrow(
    'anthropic/claude-sonnet-5-5 needs a key, and ANTHROPIC_API_KEY is not set.',
  )
  expect(() => prepare(reviewer, key)).not.toThrow()
})

test('an answer is written into the settings, and all else there stays', async () => {
  const path = join(temporaryFolder(), 'deep', 'settings.yaml')
  const environment = { SIGHTLINE_SETTINGS: path }
  expect(await rememberModelsEnabled(true, environment)).toBe(path)
  expect(parseSettings(readFileSync(path, 'utf8'), path).models.enabled).toBe(true)
  const own = '# mine\nmoney:\n  perRun: 1 # no more\nmodels:\n  keepInstructionsCached: 1h\n'
  writeFileSync(path, own)
  await rememberModelsEnabled(false, environment)
  expect(readFileSync(path, 'utf8')).toBe(`${own}  enabled: false\n`)
})
