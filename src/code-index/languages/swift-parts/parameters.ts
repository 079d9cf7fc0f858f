/** Swift's parameters stand in the declaration itself, each default behind its parameter. */
import type { Parameter } from '../../../domain/code-symbol.ts'
import { none, type Syntax } from '../../extraction/syntax.ts'
import { parameter } from '../parameter.ts'

/** Called by its label, when it has one: `from others:` is `from`, `_ row:` is `row` by place. */
export function parameters(syntax: Syntax, declaration: number): Parameter[] {
  const nodes = syntax.children(declaration)
  const byPlace = syntax.is(declaration, 'subscript_declaration')
  return nodes.flatMap((node, index) => {
    if (!syntax.is(node, 'parameter')) return []
    const [name = none, type = none] = syntax.children(node, 'name')
    const label = syntax.text(syntax.child(node, 'external_name'))
    const next = nodes[index + 1] ?? none
    const end = next === none ? syntax.end(declaration) : syntax.start(next)
    const text = syntax.source.slice(syntax.end(node) - 3, Math.min(end, syntax.end(node) + 20))
    const variadic = /^(?:\.{3}|\S{0,3}\s*\.{3})/.test(text)
    return [
      parameter(syntax, label === '' || label === '_' ? name : label, {
        type,
        optional: syntax.field(next) === 'default_value',
        variadic,
        keywordOnly: label !== '_' && !byPlace,
      }),
    ]
  })
}
