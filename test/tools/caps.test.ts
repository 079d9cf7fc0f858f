/** No answer grows with the repository: each tool's cap, and that what was cut is told. */
import { expect, test } from 'vitest'
import type { Files } from '../helpers/git-repo.ts'
import { toolboxOf } from './open-toolbox.ts'

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at)

/** More of everything than an answer may hold. */
const plenty: Files = {
  'wide.txt': `${'wide line '.repeat(12)}\n`.repeat(200),
  'many.ts': numbers(200)
    .map((at) => `export function part${at}(): number {\n  return ${at}\n}\n`)
    .join(''),
  'target.ts': 'export function target(): number {\n  return 1\n}\n',
  'uses.ts': `import { target } from './target.ts'\n${numbers(60)
    .map((at) => `export const use${at} = () => target()\n`)
    .join('')}`,
  ...Object.fromEntries(
    numbers(130).map((at) => [`folder/f${at}.ts`, `export function twin(): number {\n  return ${at}\n}\n`]),
  ),
}

test('every answer is cut to its lines and bytes, and says what is left out', async () => {
  const { ask } = await toolboxOf(plenty)
  const shown = async (tool: string, args: Record<string, unknown>) => {
    const { text, isError } = await ask(tool, args)
    const lines = text.split('\n')
    const told = lines.filter((line) => line.startsWith('('))
    expect([tool, isError]).toEqual([tool, false])
    return { count: lines.length - told.length, bytes: Buffer.byteLength(text), told: told.join(' ') }
  }
  const wide = await shown('read_file', { path: 'wide.txt' })
  expect(wide.bytes).toBeLessThanOrEqual(16 * 1024 + 100)
  expect(wide.bytes).toBeGreaterThan(15 * 1024)
  expect(wide.told).toMatch(
    /\d+ of 200 lines are left out; go on with read_file, path wide.txt, line_start \d+\)/,
  )

  const outline = await shown('outline_symbols', { path: 'many.ts' })
  expect(outline.count).toBeLessThanOrEqual(120)
  expect(outline.told).toContain('of 200 lines are left out')

  const folder = await shown('list_dir', { path: 'folder' })
  expect([folder.count, folder.told]).toEqual([
    100,
    '(0 folders, 130 files) (30 of 130 lines are left out; list a folder below it)',
  ])

  const references = await shown('find_references', { symbol: 'target' })
  expect(references.count).toBe(40)
  expect(references.told).toContain('61 uses of target.ts:1')
  expect(references.told).toContain('21 of 61 lines are left out')

  const callers = await shown('find_callers', { symbol: 'target' })
  expect(callers.count).toBe(40)
  expect(callers.told).toContain('lines are left out')

  const definitions = await shown('find_definition', { symbol: 'twin' })
  expect(definitions.count).toBe(20)
  expect(definitions.told).toContain('110 more are left out')

  const found = await shown('search_code', { query: 'twin number return' })
  expect(found.count).toBe(20)

  const hits = await shown('grep', { query: 'return' })
  expect(hits.count).toBe(40)
  expect(hits.told).toContain('331 lines in')
  expect(hits.told).toMatch(
    /291 of 331 lines not shown: (folder\/f\d+\.ts \d+, ){10}and 82 more files; narrow it with path or glob/,
  )
})

test('an answer is kept for its tree only', async () => {
  const kept = new Map<string, string>()
  const cache = {
    get: async (key: string) => kept.get(key) ?? null,
    set: async (key: string, value: string) => void kept.set(key, value),
  }
  const one = await toolboxOf({ 'a.ts': 'export const one = 1\n' }, { cache })
  const other = await toolboxOf({ 'a.ts': 'export const other = 2\n' }, { cache })
  expect((await one.ask('read_file', { path: 'a.ts' })).text).toContain('one = 1')
  const answer = await other.ask('read_file', { path: 'a.ts' })
  expect([answer.cached, answer.text]).toEqual([false, expect.stringContaining('other = 2')])
  expect(kept.size).toBe(2)
})

test('finding nothing is evidence only where the index could have seen it', async () => {
  const { ask } = await toolboxOf({
    'a.ts': 'export const one = 1\n',
    'page.unknown': 'zebra crosses the road\n',
  })
  expect((await ask('find_definition', { symbol: 'giraffe' })).text).toContain(
    '(no match (this is conclusive): ',
  )
  expect((await ask('find_definition', { symbol: 'zebra' })).text).toContain(
    '(no match (this is not conclusive): ',
  )
})
