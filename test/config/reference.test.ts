/** The JSON schema and the reference page say what the schema says today. */
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { deriveFiles } from '../../scripts/config-reference.ts'
import { configKeys, settingsKeys } from '../../src/config/keys.ts'
import { defaultConfig } from '../../src/config/schema.ts'
import { Settings } from '../../src/config/settings/schema.ts'

test('schema/config.json and the reference pages are current (node scripts/config-reference.ts)', () => {
  const files = deriveFiles()
  expect(files).toHaveLength(3)
  for (const { path, text } of files) expect(readFileSync(path, 'utf8')).toBe(text)
})

test('every key has a description, a default and a type in words', () => {
  const keys = configKeys()
  expect(keys.length).toBeGreaterThan(10)
  for (const key of keys) {
    expect(key.description, key.key).toMatch(/\.$/)
    expect(key.default, key.key).toEqual(
      key.path.reduce<unknown>((value, step) => Reflect.get(value as object, step), defaultConfig),
    )
    expect(key.type, key.key).not.toBe('any')
  }
})

test('every section of the settings is listed, down to keys inside sections and named entries', () => {
  const keys = settingsKeys().map(({ key }) => key)
  const page = readFileSync('docs/configuration.md', 'utf8')
  for (const section of Object.keys(Settings.shape).filter((name) => name !== '$schema'))
    expect(
      keys.some((key) => key.split('.')[0] === section),
      section,
    ).toBe(true)
  for (const key of [
    'journal.store',
    'journal.s3.pathStyle',
    'models.providers.NAME.keyFrom',
    'money.perRun',
  ])
    expect(page).toContain(`| \`${key}\` |`)
})

test('every key is read by something besides its schema', () => {
  const readers = globSync('src/**/*.ts', {
    exclude: ['src/config/schema.ts', 'src/config/settings/**', 'src/server/settings/schema.ts'],
  })
  const words = new Set(readers.flatMap((path) => readFileSync(path, 'utf8').match(/[\w$]+/g) ?? []))
  const names = [...configKeys(), ...settingsKeys()].map(({ key }) => key.split('.').at(-1) ?? '')
  // `$schema` is for editors, and names in capitals stand for those that people choose.
  const unread = names.filter((name) => !/^(?:\$schema|[A-Z]+)$/.test(name) && !words.has(name))
  expect(unread).toEqual([])
})
