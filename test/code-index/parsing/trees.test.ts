/** Flat trees against tree-sitter's own nodes, one by one, whichever way they are read. */
import { expect, test, vi } from 'vitest'
import type { Node, Tree } from 'web-tree-sitter'
import { compileTable } from '../../../src/code-index/extraction/compile.ts'
import { type FlatTree, TreeBuffers } from '../../../src/code-index/extraction/flat-tree.ts'
import { languages } from '../../../src/code-index/languages/registry.ts'
import { type LoadedGrammar, loadGrammar } from '../../../src/code-index/parsing/grammar.ts'
import { MemoryTrees } from '../../../src/code-index/parsing/memory-tree.ts'
import { parseInTurns } from '../../../src/code-index/parsing/parse-file.ts'
import { isSameTree, readByCursor, TreeReader } from '../../../src/code-index/parsing/tree-reader.ts'
import { drawn } from '../../helpers/matrix.ts'
import { fixture, samples } from '../read-facts.ts'

const sources: [string, string, string][] = [
  ...Object.entries(samples).flatMap(([language, name], at): readonly [string, string, string][] => {
    const text = fixture(name)
    const variants: [string, string, string][] = [
      [language, 'whole', text],
      [language, 'behind blank lines', `\n\n  \n${text}`],
      [language, 'cut off', text.slice(0, Math.floor(text.length * 0.6))],
      [language, 'conflict', text.replaceAll('\n\n', '\n<<<<<<< HEAD\n(]\n=======\n')],
    ]
    return drawn(variants, at)
  }),
  ['tsx', 'one line', 'const a = <A.B c={1} {...d}>é 😀 {e}</A.B>'],
  ['javascript', 'open ends', 'function ( { class ) => `${'],
  ['javascript', 'deep', '['.repeat(2_000)],
  ['python', 'nothing', ''],
]

async function parsed(language: string, text: string) {
  const table = languages.get(language)
  if (!table) throw new Error(`no table for ${language}`)
  const loaded = await loadGrammar(table.grammar)
  const tree = loaded.parser.parse(text)
  if (!tree) throw new Error('no tree')
  return { loaded, tree, leaves: compileTable(table, loaded.grammar).roles }
}

function fromMemory(tree: Tree, { memory, words }: LoadedGrammar, leaves: readonly unknown[]): FlatTree {
  if (!memory) throw new Error('the parser does not show its memory')
  return new MemoryTrees(memory, new TreeBuffers()).read(Number(Reflect.get(tree, 0)), words, leaves)
}

/** Named nodes in source order: kind, field, start, end, depth of named ancestors. */
function reference(node: Node, field: string | null, depth: number, lines: string[]): void {
  const self = node.isNamed || node.isError
  if (self) lines.push([node.type, field ?? '', node.startIndex, node.endIndex, depth].join(' '))
  for (let at = 0; at < node.childCount; at++) {
    const child = node.child(at)
    if (child) reference(child, node.fieldNameForChild(at), self ? depth + 1 : depth, lines)
  }
}

test.each(Object.entries(samples).slice(0, 5))('%s by the cursor: node for node', async (language, name) => {
  const { tree, loaded, leaves } = await parsed(language, fixture(name))
  const expected: string[] = []
  reference(tree.rootNode, null, 0, expected)
  const flat = readByCursor(tree, new TreeBuffers(), loaded.words, leaves)
  const depthOf = (node: number): number => {
    const parent = flat.parents[node] ?? -1
    return parent < 0 ? 0 : depthOf(parent) + 1
  }
  const found = Array.from({ length: flat.size }, (_, node) =>
    [
      loaded.grammar.kinds[flat.kinds[node] ?? 0],
      loaded.grammar.fields[flat.fields[node] ?? 0],
      flat.starts[node],
      flat.ends[node],
      depthOf(node),
    ].join(' '),
  )
  expect(found).toEqual(expected)
  for (let node = 0; node < flat.size; node++) {
    const after = flat.afters[node] ?? 0
    expect(after).toBeGreaterThan(node)
    // Everything up to `after` lies inside, what follows does not.
    if (after < flat.size) expect(flat.starts[after]).toBeGreaterThanOrEqual(flat.ends[node] ?? 0)
  }
  tree.delete()
})

test.each(sources)('%s, %s: memory says what the cursor says', async (language, _name, text) => {
  const { tree, loaded, leaves } = await parsed(language, text)
  const slow = readByCursor(tree, new TreeBuffers(), loaded.words, leaves)
  const quick = fromMemory(tree, loaded, leaves)
  expect(quick.missing).toEqual(slow.missing)
  expect(quick.size).toBe(slow.size)
  expect(isSameTree(quick, slow)).toBe(true)
  tree.delete()
})

test('memory is believed when it has agreed, and never again when it has not', async () => {
  const { tree, loaded, leaves } = await parsed('go', fixture('sample.go'))
  const expected = readByCursor(tree, new TreeBuffers(), loaded.words, leaves)
  const good = new TreeReader(loaded.memory, loaded.words, leaves)
  expect(good.isQuick).toBe(false)
  for (let round = 0; round < 6; round++) expect(isSameTree(good.read(tree), expected)).toBe(true)
  expect(good.isQuick).toBe(true)

  const blind = new TreeReader(null, loaded.words, leaves)
  expect(isSameTree(blind.read(tree), expected)).toBe(true)
  // A memory that holds something else, as after a change of tree-sitter's layout.
  for (const memory of [{ buffer: new ArrayBuffer(64) }, { buffer: new ArrayBuffer(2 ** 24) }]) {
    const wary = new TreeReader(memory, loaded.words, leaves)
    for (let round = 0; round < 6; round++) expect(isSameTree(wary.read(tree), expected)).toBe(true)
    expect(wary.isQuick).toBe(false)
  }
  tree.delete()
})

test('a parse that is stopped and taken up says the same', async () => {
  const text = `${'a ( ] b\u202e {\n'.repeat(100)}${'a()\n'.repeat(12_000)}${fixture('sample.ts')}`
  const { tree, loaded, leaves } = await parsed('typescript', text)
  const expected = readByCursor(tree, new TreeBuffers(), loaded.words, leaves)
  const starts = vi.spyOn(loaded.parser, 'parse')
  const stopped = parseInTurns(loaded.parser, text, () => true)
  expect(starts.mock.calls.length).toBeGreaterThan(1)
  if (!stopped) throw new Error('no tree')
  expect(isSameTree(readByCursor(stopped, new TreeBuffers(), loaded.words, leaves), expected)).toBe(true)
  let steps = 0
  expect(parseInTurns(loaded.parser, text, () => ++steps < 1_200)).toBe(null)
  starts.mockRestore()
  loaded.parser.reset()
  for (const one of [tree, stopped]) one.delete()
})

test('a large tree is compared at its beginning only, and found out there', async () => {
  const { tree, loaded, leaves } = await parsed('typescript', 'a(1)\n'.repeat(5_000))
  const expected = readByCursor(tree, new TreeBuffers(), loaded.words, leaves)
  const reader = new TreeReader(loaded.memory, loaded.words, leaves)
  const steps = vi.spyOn(Object.getPrototypeOf(tree.walk()), 'gotoNextSibling')
  expect(isSameTree(reader.read(tree), expected)).toBe(true)
  expect(reader.isQuick).toBe(true)
  expect(steps.mock.calls.length).toBeLessThan(3_000)
  steps.mockRestore()

  const wary = new TreeReader({ buffer: new ArrayBuffer(2 ** 24) }, loaded.words, leaves)
  expect(isSameTree(wary.read(tree), expected)).toBe(true)
  expect(wary.isQuick).toBe(false)
  tree.delete()
})
