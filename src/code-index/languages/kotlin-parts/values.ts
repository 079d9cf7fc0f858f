/** Where Kotlin writes arguments, types and first values. */
import { none, type Syntax } from '../../extraction/syntax.ts'
import { isNamed } from './places.ts'

const typeKinds = ['user_type', 'nullable_type', 'function_type', 'parenthesized_type', 'not_nullable_type']

export function typeIn(syntax: Syntax, node: number): number {
  return syntax.childOf(node, ...typeKinds)
}

export function typedBy(syntax: Syntax, node: number): { name: number; type: number } {
  return { name: syntax.childOf(node, 'simple_identifier'), type: typeIn(syntax, node) }
}

/** What stands behind the `=` of `val x = …`: the declaration's last child, unless that is an accessor. */
export function firstValue(syntax: Syntax, variable: number): number {
  const declaration = syntax.parent(variable)
  if (!syntax.is(declaration, 'property_declaration')) return none
  const after = syntax.children(declaration).find((child) => child > variable) ?? none
  const before = syntax.source.slice(syntax.end(variable), syntax.start(after === none ? variable : after))
  return before.includes('=') ? after : none
}

/** Those in brackets, then a lambda behind them; named ones stay wrapped. */
export function argumentsOf(syntax: Syntax, call: number): number[] {
  const suffix = syntax.childOf(call, 'call_suffix')
  const holder = suffix === none ? call : suffix
  const listed = syntax
    .children(syntax.childOf(holder, 'value_arguments'))
    .map((argument) =>
      isNamed(syntax, argument) ? argument : (syntax.children(argument).at(-1) ?? argument),
    )
  const lambda = syntax.childOf(holder, 'annotated_lambda')
  return lambda === none ? listed : [...listed, lambda]
}
