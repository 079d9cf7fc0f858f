/** Java's parameter lists. */
import type { Parameter } from '../../../domain/code-symbol.ts'
import { typeText } from '../../extraction/signature.ts'
import { none, type Syntax } from '../../extraction/syntax.ts'

export function parameters(syntax: Syntax, list: number): Parameter[] {
  const nodes = syntax.is(list, 'identifier') ? [list] : syntax.children(list)
  return nodes.flatMap((node) => {
    if (syntax.is(node, 'receiver_parameter')) return []
    const variadic = syntax.is(node, 'spread_parameter')
    const name = variadic
      ? syntax.child(syntax.childOf(node, 'variable_declarator'), 'name')
      : syntax.child(node, 'name')
    const text = syntax.text(name === none ? node : name)
    // `Foo this` only carries annotations.
    if (text === 'this') return []
    const type = variadic ? spreadType(syntax, node) : syntax.child(node, 'type')
    return [
      {
        name: text.slice(0, 200),
        type: type === none ? null : typeText(syntax, type),
        optional: variadic,
        variadic,
        keywordOnly: false,
      },
    ]
  })
}

function spreadType(syntax: Syntax, node: number): number {
  return syntax.children(node).find((child) => !syntax.is(child, 'modifiers', 'variable_declarator')) ?? none
}
