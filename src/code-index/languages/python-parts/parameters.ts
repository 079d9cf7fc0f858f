/** Python's parameter lists. The receiver of a method is left out: callers do not pass it. */
import type { Parameter } from '../../../domain/code-symbol.ts'
import { typeText } from '../../extraction/signature.ts'
import { none, type Syntax } from '../../extraction/syntax.ts'

export function parameters(syntax: Syntax, list: number): Parameter[] {
  const found: Parameter[] = []
  let keywordOnly = false
  const nodes = syntax.children(list)
  for (const node of hasReceiver(syntax, list) ? nodes.slice(1) : nodes) {
    if (syntax.is(node, 'keyword_separator')) keywordOnly = true
    if (syntax.is(node, 'keyword_separator', 'positional_separator')) continue
    const named = syntax.child(node, 'name')
    const first = syntax.is(node, 'typed_parameter') ? (syntax.children(node)[0] ?? none) : node
    const pattern = named === none ? first : named
    const variadic = syntax.is(pattern, 'list_splat_pattern', 'dictionary_splat_pattern')
    const type = syntax.child(node, 'type')
    found.push({
      name: syntax
        .text(pattern)
        .replace(/^\*+\s*/, '')
        .slice(0, 200),
      type: type === none ? null : typeText(syntax, type),
      optional: variadic || syntax.child(node, 'value') !== none,
      variadic,
      keywordOnly: keywordOnly || syntax.is(pattern, 'dictionary_splat_pattern'),
    })
    if (syntax.is(pattern, 'list_splat_pattern')) keywordOnly = true
  }
  return found
}

function hasReceiver(syntax: Syntax, list: number): boolean {
  const definition = syntax.parent(list)
  if (!syntax.is(definition, 'function_definition')) return false
  const wrapper = syntax.parent(definition)
  const decorated = syntax.is(wrapper, 'decorated_definition')
  const body = decorated ? syntax.parent(wrapper) : wrapper
  if (!syntax.is(body, 'block') || !syntax.is(syntax.parent(body), 'class_definition')) return false
  return !(
    decorated &&
    syntax.children(wrapper).some((child) => /^@\s*staticmethod\b/.test(syntax.text(child).slice(0, 40)))
  )
}
