/** The operator's section `languageServers`: what it takes, and that a repository has no say in it. */
import { expect, test } from 'vitest'
import { languageServers } from '../../../src/code-index/language-servers/registry.ts'
import { checkConfig } from '../../../src/config/check.ts'
import { LanguageServerSettings } from '../../../src/config/settings/language-servers.ts'

test('it is empty by default, and known servers are there all the same', () => {
  const settings = LanguageServerSettings.parse(undefined)
  expect(settings).toEqual({})
  expect(languageServers(settings).map(({ name }) => name)).toEqual([
    'typescript',
    'pyright',
    'gopls',
    'clangd',
    'rust-analyzer',
  ])
})

test('what is added is asked first, what is known is changed', () => {
  const settings = LanguageServerSettings.parse({
    solargraph: { command: ['solargraph', 'stdio'], languages: ['ruby'], projectFiles: ['**/Gemfile'] },
    pyright: { memoryMb: 512, initializationOptions: { a: 1 } },
  })
  const all = languageServers(settings)
  expect(all.map(({ name }) => name)[0]).toBe('solargraph')
  expect(all[0]?.readsFile('lib/Gemfile')).toBe(true)
  expect(all.find(({ name }) => name === 'pyright')).toMatchObject({
    memoryMb: 512,
    initializationOptions: { a: 1 },
  })
})

test.each([
  [{ x: { command: [] } }],
  [{ x: { command: 'sh -c x' } }],
  [{ 'X Y': {} }],
  [{ x: { shell: true } }],
  [{ x: { passEnvironment: ['A=B'] } }],
])('%j is refused', (value) => {
  expect(LanguageServerSettings.safeParse(value).success).toBe(false)
})

test('the configuration of a repository has no such key', () => {
  const { faults } = checkConfig({ languageServers: { x: { command: ['sh'], languages: ['ruby'] } } })
  expect(faults.map(({ message }) => message).join('\n')).toContain('languageServers')
})
