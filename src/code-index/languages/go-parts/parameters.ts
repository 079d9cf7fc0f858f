/** Go's parameter lists: several names may share a type, and names may be left out. */
import type { Parameter } from '../../../domain/code-symbol.ts'
import { typeText } from '../../extraction/signature.ts'
import { none, type Syntax } from '../../extraction/syntax.ts'

export function parameters(syntax: Syntax, list: number): Parameter[] {
  return syntax.children(list).flatMap((node) => {
    const type = syntax.child(node, 'type')
    const variadic = syntax.is(node, 'variadic_parameter_declaration')
    const names = syntax.children(node, 'name').map((name) => syntax.text(name))
    return (names.length === 0 ? ['_'] : names).map((name) => ({
      name,
      type: type === none ? null : typeText(syntax, type),
      optional: variadic,
      variadic,
      keywordOnly: false,
    }))
  })
}
