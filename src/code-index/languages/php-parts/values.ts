/** Where PHP writes types, names of variables and arguments. */
import { none, type Syntax } from '../../extraction/syntax.ts'

/** The name behind the sign of a declared `$name`. */
export function variableName(syntax: Syntax, node: number): number {
  return syntax.childOf(syntax.child(node, 'name'), 'name')
}

/** The type with members: `?Row` and `Row` are both `Row`, `\A\Row` is too. */
export function typeOf(syntax: Syntax, node: number): number {
  const type = syntax.child(node, 'type')
  const named = syntax.is(type, 'optional_type') ? syntax.childOf(type, 'named_type') : type
  return lastName(syntax, syntax.is(named, 'named_type') ? (syntax.children(named)[0] ?? none) : none)
}

/** `new Row(…)`. */
export function constructed(syntax: Syntax, value: number): string | null {
  if (!syntax.is(value, 'object_creation_expression')) return null
  return syntax.text(lastName(syntax, syntax.children(value)[0] ?? none)) || null
}

function lastName(syntax: Syntax, node: number): number {
  if (syntax.is(node, 'name')) return node
  return syntax.is(node, 'qualified_name') ? (syntax.children(node).at(-1) ?? none) : none
}

/** Arguments are wrapped once more; `f(...)` makes a closure of `f` and calls nothing. */
export function argumentsOf(syntax: Syntax, call: number): number[] | null {
  const listed = syntax.children(syntax.childOf(call, 'arguments'))
  if (listed.some((argument) => syntax.is(argument, 'variadic_placeholder'))) return null
  return listed.map((argument) =>
    syntax.is(argument, 'argument') && syntax.child(argument, 'name') === none
      ? (syntax.children(argument).at(-1) ?? argument)
      : argument,
  )
}
