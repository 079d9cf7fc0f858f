/** From source text to the fate of each symbol, through the real parser, for the cases that do not depend on the language. */
import { afterAll, expect, test } from 'vitest'
import { sharedFacts } from '../../../helpers/shared-facts.ts'
import { diffTrees, inWords, type Origins } from './diff-trees.ts'

const store = sharedFacts()
afterAll(() => store.close())

async function changes(before: Record<string, string>, after: Record<string, string>, origins?: Origins) {
  return inWords(await diffTrees(store, before, after, origins))
}

const body = (word: string) =>
  `  const total = ${word}.length + 1\n  if (total > 3) return total * 2\n  return total\n`

test('what became of each symbol', async () => {
  const before = `export function kept(a: string) {\n${body('a')}}
export function gained(a: string): number {\n${body('a')}}
export function swapped(a: string, b: number) {\n${body('a')}}
export function edited(a: string) {\n${body('a')}  // more\n  throw a\n}
export function gone(url: URL) { return fetch(url.href).then((answer) => answer.json()) }
export const limit = 3
function hidden() { return 1 }
type Shape = { a: string }
`
  const after = `export function kept(a: string) {\n${body('a')}}
export async function gained(a: string, b?: number): Promise<number> {\n${body('a')}}
export function swapped(b: number, a: string) {\n${body('a')}}
export function edited(a: string) {\n${body('a')}  throw new Error(a)\n}
export const limit = 4
export function hidden() { return 1 }
type Shape = { a: string; b: number }
export const fresh = () => new Map<string, number>()
`
  expect(await changes({ 'a.ts': before }, { 'a.ts': after })).toEqual([
    'signature-changed a.ts gained: +b, number → Promise<number>',
    'signature-changed a.ts swapped: order',
    'body-changed a.ts edited',
    'body-changed a.ts limit',
    'signature-changed a.ts hidden: private → exported',
    'removed a.ts gone',
    'added a.ts Shape.b',
    'added a.ts fresh',
  ])
})

test('layout and comments change nothing', async () => {
  const before = 'export function f(a: string, b: number) {\n  return a + b\n}\n'
  const after = '// why\nexport function f(\n  a: string,\n  b: number,\n) {\n  return a + b // sum\n}\n'
  expect(await changes({ 'a.ts': before }, { 'a.ts': after })).toEqual([])
})

test('members of a renamed class follow it', async () => {
  const source = (name: string) =>
    `export class ${name} {\n  private n = 1\n  get value() { return this.n }\n  reset(to = 0) { this.n = to }\n  add(a: number) {\n    this.n += a\n    return this\n  }\n}\n`
  const after = source('Tally').replace('add(a: number)', 'add(a: number, times = 1)')
  expect(await changes({ 'a.ts': source('Counter') }, { 'a.ts': after })).toEqual([
    'renamed a.ts Counter → a.ts Tally: body',
    'signature-changed a.ts Tally.add: +times',
  ])
})

test('overloads are told apart by signature', async () => {
  const before =
    'export function f(a: string): void\nexport function f(a: number): void\nexport function f(a: unknown) { use(a) }\n'
  const after =
    'export function f(a: number): void\nexport function f(a: boolean): void\nexport function f(a: unknown) { use(a) }\n'
  expect(await changes({ 'a.ts': before }, { 'a.ts': after })).toEqual(['signature-changed a.ts f: ~a'])
})

test('a function that turns into an arrow function is the same function', async () => {
  const before = `export function f(a: string) {\n${body('a')}}\n`
  const after = `export const f = (a: string) => {\n${body('a')}}\n`
  expect(await changes({ 'a.ts': before }, { 'a.ts': after })).toEqual(['signature-changed a.ts f'])
})

test('moves to another file, large and small', async () => {
  const big = `export function big(a: string) {\n${body('a')}}\n`
  const small = "export const name = 'x'\n"
  const moved = big.replace('total * 2', 'total * 3')
  expect(await changes({ 'a.ts': big + small }, { 'a.ts': '', 'b.ts': small + moved })).toEqual([
    'moved a.ts name → b.ts name',
    'moved a.ts big → b.ts big: body',
  ])
})

test('a renamed file is compared in place; a copy brings new symbols and leaves the old ones alone', async () => {
  const text = `export function f(a: string) {\n${body('a')}}\n`
  const renamed = await changes({ 'a.ts': text }, { 'b.ts': text }, { renamed: { 'b.ts': 'a.ts' } })
  expect(renamed).toEqual(['moved a.ts f → b.ts f'])
  const edited = text.replace('total * 2', 'total')
  const copied = await changes(
    { 'a.ts': text },
    { 'a.ts': edited, 'b.ts': text },
    { copied: { 'b.ts': 'a.ts' } },
  )
  expect(copied).toEqual(['body-changed a.ts f', 'added b.ts f'])
})

test('two files that swap names', async () => {
  const one = `export function one(a: string) {\n${body('a')}}\n`
  const two = 'export class Two {\n  run() { return 2 }\n}\n'
  const origins = { renamed: { 'a.ts': 'b.ts', 'b.ts': 'a.ts' } }
  expect(await changes({ 'a.ts': one, 'b.ts': two }, { 'a.ts': two, 'b.ts': one }, origins)).toEqual([
    'moved b.ts Two → a.ts Two',
    'moved a.ts one → b.ts one',
  ])
})

test('one small thing in its place is renamed; several are not guessed', async () => {
  const before = 'export const a = 1\nexport const retries = 3\nexport const z = 2\n'
  const after = 'export const a = 1\nexport const attempts = 3\nexport const z = 2\n'
  expect(await changes({ 'a.ts': before }, { 'a.ts': after })).toEqual([
    'renamed a.ts retries → a.ts attempts',
  ])
  const other = 'export const a = 1\nexport const attempts = 9\nexport const z = 2\n'
  expect(await changes({ 'a.ts': before }, { 'a.ts': other })).toEqual([
    'removed a.ts retries',
    'added a.ts attempts',
  ])
})

test('what others use does not turn into something local', async () => {
  const before = `export function f(a: string) {\n${body('a')}}\nexport function g(a: string) {\n  return f(a)\n}\n`
  const after = `export function g(a: string) {\n  function inner(a: string) {\n${body('a')}}\n  return inner(a)\n}\n`
  expect(await changes({ 'a.ts': before }, { 'a.ts': after })).toEqual([
    'removed a.ts f',
    'added a.ts g.inner',
  ])
})

test('a file that no longer parses does not look emptied', async () => {
  const text = `export function f(a: string) {\n${body('a')}}\nexport function g() { return 1 }\n`
  const broken = text.replace('function f(a: string) {', 'function f(a: string { ((')
  expect(
    (await changes({ 'a.ts': text }, { 'a.ts': broken })).filter((line) => line.startsWith('removed')),
  ).toEqual([])
})

test('members of a union are told apart by what is beside them, not by their order', async () => {
  const union = (...members: string[]) => ({
    'a.ts': `export type Event =\n${members.map((one) => `  | { ${one} }\n`).join('')}`,
  })
  const before = union("kind: 'a'; at: string", "kind: 'b'; at: number")
  expect(
    await changes(
      before,
      union("kind: 'z'; at: boolean", "kind: 'a'; at: string | null", "kind: 'b'; at: number"),
    ),
  ).toEqual([
    'signature-changed a.ts Event',
    'added a.ts Event.kind',
    'added a.ts Event.at',
    'signature-changed a.ts Event.at: string → string | null',
  ])
  expect(
    await changes(before, union("kind: 'c'; at: boolean", "kind: 'a'", "kind: 'b'; at: number")),
  ).toEqual([
    'signature-changed a.ts Event',
    'removed a.ts Event.at',
    'added a.ts Event.kind',
    'added a.ts Event.at',
  ])
})
