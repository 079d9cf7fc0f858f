/** What Swift imports: modules, seldom single declarations of them. */
import type { ImportFact } from '../../contract.ts'
import type { Syntax } from '../../extraction/syntax.ts'

/** `import A` brings all of `A`; `import struct A.B` names `B`. */
export function importDeclaration(syntax: Syntax, node: number): ImportFact[] {
  const path = syntax.text(syntax.childOf(node, 'identifier')).replace(/\s+/g, '')
  const text = syntax.text(node).slice(0, 300)
  const base = { line: syntax.startLine(node), reexport: /@_exported\b/.test(text), typeOnly: false }
  const cut = path.lastIndexOf('.')
  if (cut < 0 || !/\bimport\s+(?:struct|class|enum|protocol|typealias|func|let|var)\s/.test(text))
    return [{ ...base, source: path, imported: '*', local: null }]
  const name = path.slice(cut + 1)
  return [{ ...base, source: path.slice(0, cut), imported: name, local: name }]
}
