/** Kotlin's parameter lists: a default stands behind its parameter, `vararg` before it. */
import type { Parameter } from '../../../domain/code-symbol.ts'
import { none, type Syntax } from '../../extraction/syntax.ts'
import { parameter } from '../parameter.ts'
import { typeIn } from './values.ts'

export function parameters(syntax: Syntax, list: number): Parameter[] {
  const nodes = syntax.children(list)
  return nodes.flatMap((node, index) => {
    const inClass = syntax.is(node, 'class_parameter')
    if (!inClass && !syntax.is(node, 'parameter')) return []
    const [before = none, after = none] = [nodes[index - 1], nodes[index + 1]]
    const type = typeIn(syntax, node)
    const words = syntax.text(inClass ? syntax.childOf(node, 'modifiers') : before)
    const last = syntax.children(node).at(-1) ?? none
    const optional = inClass
      ? last !== type
      : after !== none && !syntax.is(after, 'parameter', 'parameter_modifiers')
    const variadic = /\bvararg\b/.test(words) && (inClass || syntax.is(before, 'parameter_modifiers'))
    return [parameter(syntax, syntax.childOf(node, 'simple_identifier'), { type, optional, variadic })]
  })
}
