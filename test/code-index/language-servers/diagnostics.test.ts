/** What is wrong with a file as it is, as it would be with another text, and what is not the file's fault. */
import { expect, test } from 'vitest'
import type { LanguageServers } from '../../../src/code-index/language-servers/contract.ts'
import { needs } from '../../helpers/needs/needs.ts'
import { errors, open, openFake } from './open-servers.ts'

/** The type that is known there. */
async function type(servers: LanguageServers, path: string, line: number, column: number) {
  return (await servers.type({ path, line, column })).found[0] ?? null
}

test('typescript: another text is judged, nothing of it stays, missing packages are told apart, types are shown', async () => {
  const text = `import { load } from './load'
import { z } from 'zod'
import { gone } from './gone'
export const first = load(1)
export const second = z.string(process.env.HOME)
`
  const servers = await open({
    'tsconfig.json': '{ "include": ["src"] }',
    'src/load.ts': 'export const load = (id: string): string => id\n',
    'src/use.ts': text,
    'src/plain.js': 'export const one = 1 * "x"\n',
    'src/types.ts': "import { z } from 'zod'\nexport const a: number[] = []\nz.string(a)\n",
  })
  const own = ['(2 2307)', '3 2307', '4 2345', '(5 2591)']
  expect(await errors(servers, 'src/use.ts')).toEqual(own)
  const mended = text.replace('load(1)', "load('1')")
  expect(await errors(servers, 'src/use.ts', mended)).toEqual(own.filter((one) => one !== '4 2345'))
  expect(await errors(servers, 'src/use.ts', `${mended}load(2, 3)\n`)).toContain('6 2554')
  expect(await errors(servers, 'src/use.ts')).toEqual(own)
  expect((await servers.diagnostics('src/use.ts')).checksTypes).toBe(true)
  expect(await servers.diagnostics('src/plain.js')).toMatchObject({ checksTypes: false, found: [] })
  expect(await type(servers, 'src/types.ts', 2, 13)).toContain('a: number[]')
  expect(await type(servers, 'src/types.ts', 3, 2)).toBe('any')
  expect(await type(servers, 'src/types.ts', 2, 25)).toBeNull()
})

test('gopls', needs('gopls and go'), async () => {
  const text =
    'package shop\n\nimport "example.com/absent"\n\nfunc Total(a int) int { return absent.X }\n\nvar _ = Total("x")\n'
  const servers = await open({ 'go.mod': 'module example.com/shop\n\ngo 1.18\n', 'shop.go': text })
  const own = ['(3 BrokenImport)', '7 IncompatibleAssign']
  expect(await errors(servers, 'shop.go')).toEqual(own)
  expect(await errors(servers, 'shop.go', text.replace('"x"', '1'))).toEqual(own.slice(0, 1))
  expect(await errors(servers, 'shop.go')).toEqual(own)
})

test('clangd; the private folder is in no message', needs('clangd'), async () => {
  const text = '#include "total.h"\n#include <absent.h>\nint use(void) { return total(1, 2); }\n'
  const servers = await open({ 'total.h': 'int total(int a);\n', 'use.c': text })
  const own = ['(2 pp_file_not_found)', '3 typecheck_call_too_many_args_one']
  expect(await errors(servers, 'use.c')).toEqual(own)
  expect(await errors(servers, 'use.c', text.replace('1, 2', '1'))).toEqual(own.slice(0, 1))
  const { found } = await servers.diagnostics('use.c')
  expect(JSON.stringify(found)).not.toContain('sightline-tree')
})

test('a server that does not answer such questions is silent', async () => {
  const servers = await openFake('good', { 'a.rb': 'def total\nend\n' })
  const type = await servers.type({ path: 'a.rb', line: 1, column: 4 })
  expect(type).toMatchObject({ state: 'silent', found: [], source: 'fake 1.2.3-beta' })
})

test('of what a server publishes by itself, the first glance is not all', async () => {
  const servers = await openFake('publishes', { 'a.rb': 'def total\nend\n' })
  const { state, found } = await servers.diagnostics('a.rb')
  expect([state, found.map(({ message }) => message)]).toEqual(['complete', ['first', 'second']])
})
