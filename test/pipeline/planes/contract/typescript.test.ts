/** Broken uses in TypeScript, and uses that still work. */
import { expect, test } from 'vitest'
import { brokenUses } from './broken-uses.ts'

test('a byte order mark and a long comment hide no path mapping', async () => {
  const mapped = await brokenUses(
    {
      'tsconfig.json': `\ufeff/* ${'x'.repeat(6_000)} */{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }\n`,
      'src/parse.ts': 'export function parse(text: string) {\n  return text\n}\n',
      'app/mapped.ts': "import { parse } from '@/parse'\nparse('a')\n",
    },
    {
      'src/parse.ts':
        'export function parse(text: string, strict: boolean) {\n  return strict ? text : null\n}\n',
    },
  )
  expect(mapped).toEqual(['app/mapped.ts:2 signature-arity passes 1 argument, it takes 2'])
})

test('calls that do not fit the new parameters, through every kind of import', async () => {
  const found = await brokenUses(
    {
      'tsconfig.json': '{\n  // comment\n  "compilerOptions": { "paths": { "@/*": ["./src/*"] }, },\n}\n',
      'packages/kit/package.json': '{ "name": "@acme/kit", "main": "./dist/index.js" }\n',
      'packages/kit/src/index.ts': "export * from '../../../src/parse.js'\n",
      'src/parse.ts': 'export function parse(text: string) {\n  return text\n}\nexport default parse\n',
      'src/index.ts': "export { parse as read } from './parse'\n",
      'src/direct.ts': "import { parse } from './parse'\nparse('a')\n",
      'src/renamed.ts': "import { parse as p } from './parse.js'\np('a')\n",
      'src/barrel.ts': "import { read } from '.'\nread('a')\n",
      'src/star.ts': "import * as parser from './parse.ts'\nparser.parse('a')\n",
      'src/standard.ts': "import anything from './parse'\nanything('a')\n",
      'src/mapped.ts': "import { parse } from '@/parse'\nparse('a')\n",
      'app/package.ts': "import { parse } from '@acme/kit'\nparse('a')\n",
      'app/later.ts':
        "export async function run() {\n  const { parse } = await import('../src/parse')\n  return parse('a')\n}\n",
      'src/fits.ts': "import { parse } from './parse'\nparse('a', true)\nparse(...['a', true])\n",
      'src/shadow.ts':
        "import { parse } from './parse'\nexport const f = (parse: (x: string) => void) => parse('a')\nexport { parse }\n",
      'src/other.ts':
        "import { parse } from 'elsewhere'\nparse('a')\n// parse('a')\nexport const s = \"parse('a')\"\n",
    },
    {
      'src/parse.ts':
        'export function parse(text: string, strict: boolean) {\n  return strict ? text : null\n}\nexport default parse\n',
    },
  )
  const words = 'signature-arity passes 1 argument, it takes 2'
  expect(found).toEqual([
    `app/later.ts:3 ${words}`,
    `app/package.ts:2 ${words}`,
    `src/barrel.ts:2 ${words}`,
    `src/direct.ts:2 ${words}`,
    `src/mapped.ts:2 ${words}`,
    `src/renamed.ts:2 ${words}`,
    `src/standard.ts:2 ${words}`,
    `src/star.ts:2 ${words}`,
  ])
})

test('imports of what is removed, renamed, moved or no longer handed on', async () => {
  const found = await brokenUses(
    {
      'src/gone.ts': 'export const here = 1\n',
      'src/a.ts':
        'export function removed() {\n  return [1, 2, 3].map((x) => x + 1)\n}\nexport function kept() {\n  return 4\n}\nexport function hidden() {\n  return 5\n}\nexport function local() {\n  return hidden() + 1\n}\n',
      'src/index.ts': "export { kept } from './a'\nexport { local } from './a'\n",
      'src/use.ts': "import { removed, kept } from './a'\nremoved(kept())\n",
      'src/hidden.ts': "import { hidden } from './a'\nhidden()\n",
      'src/barrel.ts': "import { kept, local } from '.'\nkept(local())\n",
      'src/module.ts': "import { here } from './gone'\nexport const x = here\n",
      'src/type.ts': "export type T = typeof import('./gone')\n",
      'src/own.ts':
        "import { kept } from './a'\nexport function removed() {\n  return kept()\n}\nremoved()\n",
    },
    {
      'src/gone.ts': null,
      'src/a.ts':
        'export function kept() {\n  return 4\n}\nfunction hidden() {\n  return 5\n}\nexport function local() {\n  return hidden() + 1\n}\n',
      'src/index.ts': "export { local } from './a'\n",
    },
  )
  expect(found).toEqual([
    'src/barrel.ts:1 import-not-exported `src/index.ts` does not export it',
    'src/hidden.ts:1 import-not-exported `src/a.ts` does not export it',
    'src/module.ts:1 missing-module `src/gone.ts` was removed',
    'src/type.ts:1 missing-module `src/gone.ts` was removed',
    'src/use.ts:1 removed-symbol `src/a.ts` does not export it',
  ])
})

test('a symbol that moved is fine where its old path still hands it on', async () => {
  const body =
    'export function slug(text: string) {\n  return text.trim().toLowerCase().replaceAll(" ", "-")\n}\n'
  const files = {
    'src/text.ts': `${body}export const other = 1\n`,
    'src/names.ts': 'export const name = 1\n',
    'src/use.ts': "import { slug } from './text'\nslug('A b')\n",
  }
  const moved = {
    'src/text.ts': 'export const other = 1\n',
    'src/names.ts': `export const name = 1\n${body}`,
  }
  expect(await brokenUses(files, moved)).toEqual([
    'src/use.ts:1 moved-symbol `src/text.ts` does not export it',
  ])
  expect(
    await brokenUses(files, {
      ...moved,
      'src/text.ts': "export { slug } from './names'\nexport const other = 1\n",
    }),
  ).toEqual([])
})

test('members through this, instances, fields, returned types and subclasses, and of the right class only', async () => {
  const store = (method: string) =>
    `export class Store {\n  ${method}\n  twice() {\n    return this.load('a')\n  }\n}\nexport function open(): Store {\n  return new Store()\n}\n`
  const found = await brokenUses(
    {
      'src/store.ts': store('load(key: string) { return key }'),
      'src/made.ts': "import { Store } from './store'\nconst store = new Store()\nstore.load('a')\n",
      'src/typed.ts':
        "import type { Store } from './store'\nexport function f(store: Store | null) {\n  store?.load('a')\n}\n",
      'src/field.ts':
        "import { Store } from './store'\nexport class App {\n  constructor(private readonly store: Store) {}\n  run() {\n    return this.store.load('a')\n  }\n}\n",
      'src/returned.ts':
        "import { open } from './store'\nexport function f() {\n  const store = open()\n  return store.load('a')\n}\n",
      'src/sub.ts':
        "import { Store } from './store'\nexport class Sub extends Store {\n  more() {\n    return this.load('a')\n  }\n}\nnew Sub().load('b')\n",
      'src/other.ts':
        'class Other {\n  load(key: string) { return key }\n}\nexport const o = new Other().load("a")\n',
      'src/unknown.ts': 'export const f = (store: any) => store.load("a")\n',
    },
    { 'src/store.ts': store('load(key: string, fresh: boolean) { return fresh ? key : key }') },
  )
  expect(found.map((line) => line.split(' ')[0])).toEqual([
    'src/field.ts:5',
    'src/made.ts:3',
    'src/returned.ts:4',
    'src/store.ts:4',
    'src/sub.ts:4',
    'src/sub.ts:7',
    'src/typed.ts:3',
  ])
})

test('constructors that appear, grow and vanish', async () => {
  const use = "import { A, B } from './a'\nnew A()\nnew B(1)\nclass C extends A {}\nnew C()\n"
  const found = await brokenUses(
    {
      'src/a.ts': 'export class A {\n  x = 1\n}\nexport class B {\n  constructor(n: number) {}\n}\n',
      'src/use.ts': use,
    },
    { 'src/a.ts': 'export class A {\n  x = 1\n  constructor(n: number) {}\n}\nexport class B {\n}\n' },
  )
  expect(found.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
    'src/use.ts:2 signature-arity',
    'src/use.ts:3 signature-arity',
    'src/use.ts:5 signature-arity',
  ])
})

test('classes that lack what their interface asks for now, and overrides of what is gone', async () => {
  const found = await brokenUses(
    {
      'src/plane.ts': 'export interface Plane {\n  look(): void\n}\nexport class Base {\n  start() {}\n}\n',
      'src/a.ts': "import type { Plane } from './plane'\nexport class A implements Plane {\n  look() {}\n}\n",
      'src/b.ts':
        "import type { Plane } from './plane'\nexport class B implements Plane {\n  look() {}\n  rest() {}\n}\n",
      'src/c.ts': "import { Base } from './plane'\nexport class C extends Base {\n  override start() {}\n}\n",
    },
    {
      'src/plane.ts':
        'export interface Plane {\n  look(): void\n  rest(): void\n  maybe?(): void\n}\nexport class Base {\n  begin(n: number) {\n    return n\n  }\n}\n',
    },
  )
  expect(found).toEqual([
    'src/a.ts:2 implementer-not-updated it has no `rest`',
    'src/c.ts:3 override-not-updated it overrides nothing now',
  ])
})

test('a member of a telling name counts where its receiver is unknown, unless something else could have it', async () => {
  const type = (field: string) => `export interface Extra {\n  ${field}: number\n  signal: string\n}\n`
  const files = {
    'src/extra.ts': type('requestedTtlMs'),
    'src/use.ts': 'declare function on(f: (extra: any) => void): void\non((extra) => extra.requestedTtlMs)\n',
  }
  expect(await brokenUses(files, { 'src/extra.ts': type('ttl') })).toEqual([
    expect.stringMatching(/^src\/use\.ts:2 \w+-symbol the only member with this name was removed$/),
  ])
  const made = { ...files, 'src/make.ts': 'export const made = { requestedTtlMs: 1 }\n' }
  expect(await brokenUses(made, { 'src/extra.ts': type('ttl') })).toEqual([])
})

test('overloads: one that still fits is enough', async () => {
  const overloads = (last: string) =>
    `export function on(name: string): void\nexport function on(name: string, ${last}): void\nexport function on(...all: unknown[]) {}\n`
  const use = "import { on } from './on'\non('a')\non('a', 1)\n"
  expect(
    await brokenUses(
      { 'on.ts': overloads('n: number'), 'use.ts': use },
      { 'on.ts': overloads('n: number, m: number') },
    ),
  ).toEqual([])
})
