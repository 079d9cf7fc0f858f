/** The flat tree against tree-sitter's own nodes, one by one; any other producer has to pass the same. */
import { expect, test } from 'vitest'
import type { Node } from 'web-tree-sitter'
import { compileTable } from '../../src/code-index/extraction/compile.ts'
import { languages } from '../../src/code-index/languages/registry.ts'
import { flatten } from '../../src/code-index/parsing/flatten.ts'
import { loadGrammar } from '../../src/code-index/parsing/grammar.ts'
import { fixture } from './read-facts.ts'

const sources: [string, string][] = [
  ['typescript', fixture('sample.ts')],
  ['python', fixture('sample.py')],
  ['go', fixture('sample.go')],
  ['rust', fixture('sample.rs')],
  ['java', fixture('Sample.java')],
  ['tsx', 'const a = <A.B c={1} {...d}>é 😀 {e}</A.B>'],
  ['javascript', 'function ( { class ) => `${'],
]

/** Named nodes in source order: kind, field, start, end, depth of named ancestors. */
function reference(node: Node, field: string | null, depth: number, lines: string[]): void {
  const self = node.isNamed || node.isError
  if (self) lines.push([node.type, field ?? '', node.startIndex, node.endIndex, depth].join(' '))
  for (let at = 0; at < node.childCount; at++) {
    const child = node.child(at)
    if (child) reference(child, node.fieldNameForChild(at), self ? depth + 1 : depth, lines)
  }
}

test.each(sources)('%s', async (language, text) => {
  const table = languages.get(language)
  if (!table) throw new Error(`no table for ${language}`)
  const loaded = await loadGrammar(table.grammar)
  const tree = loaded.parser.parse(text)
  if (!tree) throw new Error('no tree')
  const expected: string[] = []
  reference(tree.rootNode, null, 0, expected)
  const flat = flatten(tree, loaded, compileTable(table, loaded.grammar).roles)
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
