/** Definitions, callers, impact and outlines. */
import { expect, test } from 'vitest'
import { findCallers, findImpact } from '../../../src/code-index/query/callers.ts'
import type { ImpactStep, OutlineEntry } from '../../../src/code-index/query/contract.ts'
import { findDefinitions, findTargets, outlineFile } from '../../../src/code-index/query/definitions.ts'
import { target, treeOf } from './open-repo.ts'

const chain = {
  'chain.py': `def first():
    return second() + second()

def second():
    return third(first)

def third(call=None):
    return 1

third()
`,
  'test_chain.py': 'from chain import first\n\ndef test_first():\n    assert first()\n',
}

test('definitions are found by name and by qualified name, in every language at once', async () => {
  const tree = await treeOf({
    'a.go': 'package a\n\ntype Store struct{}\n\nfunc (s *Store) load() {}\n',
    'a.rs': 'pub struct Store;\nimpl Store {\n    fn load(&self) {}\n}\n',
    'a.test.ts': "describe('Store', () => {\n  it('load', () => {})\n})\n",
    'z.cob': 'class Store\n',
  })
  const { definitions, textOnly } = await findDefinitions(tree, 'Store')
  expect(definitions.map(({ path, line, kind }) => `${path}:${line} ${kind}`)).toEqual([
    'a.go:3 struct',
    'a.rs:1 struct',
  ])
  expect(textOnly).toEqual(['z.cob'])
  for (const spelt of ['Store.load', 'Store::load', 'Store#load', 'load'])
    expect((await findTargets(tree, spelt)).map(({ path }) => path)).toEqual(['a.go', 'a.rs'])
})

test('no definition: says whether that is evidence', async () => {
  const tree = await treeOf({ 'a.py': 'print(hello)\n', 'b.cob': 'def spoken; end\n' })
  expect((await findDefinitions(tree, 'absent')).emptiness?.isEvidence).toBe(true)
  expect((await findDefinitions(tree, 'hello')).emptiness?.isEvidence).toBe(true)
  expect((await findDefinitions(tree, 'spoken')).emptiness?.isEvidence).toBe(false)
})

test('a place means the definition on its line, else the innermost around it', async () => {
  const tree = await treeOf(chain)
  const nameAt = async (place: string) =>
    (await findTargets(tree, place)).map(({ facts, index }) => facts.symbols[index]?.name)
  expect(await nameAt('chain.py:1')).toEqual(['first'])
  expect(await nameAt('./chain.py:5')).toEqual(['second'])
  expect(await nameAt('chain.py:99')).toEqual([])
  expect(await nameAt('absent.py:1')).toEqual([])
  expect((await findDefinitions(tree, 'chain.py:5')).definitions.map(({ name }) => name)).toEqual(['second'])
  const outside = await findDefinitions(tree, 'chain.py:99')
  expect([outside.definitions, outside.emptiness?.isEvidence]).toEqual([[], true])
  expect((await findDefinitions(tree, 'absent.py:1')).emptiness?.why).toBe('there is no file at this path')
})

test('callers are definitions, with all their uses; the top level of a file is one too', async () => {
  const tree = await treeOf(chain)
  const { callers } = await findCallers(tree, await target(tree, 'third'))
  expect(callers.map(({ path, symbol, uses }) => [path, symbol?.name ?? null, uses])).toEqual([
    ['chain.py', null, [{ line: 10, role: 'call' }]],
    ['chain.py', 'second', [{ line: 5, role: 'call' }]],
  ])
  const twice = await findCallers(tree, await target(tree, 'second'))
  expect(twice.callers.map(({ symbol, uses }) => [symbol?.name, uses.length])).toEqual([['first', 2]])
})

const told = ({ depth, symbol, calls }: ImpactStep): string =>
  `${depth} ${symbol?.name ?? 'top level'} ${calls}`

test('impact goes breadth first, ends in circles, and takes the weakest edge along', async () => {
  const tree = await treeOf(chain)
  const { steps, cut, unresolved } = await findImpact(tree, await target(tree, 'third'), { depth: 9 })
  expect(steps.map(told)).toEqual([
    '1 second chain.py:7',
    '1 top level chain.py:7',
    '2 first chain.py:4',
    '3 test_first chain.py:1',
  ])
  expect([cut, unresolved]).toEqual([[], 0])
  const confidences = steps.map(({ confidence }) => confidence)
  expect(confidences.toSorted((a, b) => b - a)).toEqual(confidences)
})

test('impact says what it cut: by depth and by number', async () => {
  const tree = await treeOf(chain)
  const third = await target(tree, 'third')
  const shallow = await findImpact(tree, third, { depth: 1 })
  expect(shallow.steps.map(told)).toEqual(['1 top level chain.py:7', '1 second chain.py:7'])
  expect(shallow.cut).toEqual(['depth 1: callers of 1 definition were not searched for'])
  const few = await findImpact(tree, third, { steps: 1 })
  expect(few.steps).toHaveLength(1)
  expect(few.cut[0]).toContain('more than 1 definitions')
})

test('an outline is nested; other files say why they have none', async () => {
  const tree = await treeOf({
    'a.java': 'class A {\n  /** Holds. */\n  static class B {\n    int c() { return 1; }\n  }\n}\n',
    'read.me': 'one\ntwo\n',
    'app_de.ts': '<?xml version="1.0"?>\n<!DOCTYPE TS>\n',
    'big.js': `${'x'.repeat(40)}(`.repeat(20_000),
    'image.py': new Uint8Array([0, 1, 2]),
  })
  const { symbols, state, lines } = await outlineFile(tree, 'a.java')
  const names = (entries: readonly OutlineEntry[]): unknown[] =>
    entries.map(({ name, members }) => (members.length > 0 ? [name, names(members)] : name))
  expect([state, lines, names(symbols)]).toEqual(['indexed', 6, [['A', [['B', ['c']]]]]])
  expect(symbols[0]?.members[0]?.doc).toBe('Holds.')
  expect(await outlineFile(tree, 'read.me')).toMatchObject({ state: 'text only', lines: 2, language: null })
  expect(await outlineFile(tree, 'app_de.ts')).toMatchObject({ state: 'text only', language: null })
  expect(await outlineFile(tree, 'big.js')).toMatchObject({ state: 'unparsed', language: 'javascript' })
  expect(await outlineFile(tree, 'image.py')).toMatchObject({ state: 'unparsed' })
  expect(await outlineFile(tree, 'no.ts')).toMatchObject({ state: 'absent' })
})
