/** C#'s namespaces and what is taken from them. */
import type { ImportFact } from '../../contract.ts'
import { none, type Syntax } from '../../extraction/syntax.ts'

/** `using A.B` opens all of `A.B`; `using X = A.B` names `B` of `A`. */
export function usingDirective(syntax: Syntax, node: number): ImportFact[] {
  const alias = syntax.child(node, 'name')
  const path = syntax.text(syntax.children(node).at(-1) ?? none).replace(/\s+/g, '')
  const reexport = /^global\b/.test(syntax.text(node).slice(0, 10))
  const base = { line: syntax.startLine(node), reexport, typeOnly: false }
  if (alias === none) return [{ ...base, source: path, imported: '*', local: null }]
  const cut = path.lastIndexOf('.')
  return [
    {
      ...base,
      source: path.slice(0, Math.max(0, cut)),
      imported: path.slice(cut + 1),
      local: syntax.text(alias),
    },
  ]
}

/** The namespace of the file's first declaration: hardly a file has two. */
export function namespaceOf(syntax: Syntax): string | null {
  const node = syntax.childOf(0, 'namespace_declaration', 'file_scoped_namespace_declaration')
  return syntax.text(syntax.child(node, 'name')).replace(/\s+/g, '') || null
}
