/** Rust's `impl` blocks are symbols named by their type. */
import { defined } from '../../extraction/definition.ts'
import { none, type Syntax } from '../../extraction/syntax.ts'
import type { DefinitionReader } from '../../extraction/table.ts'

export const implementation: DefinitionReader = (syntax, node, level) => {
  const nameNode = plainType(syntax, syntax.child(node, 'type'))
  if (nameNode === none) return null
  const name = syntax.text(nameNode).replace(/\s+/g, '').slice(0, 100)
  return defined({ kind: 'impl', name, nameNode, node, body: syntax.child(node, 'body'), level })
}

/** `&mut a::P<T>` → `P`. */
function plainType(syntax: Syntax, type: number): number {
  let at = type
  for (let step = 0; step < 8; step++) {
    if (syntax.is(at, 'generic_type', 'reference_type', 'pointer_type')) at = syntax.child(at, 'type')
    else if (syntax.is(at, 'scoped_type_identifier')) at = syntax.child(at, 'name')
    else break
  }
  return at
}
