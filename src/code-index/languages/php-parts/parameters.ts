/** PHP's parameter lists. */
import type { Parameter } from '../../../domain/code-symbol.ts'
import { none, type Syntax } from '../../extraction/syntax.ts'
import { parameter } from '../parameter.ts'

/** Any of them may be given by name, so names count without their sign. */
export function parameters(syntax: Syntax, list: number): Parameter[] {
  return syntax.children(list).flatMap((node) => {
    const name = syntax.text(syntax.child(node, 'name')).replace(/^[&$\s]+/, '')
    if (name === '') return []
    const type = syntax.child(node, 'type')
    const optional = syntax.child(node, 'default_value') !== none
    return [parameter(syntax, name, { type, optional, variadic: syntax.is(node, 'variadic_parameter') })]
  })
}
