/** Uses are resolved by the rules of each language; a like name never becomes an edge. */
import { describe, expect, test } from 'vitest'
import { findCallers } from '../../../src/code-index/query/callers.ts'
import { findDefinitions } from '../../../src/code-index/query/definitions.ts'
import { findReferences } from '../../../src/code-index/query/references.ts'
import { doubts, edges, target, treeOf } from './open-repo.ts'

const typescript = {
  'src/store.ts': `export class Store {
  constructor(readonly name: string) {}
  loadItem(id: string): string {
    return this.name + id
  }
  reload(): string {
    return this.loadItem('x')
  }
}
export function open(name: string): Store {
  return new Store(name)
}
export default function launch(): void {}
`,
  'src/index.ts': `export { open as openStore, Store } from './store.ts'\n`,
  'src/app.ts': `import { openStore, Store as Shelf } from './index.ts'
import start from './store.ts'
export function run(other: unknown): string {
  start()
  const shelf: Shelf = openStore('a')
  const open = (name: string) => name
  open('not ours')
  return shelf.loadItem('1') + (other as never as { loadItem(id: string): string }).loadItem('2')
}
export const made = new Shelf('b')
`,
  'src/other.ts': `import { open } from 'elsewhere'
export class Door {
  close(): void {
    open('theirs')
  }
}
`,
  'notes.md': 'Call open before loadItem.\n',
}

test('TypeScript: imports, other names, re-exports and shadows', async () => {
  const tree = await treeOf(typescript)
  const found = await findReferences(tree, await target(tree, 'src/store.ts:10'))
  expect(edges(found)).toEqual([
    'src/app.ts:1 import re-export chain 0.95',
    'src/app.ts:5 call re-export chain 0.95 in run',
    'src/index.ts:1 export import 1',
  ])
  expect(doubts(found)).toEqual([])
  // The local of the same name, the call of it, and what comes from another package.
  expect(found.elsewhere).toBeGreaterThanOrEqual(3)
  expect(found.textOnly).toEqual(['notes.md'])
  expect(found.emptiness).toBeNull()
  expect(found.limits.join()).toContain('outside this repository')
})

test('TypeScript: the default export is found under whatever name it is imported', async () => {
  const tree = await treeOf(typescript)
  expect(edges(await findReferences(tree, await target(tree, 'launch')))).toEqual([
    'src/app.ts:2 import import 1',
    'src/app.ts:4 call import 1 in run',
  ])
})

test('TypeScript: a member needs a receiver whose type is known, or a name that only it has', async () => {
  const tree = await treeOf(typescript)
  const found = await findReferences(tree, await target(tree, 'Store.loadItem'))
  expect(edges(found)).toEqual([
    'src/app.ts:8 call receiver type 0.9 in run',
    'src/app.ts:8 call unique name 0.5 in run',
    'src/store.ts:7 call receiver type 0.9 in reload',
  ])
})

test('TypeScript: a constructor is used where its class is made', async () => {
  const tree = await treeOf(typescript)
  const found = await findReferences(tree, await target(tree, 'src/store.ts:2'))
  expect(found.target.name).toBe('constructor')
  expect(edges(found)).toEqual([
    'src/app.ts:10 call re-export chain 0.95 in made',
    'src/store.ts:11 call same file 1 in open',
  ])
})

test('a member of a common name with an unknown receiver is listed apart', async () => {
  const tree = await treeOf({
    'a.py': `class Box:
    def get(self, key):
        return key

def use(thing, box: Box):
    thing.get(1)
    return box.get(2)
`,
    'b.py': `def get(key):\n    return key\n\nget(3)\n`,
  })
  const found = await findReferences(tree, await target(tree, 'Box.get'))
  expect(edges(found)).toEqual(['a.py:7 call receiver type 0.9 in use'])
  expect(doubts(found)).toEqual(['a.py:6 call a local of unknown type'])
  expect(found.elsewhere).toBe(1)
})

test('Go: packages, and a definition for each platform', async () => {
  const tree = await treeOf({
    'go.mod': 'module example.com/shop\n',
    'price/price_linux.go': 'package price\n\nfunc Cents(n int) int { return n }\n',
    'price/price_darwin.go': 'package price\n\nfunc Cents(n int) int { return n + 0 }\n',
    'main.go': `package main

import "example.com/shop/price"

func main() {
	price.Cents(2)
	println(Cents(3))
}

func Cents(n int) int { return n }
`,
  })
  const found = await findReferences(tree, await target(tree, 'price/price_linux.go:3'))
  expect(edges(found)).toEqual(['main.go:6 call ambiguous 0.4 in main'])
  const own = await findReferences(tree, await target(tree, 'main.go:10'))
  expect(edges(own)).toEqual(['main.go:7 call same file 1 in main'])
})

test('Java: the overload with as many parameters, and ambiguity where two fit', async () => {
  const tree = await treeOf({
    'shop/Cart.java': `package shop;
public class Cart {
  public void add(String id) {}
  public void add(String id, int count) {}
  public void add(String id, long count) {}
}
`,
    'shop/Use.java': `package shop;
public class Use {
  void go(Cart cart) {
    cart.add("a");
    cart.add("a", 2);
  }
}
`,
  })
  expect(edges(await findReferences(tree, await target(tree, 'shop/Cart.java:3')))).toEqual([
    'shop/Use.java:4 call receiver type 0.9 in go',
  ])
  expect(edges(await findReferences(tree, await target(tree, 'shop/Cart.java:4')))).toEqual([
    'shop/Use.java:5 call ambiguous 0.4 in go',
  ])
})

test('TypeScript: a private name of a class is found by it, with and without its mark', async () => {
  const tree = await treeOf({
    'queue.ts':
      'export class Queue {\n  #count = 0\n  #stop(): number {\n    return this.#count\n  }\n  add(): number {\n    return this.#stop()\n  }\n}\n',
  })
  for (const name of ['#stop', 'stop', 'Queue.stop', 'Queue.#stop'])
    expect((await findDefinitions(tree, name)).definitions.map(({ line }) => line)).toEqual([3])
  expect(edges(await findReferences(tree, await target(tree, 'queue.ts:3')))).toEqual([
    'queue.ts:7 call receiver type 0.9 in add',
  ])
})

test('Ruby: a predicate and a bang are found by their names, through an index too', async () => {
  const files = {
    'a.rb':
      'class Store\n  def open?\n    true\n  end\n  def save!\n    open?\n  end\nend\n\nstore = Store.new\nputs store.open?\n',
  }
  for (const indexed of [false, true]) {
    const tree = await treeOf(files, { indexed })
    expect((await findDefinitions(tree, 'open?')).definitions.map(({ line }) => line)).toEqual([2])
    const found = await findReferences(tree, await target(tree, 'a.rb:2'))
    expect(found.references.map(({ line }) => line)).toEqual([6, 11])
  }
})

test('C: what a macro is replaced by is shown, though its grammar reads it as text', async () => {
  const tree = await treeOf({
    'opt.h': '#define OPT_NAN (1 << 25)\n',
    'opt.c': '#include "opt.h"\nint f(int flags) { return flags & OPT_NAN; }\n',
    'use.c':
      '#include "opt.h"\n#define PARAM(x) \\\n  { x, .flags = OPT_NAN }\n/* OPT_NAN is for floats */\n',
  })
  const found = await findReferences(tree, await target(tree, 'opt.h:1'))
  expect(found.references.map(({ path, line }) => `${path}:${line}`)).toEqual(['opt.c:2'])
  expect(found.unresolved.map(({ path, line }) => `${path}:${line}`)).toEqual(['use.c:3'])
})

test('emptiness is evidence only when nothing could hide a use', async () => {
  const tree = await treeOf({
    'a.ts': 'function lonely(): void {}\nfunction named(): void {}\nexport const x = 1\n',
    'class.ts': 'export class A {\n  get(): number {\n    return 1\n  }\n}\n',
    'use.ts': 'export function use(a: never): number {\n  return a.get()\n}\n',
    'page.html': '<a onclick="named()">\n',
  })
  const of = async (name: string) => (await findReferences(tree, await target(tree, name))).emptiness
  expect(await of('lonely')).toEqual({
    isEvidence: true,
    why: 'nothing else in this tree uses `lonely` by name',
  })
  expect(await of('named')).toEqual({
    isEvidence: false,
    why: '1 file that is text only mentions `named`',
  })
  expect((await of('A.get'))?.isEvidence).toBe(false)
})

test('words kept in memory give the same answers as a pass over the bytes', async () => {
  const lazy = await treeOf(typescript)
  const kept = await treeOf(typescript, { indexed: true })
  for (const name of ['src/store.ts:10', 'launch', 'Store', 'Store.loadItem', 'made'])
    expect(await findReferences(kept, await target(kept, name))).toEqual(
      await findReferences(lazy, await target(lazy, name)),
    )
})

describe('an empty answer accounts for every occurrence of the word', () => {
  const wrapped = `;(function () {
  function baseMerge(object) {
    return baseMergeDeep(object, baseMerge)
  }
  function baseMergeDeep(object, merge) {
    return merge ? object : null
  }
  var runInContext = (function runInContext(context) {
    function mixin(object) {
      return baseMerge(object)
    }
    function idle(object) {
      return object
    }
    context.mixin = mixin
    return context
  })
  module.exports = runInContext({})
}.call(this))
`

  test('functions inside one large function expression, with a second definition in a built file', async () => {
    const tree = await treeOf({ 'lodash.js': wrapped, 'dist/lodash.js': wrapped })
    const [one, other] = await Promise.all(
      ['lodash.js:2', 'lodash.js:5'].map(async (place) => findReferences(tree, await target(tree, place))),
    )
    expect(one?.references.map(({ path, line, role }) => `${path}:${line} ${role}`)).toEqual([
      'lodash.js:3 read',
      'lodash.js:10 call',
    ])
    expect(other?.references.map(({ line }) => line)).toEqual([3])
    const idle = await findReferences(tree, await target(tree, 'lodash.js:12'))
    expect([idle.references, idle.emptiness?.isEvidence]).toEqual([[], true])
  })

  test.each([
    ['a string that is the name', 'b.py', 'import a\n\nprint(getattr(a, "spare"))\n'],
    ['a path that holds the name', 'b.py', 'TASKS = ["a.spare"]\n'],
    ['a macro', 'b.rs', 'macro_rules! call { () => { spare!() } }\n'],
    ['a template', 'b.js', `export const text = (a) => \`$\{a.b}spare\`\n`],
  ])('%s', async (_, path, text) => {
    const tree = await treeOf({ 'a.py': 'def spare():\n    return 1\n', [path]: text })
    const { emptiness, unresolved } = await findReferences(tree, await target(tree, 'a.py:1'))
    expect(emptiness?.isEvidence).toBe(false)
    expect(unresolved.map((use) => use.path)).toContain(path)
  })

  test.each([
    ['a comment', 'b.py', '# spare is no more\n'],
    ['a sentence', 'b.py', 'print("there is no spare one")\n'],
    ['a local of the name', 'b.js', 'export function f(spare) {\n  return spare + 1\n}\n'],
    ['another definition', 'b.py', 'def spare():\n    return 2\n'],
  ])('%s is accounted for', async (_, path, text) => {
    const tree = await treeOf({ 'a.py': 'def spare():\n    return 1\n', [path]: text })
    expect((await findReferences(tree, await target(tree, 'a.py:1'))).emptiness).toEqual({
      isEvidence: true,
      why: 'nothing else in this tree uses `spare` by name',
    })
  })

  test.each([
    ['a.test.js', "test('adds two numbers', () => {\n  add(1, 2)\n})\n"],
    ['test_a.py', 'def test_adding():\n    assert 1 + 1 == 2\n'],
  ])('a test is called by its runner: %s', async (path, text) => {
    const tree = await treeOf({ [path]: text })
    const { emptiness } = await findReferences(tree, await target(tree, `${path}:1`))
    expect(emptiness).toEqual({ isEvidence: false, why: 'it is a test, which its runner calls and no code' })
  })

  test('a default export of a module that is imported as a whole', async () => {
    const tree = await treeOf({
      'src/page.tsx': 'export default function Page() {\n  return null\n}\n',
      'src/app.tsx': "import { lazy } from 'react'\n\nconst routes = [lazy(() => import('./page'))]\n",
    })
    const { emptiness, unresolved } = await findReferences(tree, await target(tree, 'src/page.tsx:1'))
    expect(emptiness?.isEvidence).toBe(false)
    expect(unresolved.map(({ path, line }) => `${path}:${line}`)).toEqual(['src/app.tsx:3'])
  })

  test('a name that is defined in no way that is read', async () => {
    const tree = await treeOf({ 'a.js': 'export function f() {\n  const inner = 1\n  return inner\n}\n' })
    expect((await findDefinitions(tree, 'inner')).emptiness?.isEvidence).toBe(false)
  })

  test('callers: it is only imported, and a string holds its name', async () => {
    const tree = await treeOf({
      'a.py': 'def spare():\n    return 1\n',
      'b.py': 'from a import spare\n\nHANDLERS = ["spare"]\n',
    })
    const { callers, emptiness } = await findCallers(tree, await target(tree, 'a.py:1'))
    expect([callers, emptiness?.isEvidence]).toEqual([[], false])
  })
})
