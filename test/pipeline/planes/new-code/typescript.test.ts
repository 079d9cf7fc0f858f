/** New TypeScript code against its repository: names that modules do not export, and calls that do not fit. */
import { expect, test } from 'vitest'
import { newCodePlane } from '../../../../src/pipeline/planes/new-code/plane.ts'
import { reviewChange } from '../review-commit.ts'
import { misuses } from './misuses.ts'

const library = {
  'src/text.ts':
    'export function parse(text: string, strict = false, limit?: number): string { return text }\nexport const { left, right } = { left: 1, right: 2 }\nexport type Shape = { a: number }\nexport enum Color { Red }\nexport namespace Tools { export const x = 1 }\nexport default class Store {\n  constructor(private readonly path: string) {}\n  load(key: string, ...more: string[]): string { return key }\n}\nfunction hidden() {}\n',
  'src/index.ts':
    'export * from "./text"\nexport { parse as read } from "./text"\nexport * as all from "./text"\n',
  'src/open.ts': 'export * from "elsewhere"\n',
  'src/old.js': 'module.exports = { a: 1 }\n',
  'src/view.svelte': '<script></script>\n',
}

test('names that a module does not export', async () => {
  const found = await misuses(
    library,
    {
      'src/use.ts':
        'import Store, { parse, pasre } from "./text"\nimport { hidden } from "./text.js"\nimport type { Shap } from "."\nimport * as text from "./text"\nimport def from "./index"\nexport { lost } from "./index"\n\ntext.gone(pasre)\n',
    },
    true,
  )
  expect(found).toEqual([
    'src/use.ts:1 unknown-export `src/text.ts` has no `pasre`, `hidden`, `gone`',
    'src/use.ts:3 unknown-export `src/index.ts` has no `Shap`, default export, `lost`',
  ])
})

test('names that a module exports, or may export', async () => {
  const found = await misuses(library, {
    'src/use.ts':
      'import Store, { left, right, type Shape, Color, Tools } from "./text"\nimport { parse, read, all } from "."\nimport { anything } from "./open"\nimport { a, b } from "./old"\nimport View, { x } from "./view.svelte"\nimport { y } from "./generated/client"\nimport { z } from "react"\nimport * as text from "./text"\n\ntext.left\nfunction f(text: { nope(): void }) { text.nope() }\n',
  })
  expect(found).toEqual([])
})

test('calls that do not fit, and calls that do', async () => {
  const found = await misuses(
    {
      ...library,
      'src/more.ts':
        'export function over(a: string): void\nexport function over(a: string, b: number): void\nexport function over(a: string, b?: number): void {}\nexport function pick({ a }: { a: number }, [b]: number[] = []) {}\nexport class Later<T> { done(value: T) {} }\nexport const arrow = (a: number) => a\nexport const typed: (a: number, b?: number) => void = (a) => {}\nexport class Plain {}\nexport function bound(this: Window, a: number) {}\n',
    },
    {
      'src/use.ts':
        'import Store, { parse } from "./text"\nimport { over, pick, Later, arrow, typed, Plain, bound } from "./more"\n\nparse()\nparse("a", true, 3, 4)\nnew Store()\nnew Store("a").load()\nover()\nover("a", 1, 2)\narrow()\nnew Plain(1)\nbound()\n\nparse("a", true)\nparse(...["a"])\nnew Store("a").load("b", "c", "d")\nover("a", 1)\npick({ a: 1 })\nnew Later<void>().done()\ntyped(1, 2)\nbound(1)\nfunction f(parse: () => void) { parse() }\n',
    },
  )
  expect(found).toEqual([4, 5, 6, 7, 8, 9, 10, 11, 12].map((line) => `src/use.ts:${line} argument-count`))
})

test('types imported where they are used', async () => {
  const found = await misuses(library, {
    'src/use.ts':
      'export interface Use {\n  a: import("./text.js").Shape\n  b: import("./text.js").Shaep\n}\n',
  })
  expect(found).toEqual(['src/use.ts:3 unknown-export'])
})

test('the claim is confirmed through everything that a file passes on', async () => {
  const use = { 'src/use.ts': 'import { lost } from "./index"\nimport { pasre } from "./text.js"\n' }
  const { findings } = await reviewChange(newCodePlane, library, use)
  // What other files pass on is not in the text of the one that is imported.
  expect(findings.map(({ severity, verifiedBy }) => [severity, verifiedBy.join()])).toEqual([
    ['high', expect.stringContaining('a second witness')],
    ['medium', expect.stringContaining('1 claim confirmed by the code index')],
  ])
})

test('what `import()` gives is a promise, whose members are not those of the module', async () => {
  const found = await misuses(library, {
    'src/use.ts':
      'const commands = {\n  create: () => import("./text.js").then((m) => m.default),\n  read: () => import("./text.js").then(({ parse }) => parse("a")),\n  safe: () => import("./text.js").catch(() => null).finally(() => {}),\n  wrong: () => import("./text.js").then((m) => m.pasre),\n  late: async () => (await import("./text.js")).pasre2,\n}\n',
  })
  expect(found).toEqual(['src/use.ts:5 unknown-export'])
})

test('a star whose file is not in the repository may pass anything on', async () => {
  const client = { 'client/index.d.ts': "export * from './generated'\n" }
  const use = { 'src/use.ts': 'import { Prisma } from "../client"\n\nexport const p = Prisma\n' }
  expect(await misuses(client, use)).toEqual([])
  const gone = {
    'client/index.ts': "export * from './made'\n",
    'client/made.ts': 'export type Made = { first: string; second: number }\n',
  }
  expect(await misuses(gone, { ...use, 'client/made.ts': null })).toEqual(['src/use.ts:1 unknown-export'])
})

test('a script that only its first line gives away', async () => {
  const found = await misuses(
    {
      ...library,
      'bin/deploy': '#!/usr/bin/env node\nimport { left } from "../src/text.ts"\n\nleft\nleft\nleft\nleft\n',
    },
    {
      'bin/deploy':
        '#!/usr/bin/env node\nimport { left } from "../src/text.ts"\n\nleft\nleft\nleft\nleft\nimport { pasre } from "../src/text.ts"\n',
      'bin/clean': '#!/usr/bin/env -S node\nimport { lefft } from "../src/text.ts"\n',
    },
  )
  expect(found).toEqual(['bin/clean:2 unknown-export', 'bin/deploy:8 unknown-export'])
})
