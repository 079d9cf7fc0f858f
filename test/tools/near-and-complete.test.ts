/** What readers of the tools stumbled over: patterns without a flag, generated files, cut definitions, the old side. */
import { expect, test } from 'vitest'
import { toolboxOf } from './open-toolbox.ts'

const call = 'charge(1)\n'
const files = {
  '.gitignore': '/build\n*.local.ts\nsrc/client/\n!src/client/keep.ts\n',
  'src/pay/charge.ts': `export function charge(cents: number): number {\n  return cents\n}\n${call}`,
  'src/pay/refund.ts': call,
  'src/shop/order.ts': call,
  'src/zoo/animal.ts': call.repeat(60),
  'src/admin/panel.ts': call,
  'test/pay/charge.test.ts': call,
  'docs/charge.md': call,
  'src/api/schema.gen.ts': 'export type Schema = { charge: number }\n',
}
const surroundings = {
  changed: [{ path: 'src/pay/charge.ts', oldPath: 'src/pay/old-charge.ts' }],
  related: ['src/shop/order.ts'],
}
const before = {
  'src/pay/old-charge.ts': 'export function charge(): number {\n  return 0\n}\n',
  'src/pay/gone.ts': 'export const gone = 1\n',
}
const world = (more = {}) =>
  toolboxOf(
    { ...files, 'src/pay/old-charge.ts': null, 'src/pay/gone.ts': null, ...more },
    { before, surroundings },
  )

test('grep: the changed file, related files, its folder, then others; tests and prose after code; counts of each', async () => {
  const { ask } = await world()
  const { text, isPartial } = await ask('grep', { query: 'charge(1)' })
  const order = [...new Set(text.split('\n').flatMap((line) => /^([\w/.-]+):\d+: /.exec(line)?.[1] ?? []))]
  expect(order).toEqual([
    'src/pay/charge.ts',
    'src/shop/order.ts',
    'src/pay/refund.ts',
    'src/admin/panel.ts',
    'src/zoo/animal.ts',
    'test/pay/charge.test.ts',
    'docs/charge.md',
  ])
  expect(text).toContain(
    '(66 lines in 7 of 8 files searched; 1 generated, vendored, lock or huge file not searched)',
  )
  expect(text).toContain('(26 of 66 lines not shown: src/zoo/animal.ts 26; narrow it with path or glob)')
  expect(isPartial).toBe(true)
})

test('grep: sixty translations of a word leave room for the code that has it', async () => {
  const languages = Array.from({ length: 60 }, (_, at) => `config/locales/l${at}.yml`)
  const { ask } = await world({
    ...Object.fromEntries(languages.map((path) => [path, 'a: banner\nb: banner\nc: banner\n'])),
    'src/zoo/sign.ts': 'show(banner)\n'.repeat(20),
  })
  const { text } = await ask('grep', { query: 'banner' })
  const from = (path: string) => text.split('\n').filter((line) => line.startsWith(path)).length
  expect([from('src/zoo/sign.ts'), from('config/locales/')]).toEqual([20, 20])
})

test('grep: a pattern without the flag is searched as one, and its emptiness is not taken for that of the text', async () => {
  const { ask } = await world()
  const meant = await ask('grep', { query: 'refundAll|charge\\(1' })
  expect(meant.text).toContain('src/shop/order.ts:1: charge(1)')
  expect(meant.text).toContain(
    '(no line contains this literally; it was searched as a regular expression (regex true))',
  )
  const broken = await ask('grep', { query: 'refundAll(|charge(' })
  expect(broken.text).toContain('src/shop/order.ts:1: charge(1)')
  expect(broken.text).toContain('the texts between the | signs were searched')
  const none = await ask('grep', { query: 'nowhere|nothing' })
  expect(none).toMatchObject({ isConclusive: true, lines: [] })
  expect(none.text).toContain('contains it, literally or so')
  expect((await ask('grep', { query: 'literally nowhere' })).text).not.toContain('regular expression')
})

test('generated files are called so, and a search that names one reads it', async () => {
  const { ask } = await world()
  const ignored = await ask('read_file', { path: 'src/client/models.ts' })
  expect(ignored).toMatchObject({ isError: true })
  expect(ignored.text).toContain(
    'this file is generated or local: .gitignore line 3 (src/client/) keeps it out',
  )
  expect((await ask('read_file', { path: 'build/main.js' })).text).toContain('.gitignore line 1 (/build)')
  expect((await ask('read_file', { path: 'src/client/keep.ts' })).text).not.toContain('generated')
  expect((await ask('read_file', { path: 'src/api/other.gen.ts' })).text).toContain(
    'that of a generated file',
  )
  expect((await ask('read_file', { path: 'src/api/schema.gen.ts' })).text).toContain('(a generated file)')
  expect((await ask('grep', { query: 'Schema', path: 'src/api/schema.gen.ts' })).text).toContain(
    'schema.gen.ts:1: ',
  )
  expect((await ask('grep', { query: 'Schema', path: 'src/api' })).text).toContain(
    '1 file there is generated',
  )
})

test('a path that does not exist leads to those that may be meant', async () => {
  const { ask } = await world()
  expect((await ask('read_file', { path: 'src/pay/charge' })).text).toContain('there is src/pay/charge.ts')
  expect((await ask('read_file', { path: 'lib/order.ts' })).text).toContain('there is src/shop/order.ts')
})

test('the base side: a renamed file under its new name, a removed one, text that the change took away', async () => {
  const { ask } = await world()
  const old = await ask('read_file', { path: 'src/pay/charge.ts', side: 'base' })
  expect(old.text).toContain('2:   return 0')
  expect(old.text).toContain('src/pay/old-charge.ts before the change')
  expect(old.evidence).toMatchObject([
    { path: 'src/pay/old-charge.ts', side: 'old', startLine: 1, endLine: 3 },
  ])
  expect((await ask('read_file', { path: 'src/pay/gone.ts' })).text).toContain('side base shows what it was')
  expect((await ask('read_file', { path: 'src/pay/gone.ts', side: 'base' })).text).toContain(
    '1: export const gone',
  )
  expect((await ask('read_file', { path: 'src/zoo/animal.ts', side: 'base' })).text).toContain(
    'which adds it',
  )
  expect((await ask('grep', { query: 'gone', side: 'base' })).text).toContain('src/pay/gone.ts:1: ')
  expect((await ask('grep', { query: 'const gone' })).text).toContain('conclusive')
})

test('find_definition: up to 120 lines whole, a longer one by what decides, with the lines that are missing', async () => {
  const body = (lines: number, name: string) =>
    `export function ${name}(a: number): number {\n${'  a += 1\n'.repeat(lines - 4)}  if (a > 9) return 9\n  return a\n}\n`
  const { ask } = await toolboxOf({ 'a.ts': body(120, 'whole'), 'b.ts': body(200, 'long') })
  const whole = await ask('find_definition', { symbol: 'whole' })
  expect(whole).toMatchObject({ isPartial: false, evidence: [{ path: 'a.ts', startLine: 1, endLine: 120 }] })
  const long = await ask('find_definition', { symbol: 'long' })
  expect(long.isPartial).toBe(true)
  expect(long.text).toContain('  198:   if (a > 9) return 9')
  expect(long.text).toContain(
    '(long has 200 lines and is shown in part; the rest: read_file, path b.ts, line_start 21, line_end 200)',
  )
  expect(long.evidence).toMatchObject([
    { path: 'b.ts', startLine: 1, endLine: 20, title: 'parts of long (lines 1 to 200)' },
    { path: 'b.ts', startLine: 198, endLine: 200 },
    { path: null, title: 'find_definition::{"symbol":"long"}' },
  ])
  expect(long.evidence[2]?.text).toContain('the rest: read_file, path b.ts, line_start 21')
})

test('find_definition: overloads of one file with their code, namesakes in many files without', async () => {
  const overload = (type: string) => `  static int size(${type} a) {\n    return count(a);\n  }\n`
  const types = ['int', 'long', 'byte', 'char', 'short', 'float']
  const one = { 'Sizes.java': `class Sizes {\n${types.map(overload).join('')}}\n` }
  const many = Object.fromEntries(
    types.map((type) => [`${type}.java`, `class C${type} {\n${overload(type)}}\n`]),
  )
  const asked = async (files: Record<string, string>) =>
    (await (await toolboxOf(files)).ask('find_definition', { symbol: 'size' })).text
  expect((await asked(one)).match(/return count\(a\)/g)).toHaveLength(types.length)
  expect(await asked(many)).not.toContain('return count')
})

test('read_file: without an end it stops, and its evidence says that the file goes on; a range that was asked for does not', async () => {
  const { ask } = await toolboxOf({ 'a.ts': 'const a = 1\n'.repeat(500) })
  const open = await ask('read_file', { path: 'a.ts' })
  expect(open.evidence).toMatchObject([
    { path: 'a.ts', startLine: 1, endLine: 200 },
    { path: null, text: '(the file has 500 lines; go on with line_start 201)' },
  ])
  expect((await ask('read_file', { path: 'a.ts', line_start: 5, line_end: 9 })).evidence).toHaveLength(1)
  expect((await ask('read_file', { path: 'a.ts', line_start: 400 })).evidence).toHaveLength(1)
})

test('grep: a file that is too large to search says so, and does not ask to be named again', async () => {
  const { ask } = await toolboxOf({ 'a.ts': 'const a = 1\n', 'big.snap': 'exports = 1\n'.repeat(50_000) })
  const { text, isError } = await ask('grep', { query: 'exports', path: 'big.snap' })
  expect(isError).toBe(true)
  expect(text).toContain('1 file there is larger than 512 KB, and not searched; read_file shows lines of one')
})
