/** The small readers under the resolvers: receivers, initialisers, JSON with comments, path patterns. */
import { expect, test } from 'vitest'
import { firstResult, initialiserAt } from '../../../src/code-index/resolve/initialiser.ts'
import { matchStar, parseJsonObject } from '../../../src/code-index/resolve/languages/typescript-packages.ts'
import { splitLines } from '../../../src/code-index/resolve/lines.ts'
import { readReceiver } from '../../../src/code-index/resolve/receiver.ts'
import { indexPaths, joinPath } from '../../../src/code-index/resolve/world.ts'

test.each([
  ['a.b', [['a'], ['b']]],
  ['crate::a::B', [['crate'], ['a'], ['B']]],
  ['open(x, y.z).inner', [['open', 'called'], ['inner']]],
  ['new a.Foo(1).bar', [['a'], ['Foo', 'called', 'made'], ['bar']]],
  ['items[0].name', null],
  ['(a || b).c', null],
  [`a.${'b'.repeat(130)}`, null],
])('the receiver %s', (text, expected) => {
  const steps = readReceiver(text)
  const words = steps?.map(({ name, called, made }) => [
    name,
    ...(called ? ['called'] : []),
    ...(made ? ['made'] : []),
  ])
  expect(words ?? null).toEqual(expected)
})

test.each([
  ['typescript', 'const store = await open(")")', null],
  ['typescript', 'const store = await open({ a: [1] })', 'open()'],
  ['typescript', 'const store = new Store<string>(1)', 'new Store()'],
  ['kotlin', '  val store = app.open<Store>()\n    .twice()', 'app.open().twice()'],
  ['php', '    $store = $this->app->make(1)->store;', 'this.app.make().store'],
  ['php', '    $store = new \\A\\Store($x);', 'new $.A.Store()'],
  ['php', '    $store = $a . $b;', null],
  ['csharp', '    var store = (Shop.Store)given;', 'new Shop.Store()'],
  ['ruby', '    store ||= Store.new(1)', 'Store.new()'],
  ['typescript', 'let store = this.app.store', 'this.app.store'],
  ['typescript', 'const store = a + b', null],
  ['typescript', 'store === other', null],
  ['go', '\tif store, err := db.Open(name); err != nil {', 'db.Open()'],
  ['go', '\tstore = &Store{}', null],
  ['python', '    self.store = make_store(a, b=1)  # why', 'make_store()'],
  ['python', 'store: Store = make()', 'make()'],
  ['rust', '    let mut store = Store::open(path)?;', 'Store::open()'],
])('in %s, %s', (language, line, expected) => {
  const found = initialiserAt(splitLines(line), language, 'store', 1)
  expect(found === null || found === 'unclear' ? null : found.expression).toBe(expected)
})

test('the first of several results, and what is inside of wrapped ones', () => {
  expect(firstResult('(*Store, error)', 'go', false)).toBe('*Store')
  expect(firstResult('(s *Store, err error)', 'go', false)).toBe('*Store')
  expect(firstResult('-> Result<Store, Error>', 'rust', true)).toBe('Store')
  expect(firstResult(': Promise<Store>', 'typescript', false)).toBe('Store')
})

test('JSON with comments and trailing commas; anything else is null', () => {
  expect(parseJsonObject('{ // a\n "x": "//not", /* b */ "y": [1, 2,], }')).toEqual({ x: '//not', y: [1, 2] })
  for (const broken of ['', '[]', '{', 'null', '{ "a": ']) expect(parseJsonObject(broken)).toBeNull()
  expect(parseJsonObject(`\uFEFF{ /* ${'long '.repeat(200_000)} */ "x": 1 }`)).toEqual({ x: 1 })
  expect(parseJsonObject(`{ "x": 1 ${'//'.repeat(500_000)}\n}`)).toEqual({ x: 1 })
  expect(parseJsonObject(`{ "x": ${'['.repeat(500_000)}`)).toBeNull()
})

test('path patterns with one star', () => {
  expect(matchStar('@/*', '@/a/b')).toBe('a/b')
  expect(matchStar('*.js', 'a.js')).toBe('a')
  expect(matchStar('exact', 'exact')).toBe('')
  expect(matchStar('a*a', 'a')).toBeNull()
})

test('trees with the same paths keep their own entries', () => {
  const entry = (path: string, size: number) => ({ path, mode: '100644', blob: `${path}${size}`, size })
  const one = indexPaths([entry('a.ts', 1), entry('b.ts', 2)])
  const other = indexPaths([entry('a.ts', 30), entry('b.ts', 2)])
  expect([one.entry('a.ts')?.size, other.entry('a.ts')?.size]).toEqual([1, 30])
  expect([one.largerThan(10), other.largerThan(1)]).toEqual([[], ['a.ts', 'b.ts']])
})

test('paths of a tree: folders, base names, no links, no way out', () => {
  const entry = (path: string, mode = '100644') => ({ path, mode, blob: 'x', size: 1 })
  const paths = indexPaths([entry('a/b/c.ts'), entry('a/d.ts'), entry('x/a/b/e.ts'), entry('link', '120000')])
  expect(paths.has('link')).toBe(false)
  expect(paths.hasFolder('a/b')).toBe(true)
  expect(paths.filesIn('a')).toEqual(['a/d.ts'])
  expect(paths.foldersEndingWith('a/b')).toEqual(['a/b', 'x/a/b'])
  const others = indexPaths([entry('a/b/c.ts'), entry('a/d.ts'), entry('x/a/b/e.ts'), entry('link')])
  expect([paths.has('link'), others.has('link')]).toEqual([false, true])
  expect(joinPath('a/b', '../../c')).toBe('c')
  expect(joinPath('a', '../../c')).toBeNull()
})
