/** Scala's imports and package. */
import type { ImportFact } from '../../contract.ts'
import { none, type Syntax } from '../../extraction/syntax.ts'

/** `import a.b.{C, D => E}`, `import a.b._`, `import a.b.C`: each name by its whole path, like Java's. */
export function importDeclaration(syntax: Syntax, node: number): ImportFact[] {
  const words = syntax.children(node, 'path').map((word) => syntax.text(word))
  const base = { line: syntax.startLine(node), reexport: false, typeOnly: false }
  const path = words.join('.')
  const one = (name: string, local: string): ImportFact => ({
    ...base,
    source: `${path}.${name}`,
    imported: name,
    local,
  })
  const selectors = syntax.childOf(node, 'namespace_selectors')
  const everything = { ...base, source: path, imported: '*', local: null }
  if (syntax.childOf(node, 'namespace_wildcard') !== none) return [everything]
  if (selectors === none) {
    const name = words.at(-1) ?? ''
    return [{ ...base, source: path, imported: name, local: name }]
  }
  return syntax.children(selectors).map((selector) => {
    if (syntax.is(selector, 'namespace_wildcard')) return everything
    const name = syntax.text(syntax.child(selector, 'name')) || syntax.text(selector)
    return one(name, syntax.text(syntax.child(selector, 'alias')) || name)
  })
}

/** `package a.b`, and what follows it in clauses of its own. */
export function packageOf(syntax: Syntax, clause: number): string {
  return syntax.text(syntax.child(clause, 'name')).replace(/\s+/g, '')
}
