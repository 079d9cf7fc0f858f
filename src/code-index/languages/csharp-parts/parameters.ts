/** C#'s parameter lists. */
import type { Parameter } from '../../../domain/code-symbol.ts'
import { none, type Syntax } from '../../extraction/syntax.ts'
import { parameter } from '../parameter.ts'

/** `params int[] rest` stands in the list itself, without a node of its own. */
export function parameters(syntax: Syntax, list: number): Parameter[] {
  const found = syntax
    .children(list)
    .filter((node) => syntax.is(node, 'parameter'))
    .flatMap((node) => {
      const name = syntax.child(node, 'name')
      if (name === none) return []
      const optional = (syntax.children(node).at(-1) ?? none) > name
      // `this Row row` makes an extension method: callers pass it before the dot.
      if (syntax.text(syntax.childOf(node, 'modifier')) === 'this') return []
      return [parameter(syntax, name, { type: syntax.child(node, 'type'), optional })]
    })
  const rest = syntax.child(list, 'name')
  if (rest === none) return found
  return [...found, parameter(syntax, rest, { type: syntax.child(list, 'type'), variadic: true })]
}
