/** What each operator does to a line, and that it leaves alone what it cannot spoil. */
import { expect, test } from 'vitest'
import { operators } from '../../evals/mutants/registry.ts'

function spoil(
  name: string,
  after: Record<string, string>,
  before: Record<string, string> = {},
  touched = Object.keys(after),
) {
  const operator = operators.find((one) => one.name === name)
  if (!operator) throw new Error(`no operator ${name}`)
  const ground = {
    before: new Map(Object.entries(before)),
    after: new Map(Object.entries({ ...before, ...after })),
    touched,
    random: () => 0.5,
  }
  return operator
    .mutate(ground)
    .map(({ files, place, also }) => ({ texts: Object.fromEntries(files), place, also }))
}

test.each([
  ['off-by-one', 'a.ts', '  for (let at = 0; at < n; at++) {', '  for (let at = 0; at <= n; at++) {'],
  ['off-by-one', 'a.go', '\treturn at + 1', '\treturn at'],
  ['swap-arguments', 'a.py', '    send(reader, words)', '    send(words, reader)'],
  ['missing-await', 'a.ts', '  const held = await loansOf(reader)', '  const held = loansOf(reader)'],
  ['negated-condition', 'a.py', '    if low is None:', '    if low is not None:'],
  ['negated-condition', 'a.java', '    if (!isFree(seat)) {', '    if (isFree(seat)) {'],
  ['wrong-operator', 'a.rs', '    seen && done', '    seen || done'],
  ['wrong-variable', 'a.go', '\tif low > high {', '\tif low > low {'],
  ['wrong-constant', 'a.py', 'LIMIT = 20', 'LIMIT = 200'],
  ['swallowed-error', 'a.go', '\treturn nil, fmt.Errorf("x: %w", err)', '\treturn nil, nil'],
  ['swallowed-error', 'a.ts', "    throw new Error('no')", "    console.warn('no')"],
])('%s in %s', (name, path, line, spoilt) => {
  const [mutation, ...others] = spoil(name, { [path]: `first\n${line}\n` })
  expect(mutation?.texts[path]).toBe(`first\n${spoilt}\n`)
  expect(mutation?.place).toEqual({ file: path, start: 2, end: 2, side: 'right' })
  expect(others).toEqual([])
})

test('only lines that the change brought are spoilt, and no comments', () => {
  const line = '  if (a < b) {'
  expect(spoil('off-by-one', { 'a.ts': `${line}\n` }, { 'a.ts': `${line}\nold\n` })).toEqual([])
  expect(spoil('off-by-one', { 'a.ts': '// while a < b it goes on\n' })).toEqual([])
  expect(spoil('swap-arguments', { 'a.py': 'def send(reader, words):\n' })).toEqual([])
  expect(spoil('off-by-one', { 'a.test.md': line })).toEqual([])
})

test('a guard is taken out whole', () => {
  const text = 'func f(g *Guest) int {\n\tif g == nil {\n\t\treturn 0\n\t}\n\treturn g.N\n}\n'
  const [mutation] = spoil('drop-null-check', { 'a.go': text })
  expect(mutation?.texts['a.go']).toBe('func f(g *Guest) int {\n\treturn g.N\n}\n')
  expect(mutation?.place.start).toBe(2)
  expect(spoil('drop-guard', { 'a.go': text })).toEqual([])
  const python = 'def f(rows):\n    if len(rows) > 9:\n        raise ValueError(rows)\n    return rows\n'
  expect(spoil('drop-guard', { 'a.py': python })[0]?.texts['a.py']).toBe('def f(rows):\n    return rows\n')
})

test('tests that were there lose themselves, an assertion, or their turn', () => {
  const before = { 'test/a.test.ts': "test('x', () => {\n  expect(1).toBe(1)\n  expect(2).toBe(2)\n})\n" }
  const after = { 'src/a.ts': 'export const a = 1\n' }
  const [gone] = spoil('removed-test', after, before)
  expect(gone?.texts).toEqual({ 'test/a.test.ts': '' })
  expect(gone?.also).toEqual([{ file: 'test/a.test.ts', start: 1, end: 4, side: 'left' }])
  const less = spoil('removed-assertion', after, before)
  expect(less.map(({ also }) => also[0]?.start)).toEqual([2, 3])
  expect(spoil('skipped-test', after, before)[0]?.texts['test/a.test.ts']).toContain("test.skip('x'")
  expect(spoil('removed-test', before, {})).toEqual([])
})

test('callers in other files are places that show the fault as well', () => {
  const files = {
    'src/a.ts': 'export function add(a: number): number {\n  return a\n}\n',
    'src/b.ts': "import { add } from './a.ts'\nconst c = add(1)\n",
  }
  const [stale] = spoil('stale-caller', files)
  expect(stale?.texts['src/a.ts']).toContain('add(a: number, strict: boolean)')
  expect(stale?.also).toEqual([{ file: 'src/b.ts', start: 2, end: 2, side: 'right' }])
  expect(spoil('renamed-export', files)[0]?.texts['src/a.ts']).toContain('function addNow(')
  expect(spoil('stale-caller', { 'src/a.ts': files['src/a.ts'] })).toEqual([])
})

test('a secret is made up of the random numbers, and differs from place to place', () => {
  const [one] = spoil('hard-coded-secret', { 'a.py': '"""Doc."""\n\ndef f():\n    return 1\n' })
  expect(one?.texts['a.py']).toMatch(/^SERVICE_TOKEN = "ghp_[A-Za-z0-9]{36}"$/m)
  expect(one?.place.start).toBe(3)
})
