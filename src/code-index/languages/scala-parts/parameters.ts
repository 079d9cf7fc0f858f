/** Scala's parameter lists. */
import type { Parameter } from '../../../domain/code-symbol.ts'
import { none, type Syntax } from '../../extraction/syntax.ts'
import { parameter } from '../parameter.ts'

/** Those of the first list: the others are passed in brackets of their own, or found by the compiler. */
export function parameters(syntax: Syntax, list: number): Parameter[] {
  return syntax.children(list).flatMap((node) => {
    const name = syntax.child(node, 'name')
    if (name === none) return []
    const type = syntax.child(node, 'type')
    const optional = syntax.child(node, 'default_value') !== none
    return [parameter(syntax, name, { type, optional, variadic: syntax.is(type, 'repeated_parameter_type') })]
  })
}
