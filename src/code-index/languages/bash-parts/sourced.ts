/** Scripts that a script takes in. */
import type { ImportFact } from '../../contract.ts'
import { none, type Syntax } from '../../extraction/syntax.ts'

/** `source x`, `. x` and Bats's `load x`, when the path is written out. */
export function sourced(syntax: Syntax, node: number): ImportFact[] {
  if (!/^(?:source|\.|load)$/.test(syntax.text(syntax.child(node, 'name')))) return []
  const path = syntax.children(node, 'argument')[0] ?? none
  const source = syntax.text(path).replace(/^(["'])(.*)\1$/, '$2')
  if (path === none || source.includes('$') || source.includes('`')) return []
  return [
    { line: syntax.startLine(node), source, imported: '*', local: null, reexport: true, typeOnly: false },
  ]
}
