/** Kotlin's imports and package. */
import type { ImportFact } from '../../contract.ts'
import { none, type Syntax } from '../../extraction/syntax.ts'

/** `import a.B` names `B`, a class or a function, by its whole path. */
export function importHeader(syntax: Syntax, node: number): ImportFact[] {
  const path = syntax.childOf(node, 'identifier')
  const source = compact(syntax.text(path))
  const base = { line: syntax.startLine(node), source, reexport: false, typeOnly: false }
  if (syntax.childOf(node, 'wildcard_import') !== none) return [{ ...base, imported: '*', local: null }]
  const imported = source.split('.').at(-1) ?? source
  const alias = syntax.text(syntax.childOf(syntax.childOf(node, 'import_alias'), 'type_identifier'))
  return [{ ...base, imported, local: alias || imported }]
}

export function packageOf(syntax: Syntax): string | null {
  return compact(syntax.text(syntax.childOf(syntax.childOf(0, 'package_header'), 'identifier'))) || null
}

function compact(path: string): string {
  return path.replace(/\s+/g, '')
}
