/** Where Scala writes arguments, types and first values. */
import { none, type Syntax } from '../../extraction/syntax.ts'

/** A block or lambda in braces is one argument. */
export function argumentsOf(syntax: Syntax, call: number): number[] {
  const list = syntax.child(call, 'arguments')
  if (list === none) return []
  return syntax.is(list, 'arguments') ? syntax.children(list) : [list]
}

/** `new Row(…)`, and `Row(…)` by its capital. */
export function constructed(syntax: Syntax, value: number): string | null {
  const made = syntax.children(value)[0] ?? none
  if (syntax.is(value, 'instance_expression')) return syntax.text(made) || null
  const name = syntax.text(made)
  const isType = syntax.is(made, 'identifier') && /^[A-Z]/.test(name)
  return syntax.is(value, 'call_expression') && isType ? name : null
}

export function valueType(syntax: Syntax, node: number): { name: number; type: number; value: number }[] {
  const name = syntax.child(node, 'pattern')
  if (!syntax.is(name, 'identifier')) return []
  return [{ name, type: syntax.child(node, 'type'), value: syntax.child(node, 'value') }]
}
