/** The pages about models and costs show settings that are valid, and leave out no key. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parseSettings } from '../../src/config/settings/load.ts'
import { ModelPrice, ModelSettings, ProviderSettings } from '../../src/config/settings/models.ts'
import { MoneySettings } from '../../src/config/settings/schema.ts'
import { defaultModels, knownProviders } from '../../src/llm/routes/find-providers.ts'
import { setUpModels } from '../../src/llm/routes/setup.ts'

const docs = resolve(import.meta.dirname, '../../docs')
const pages = ['models-and-keys.md', 'costs.md'].map((name) => readFileSync(join(docs, name), 'utf8'))
const [models = '', costs = ''] = pages
const examples = pages.flatMap((page) =>
  [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, yaml = '']) => yaml),
)

test('every example is valid, and names only providers that are known', () => {
  expect(examples.length).toBeGreaterThan(4)
  for (const yaml of examples) {
    const settings = parseSettings(yaml, 'example.yaml')
    expect(() => setUpModels(settings.models, {}), yaml).not.toThrow()
  }
})

test('no key is left out', () => {
  const keys = [ModelSettings, ProviderSettings, ModelPrice].flatMap(({ shape }) => Object.keys(shape))
  expect(keys.filter((key) => !models.includes(`\`${key}\``))).toEqual([])
  expect(Object.keys(MoneySettings.shape).filter((key) => !costs.includes(`${key}:`))).toEqual([])
})

test('variables and default models are those of the table in the code', () => {
  for (const { signs } of knownProviders)
    for (const name of signs.flat().filter((one) => one !== 'AWS_SESSION_TOKEN'))
      expect(models).toContain(`\`${name}\``)
  for (const name of ['anthropic', 'openai', 'google', 'openrouter'])
    for (const model of Object.values(defaultModels[name] ?? {})) expect(models).toContain(model)
})
