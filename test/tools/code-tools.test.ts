/** Every tool over a real repository: what it answers, what it cuts, and what it says of emptiness. */
import { expect, test } from 'vitest'
import { shop, toolboxOf } from './open-toolbox.ts'

test('read_file gives numbered lines, and evidence with the lines as they are', async () => {
  const { ask, head } = await toolboxOf()
  const { text, evidence } = await ask('read_file', { path: './src/price.ts', line_start: 2, line_end: 3 })
  expect(text).toBe('2:   of(cents: number): number {\n3:     return round(cents)\n(the file has 8 lines)')
  expect(evidence).toEqual([
    {
      source: 'file',
      trust: 'foreign',
      side: 'new',
      title: 'read src/price.ts',
      path: 'src/price.ts',
      blob: (await head.entry('src/price.ts'))?.blob,
      startLine: 2,
      endLine: 3,
      text: '  of(cents: number): number {\n    return round(cents)',
    },
  ])
})

test('read_file gives up to 400 lines and 16 KB, says where to go on, and cites only whole lines', async () => {
  const many = Array.from({ length: 2_000 }, (_, at) => `line ${at + 1}`).join('\n')
  const { ask } = await toolboxOf({ 'many.txt': many, ...shop })
  const long = await ask('read_file', { path: 'many.txt', line_end: 2_000 })
  expect(Buffer.byteLength(long.text)).toBeLessThan(17 * 1024)
  expect(long.text).toMatch(
    /\(1600 of 2000 lines are left out; go on with read_file, path many.txt, line_start 401\)$/,
  )
  expect(long.evidence).toMatchObject([
    { startLine: 1, endLine: 400, title: 'read many.txt' },
    { startLine: null, text: expect.stringContaining('go on with read_file, path many.txt, line_start 401') },
  ])
  const open = await ask('read_file', { path: 'many.txt' })
  expect(open.text).toMatch(/^200: line 200\n\(the file has 2000 lines; go on with line_start 201\)$/m)
  const wide = await ask('read_file', { path: 'docs/notes.txt' })
  expect(wide.text).toContain('1 long line is cut')
  // The lines after the one that was cut can be cited all the same, and what is left of that one as words of the tool.
  expect(wide.evidence).toMatchObject([
    { startLine: 2, endLine: 2, text: 'Round numbers are nice' },
    { startLine: null, text: expect.stringMatching(/^1: long long .*\(1 long line is cut\)$/s) },
  ])
})

test('read_file says why there is nothing to read', async () => {
  const { ask } = await toolboxOf({ ...shop, 'blob.bin': Buffer.from([0, 1, 2]) })
  expect((await ask('read_file', { path: 'src/none.ts' })).text).toContain('there is no file at this path')
  expect((await ask('read_file', { path: 'src' })).text).toContain('this is a folder')
  expect((await ask('read_file', { path: 'blob.bin' })).text).toContain('binary')
  expect((await ask('read_file', { path: 'src/cart.ts', line_start: 99 })).text).toContain('only 4 lines')
  expect((await ask('read_file', { path: 'src/cart.ts', line_start: 3, line_end: 2 })).isError).toBe(true)
})

test('grep: fixed text without regard to case by default; emptiness is evidence; vendored files are left out', async () => {
  const { ask } = await toolboxOf()
  expect((await ask('grep', { query: 'ROUND(' })).text).toBe(
    'src/cart.ts:3: return new Price().of(1) + round(2)\nsrc/price.ts:3: return round(cents)\nsrc/price.ts:6: export function round(n: number): number {\n(3 lines in 2 of 4 files searched; 1 generated, vendored, lock or huge file not searched)',
  )
  expect((await ask('grep', { query: 'Round', case_sensitive: true })).text).toContain(
    'docs/notes.txt:2: Round numbers',
  )
  expect((await ask('grep', { query: 'round', path: 'src', glob: 'c*.ts' })).text).toContain(
    '(2 lines in 1 of 1 file',
  )
  expect((await ask('grep', { query: '^export (class|const)', regex: true })).text).toContain('src/page.ts:2')
  expect((await ask('grep', { query: 'zzz' })).text).toBe(
    '(no match (this is conclusive): no line of 4 text files contains it; 1 generated, vendored, lock or huge file not searched)',
  )
  expect((await ask('grep', { query: '(?=x)', regex: true })).text).toContain('look-around')
  expect((await ask('grep', { query: 'x', path: 'nowhere' })).text).toContain('there is no file at this path')
})

test('grep shows at most 40 hits of 240 characters', async () => {
  const { ask } = await toolboxOf({ 'a.txt': `${'x'.repeat(600)}\n`.repeat(50) })
  const { text } = await ask('grep', { query: 'xx' })
  const hits = text.split('\n').filter((line) => line.startsWith('a.txt'))
  expect(hits).toHaveLength(40)
  expect(Math.max(...hits.map(({ length }) => length))).toBeLessThanOrEqual(241)
})

test('definitions with their code, references without definitions, callers to a depth', async () => {
  const { ask } = await toolboxOf()
  expect((await ask('find_definition', { symbol: 'Price.of' })).text).toContain('src/price.ts:2 method')
  expect((await ask('find_definition', { symbol: 'Price.of' })).text).toContain(
    '  3:     return round(cents)',
  )
  expect((await ask('find_definition', { symbol: 'nothere' })).text).toContain('this is conclusive')
  const one = (await ask('find_definition', { symbol: 'round', path: 'src/price.ts' })).text
  expect(one).toMatch(/^src\/price\.ts:6 function round\(n: number\): number\n/)
  expect(one).toContain('(1 in other files)')
  const elsewhere = (await ask('find_definition', { symbol: 'Price.of', path: 'src/cart.ts' })).text
  expect(elsewhere).toContain('  3:     return round(cents)')
  expect(elsewhere).toContain('(none of them in src/cart.ts)')
  const references = (await ask('find_references', { symbol: 'round', path: 'src/price.ts' })).text
  expect(references).toContain('src/cart.ts:3 call (import)')
  expect(references).toContain('src/price.ts:3 call (same file)')
  expect(references).not.toMatch(/^src\/price.ts:6/m)
  const both = (await ask('find_references', { symbol: 'round' })).text
  expect(both).toMatch(/^of src\/price\.ts:6:\n(?:src\/.*\n){3}none of vendor\/.*:\n/)
  const moved = (await ask('find_references', { symbol: 'Price.of', path: 'src/cart.ts' })).text
  expect(moved).toContain('src/cart.ts:3 call')
  expect(moved).toContain('(none is defined in src/cart.ts)')
  const callers = (await ask('find_callers', { symbol: 'round', path: 'src/price.ts', depth: 2 })).text
  expect(callers).toContain('src/cart.ts:2 function')
  expect(callers).toContain('depth 2: src/page.ts')
})

test('uses that may mean another definition, and of a name without a definition, are told as such', async () => {
  const files = {
    'lib/server.rb':
      'class Server\n  def start_all(port)\n    port\n  end\nend\nclass Pool\n  def start_all(all)\n  end\nend\n',
    'web/page.html': '<div class="page-body">\n',
    'lib/run.rb': 'def run(made)\n  made.start_all(80)\n  made.stop_it\nend\n',
    'lib/more.rb': ['A', 'B', 'C', 'D'].map((name) => `class ${name}\n  def size\n  end\nend\n`).join(''),
  }
  const { ask } = await toolboxOf(files)
  const line = 'lib/run.rb:2 call (by name alone): made.start_all(80)\n'
  for (const tool of ['find_references', 'find_callers'])
    expect((await ask(tool, { symbol: 'Server.start_all' })).text).toContain(line)
  expect((await ask('find_references', { symbol: 'made.stop_it' })).text).toMatch(
    /^lib\/run\.rb:3: made\.stop_it\n\(no definition of made\.stop_it is in the index; these are the lines with made\.stop_it\)\n/,
  )
  expect((await ask('find_references', { symbol: 'other.stop_it' })).text).toContain('lines with stop_it)')
  const styled = await ask('find_references', { symbol: '.page-body' })
  expect(styled.text).toMatch(/^web\/page\.html:1: <div class="page-body">\n/)
  const outside = await ask('find_references', { symbol: 'Server.start_all', path: 'file:///etc/passwd' })
  expect([outside.isError, outside.text]).toEqual([true, expect.stringContaining('no file at this path')])
  expect((await ask('find_references', { symbol: 'nowhere' })).text).toContain('no definition of nowhere')
  expect((await ask('find_references', { symbol: 'size' })).text).toMatch(
    /several; pass the path and line of one: lib\/more\.rb:2, lib\/more\.rb:6, /,
  )
})

test('outline, folders, history and search', async () => {
  const { ask } = await toolboxOf()
  expect((await ask('outline_symbols', { path: 'src/price.ts' })).text).toContain(
    '  2-4 method of(cents: number): number',
  )
  expect((await ask('outline_symbols', { path: 'docs/notes.txt' })).text).toContain('not indexed')
  expect((await ask('list_dir', {})).text.split('\n').slice(0, 3)).toEqual([
    'docs/ (1 file)',
    'src/ (3 files)',
    'vendor/ (1 file)',
  ])
  expect((await ask('list_dir', { path: 'none' })).isError).toBe(true)
  const history = (await ask('get_file_history', { path: 'src/cart.ts' })).text
  expect(history).not.toContain('changes with')
  expect(history).toContain('1 of the last 1 commit changed it')
  expect((await ask('search_code', { query: 'round cents' })).text).toContain('src/price.ts:')
})
