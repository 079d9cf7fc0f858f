/**
 * What the table of each language finds: the page of facts beside its sample, worked out by hand before it was compared, and
 * below what a sample has no room for. `vitest run -u` writes a page again: read what it changed.
 */
import { expect, test } from 'vitest'
import type { FileFacts } from '../../src/code-index/contract.ts'
import {
  factReader,
  factsPage,
  fixture,
  imports,
  outline,
  parameters,
  samples,
  supertypes,
  symbol,
  uses,
} from './read-facts.ts'

const read = factReader()

test.each([...Object.values(samples), 'sample.bats'])('%s', async (name) => {
  await expect(factsPage(await read(name, fixture(name)))).toMatchFileSnapshot(`fixtures/${name}.facts`)
})

const exportsOf = ({ exports }: FileFacts) =>
  exports.map(({ exported, local }) => `${local} as ${exported}`).join(', ')

// What may be many words leaves the number of arguments open; a local of Java hides no method; a function expression is known
// by its name inside it only; `var` is hoisted, `let` is not.
test.each([
  [
    'a.sh',
    'save',
    'save "$a" b\nsave $rest\nsave "$@"\n',
    '1 call save(2), 2 call save(0 *), 3 call save(0 *)',
  ],
  [
    'B.java',
    'run',
    'class B { void f(Runnable run) { run(); run.run(); } }',
    '1 call run(0) in B.f, 1 read run in B.f local, 1 call run . run(0) in B.f',
  ],
  ['a.js', 'again', 'run(function again() { again() })\nagain()\n', '1 call again(0) local, 2 call again(0)'],
  ['b.js', 'y', 'function f() {\n  if (x) {\n    var y = 1\n  }\n  return y\n}\n', '5 read y in f local'],
  ['c.js', 'z', 'function f() {\n  if (x) {\n    let z = 1\n  }\n  return z\n}\n', '5 read z in f'],
])('%s: uses of %s', async (path, name, text, expected) => {
  expect(uses(await read(path, text), name).join(', ')).toBe(expected)
})

test('Go: a method finds its type wherever that stands', async () => {
  const facts = await read('a.go', 'package a\n\nfunc (t *Late) F() {}\n\ntype Late struct{}\n')
  expect(outline(facts)).toEqual(['3-3 exported method Late.F', '5-5 exported struct Late'])
  expect(facts.parents).toEqual([1, null])
})

test.each(['a.c', 'a.cpp'])(
  '%s: a pointer to a function that a macro marks names no function',
  async (path) => {
    const { symbols, references } = await read(path, 'struct api {\n  size (CALL *count)(int all);\n};\n')
    expect(symbols.map(({ name }) => name)).not.toContain('size')
    expect(references.map(({ name }) => name)).toContain('size')
  },
)

test('Python: a package passes its imports on; a dedent changes the body, layout and words do not', async () => {
  const text = 'from .x import y\n'
  expect(imports(await read('pkg/__init__.py', text))).toEqual(['1 y as y from .x again'])
  expect(imports(await read('pkg/other.py', text))).toEqual(['1 y as y from .x'])
  const body = async (text: string) => symbol(await read('h.py', text), 'f').bodyHash
  const plain = await body('def f(a):\n    if a:\n        one()\n        two()\n')
  const laidOut = 'def f(a):\n    """Docs."""\n    if a:  # why\n      one( )\n\n      two()\n'
  expect(await body(laidOut)).toBe(plain)
  expect(await body('def f(a):\n    if a:\n        one()\n    two()\n')).not.toBe(plain)
})

test('signatures as written, the lines of names, and which symbol is in which', async () => {
  const facts = await read('src/sample.ts', fixture('sample.ts'))
  const text = (name: string) => symbol(facts, name).signature.text
  expect(text('Cache.load')).toBe(
    'async load(id: string, { deep, wide: broad = 2 }: Options = {}): Promise<T>',
  )
  expect(text('Cache.first')).toBe('get first(): T')
  expect(text('Id')).toBe('type Id = string | number')
  expect(text('build')).toBe('const build = async (url: URL): Promise<Cache<Line>>')
  expect(symbol(facts, 'Cache').nameLine).toBe(11)
  expect(symbol(await read('a.py', fixture('sample.py')), 'fetch').nameLine).toBe(15)
  const parentOf = (name: string) => {
    const index = facts.parents[facts.symbols.indexOf(symbol(facts, name))]
    return typeof index === 'number' ? facts.symbols[index]?.name : null
  }
  const parents = ['Cache', 'Cache.load', 'Cache.store', 'main.inner'].map(parentOf)
  expect(parents).toEqual([null, 'Cache', 'Cache', 'main'])
})

test('test calls are tests, named by their string', async () => {
  const facts = await read(
    'a.test.ts',
    "describe('cache', () => {\n  it.skip('loads', async () => {\n    load()\n  })\n  test.each([1])(`row  one`, (row) => row)\n})\nregex.test('x', () => 1)\n",
  )
  expect(outline(facts)).toEqual([
    '1-6 private function cache (test)',
    '2-4 private function cache.loads (test)',
    '5-5 private function cache.row one (test)',
  ])
  expect(uses(facts, 'load')).toEqual(['3 call load(0) in cache.loads'])
})

test('overloads of a method are symbols of their own', async () => {
  const facts = await read('a.ts', 'class A {\n  f(a: string): void\n  f(): void\n  f(a?: string) {}\n}\n')
  expect(outline(facts).slice(1)).toEqual([2, 3, 4].map((line) => `${line}-${line} exported method A.f`))
})

test('a broken file keeps what can be read, and one odd construct condemns its lines alone', async () => {
  const broken = 'export function whole(a: number) {}\nconst broken = (\nclass After {}\n'
  const facts = await read('broken.ts', broken)
  expect(outline(facts)[0]).toBe('1-1 exported function whole')
  expect(facts.errorLines[0]?.startLine).toBeGreaterThan(1)
  const good = Array.from({ length: 20 }, (_, at) => `export const a${at} = call(${at})\n`).join('')
  const odd = await read('odd.ts', `${good}interface I {\n  <T>(a: T): T\n  <T, U>(b: U): T\n}\n${good}`)
  expect(uses(odd, 'call')).toHaveLength(40)
  const condemned = odd.errorLines.map(({ startLine, endLine }) => endLine - startLine + 1)
  expect(condemned.reduce((sum, lines) => sum + lines, 0)).toBeLessThan(6)
  expect(condemned.length).toBeGreaterThan(0)
})

test('components are called with unknown arguments, elements are not', async () => {
  const text = 'export const App = () => <div id="x"><Card.Head big {...rest} /></div>\n'
  const facts = await read('a.tsx', text)
  expect(uses(facts, 'Head')).toEqual(['1 call Card . Head(0 *) in App'])
  expect(uses(facts, 'div')).toEqual([])
  expect(uses(facts, 'big')).toEqual(['1 property big in App'])
})

test.each([
  ['(function () {', '}())'],
  ["'use strict'\n;(function ($, undefined) {", '})(jQuery)'],
  ['(() => {', '})()'],
  ['!function () {', '}()'],
  ['(function () {', '}).call(this)'],
  ['(async () => {', '})().catch(console.error)'],
  ['(function (root, factory) {\n  root.shop = factory()\n}(this, function () {', '}))'],
])('a function around a whole script is its module: %s', async (open, close) => {
  const body = `const RATE = 2
function total(order) {
  const count = 1
  return order * RATE + count
}
module.exports = { total }`
  const shapes = (text: string) =>
    read('a.js', text).then(({ symbols, references, exports }) => ({
      symbols: symbols.map(({ name, kind, scope, visibility }) => [name, kind, scope, visibility]),
      exports: exports.map(({ exported, local }) => [exported, local]),
      locals: references.filter(({ shadowed }) => shadowed).map(({ name }) => name),
    }))
  const bare = await shapes(body)
  const { locals, ...wrapped } = await shapes(`${open}\n${body}\n${close}\n`)
  expect(wrapped).toEqual({ symbols: bare.symbols, exports: bare.exports })
  expect(locals.filter((name) => name !== 'factory' && name !== 'root')).toEqual(bare.locals)
})

test('a function that is called at once beside other code, or is not called, holds locals', async () => {
  for (const text of [
    '(function () {\n  const RATE = 2\n  use(RATE)\n}())\nconst other = 1\n',
    '(function () {\n  const RATE = 2\n  use(RATE)\n})\n',
    'run(function () {\n  const RATE = 2\n  use(RATE)\n})\n',
  ]) {
    const { symbols, references } = await read('a.js', text)
    expect(symbols.map(({ name }) => name)).not.toContain('RATE')
    expect(references.find(({ name }) => name === 'RATE')?.shadowed).toBe(true)
  }
})

test('CommonJS exports and functions assigned to members', async () => {
  const facts = await read(
    'a.cjs',
    `const { parse: read } = require('./parse')
const whole = require('./whole').inner
exports.one = function (a, b = 1) {}
module.exports.two = read
Widget.prototype.draw = function (canvas) { return canvas }
module.exports = { read, three: helper, four() {} }
class Box extends Base {
  size = 1
  open = () => { this.lid = 1 }
}`,
  )
  expect(imports(facts)).toEqual(['1 parse as read from ./parse', '2 inner as whole from ./whole'])
  expect(exportsOf(facts)).toBe('one as one, read as two, read as read, helper as three, four as four')
  expect(outline(facts)).toEqual([
    '3-3 exported function one',
    '5-5 exported method Widget.draw',
    '6-6 exported method four',
    '7-10 private class Box',
    '8-8 exported field Box.size',
    '9-9 exported method Box.open',
  ])
  expect(parameters(symbol(facts, 'one'))).toEqual(['a: null', 'b?: null'])
  expect(supertypes(facts)).toEqual(['Box < Base'])
})

test.each(['a.js', 'a.ts'])('the word default in lists of imports and exports: %s', async (path) => {
  const facts = await read(
    path,
    "import { default as b } from './q'\nexport { default } from './x'\nexport { default as q } from './x'\nexport { z as default } from './x'\nconst client = 1\nexport {\n  client as default, // the client\n  client as 'a b',\n}\n",
  )
  const imported = facts.imports.map(({ imported, local }) => `${imported} as ${local}`)
  expect(imported.join(', ')).toBe('default as b, default as default, default as q, z as default')
  expect(exportsOf(facts)).toBe('client as default, client as a b')
})
