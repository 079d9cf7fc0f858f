/** Where Swift writes arguments and types. */
import { none, type Syntax } from '../../extraction/syntax.ts'

type Typed = { name: number; type?: number; value?: number }

/** Those in brackets, labelled ones still wrapped, then closures behind them. */
export function argumentsOf(syntax: Syntax, call: number): number[] {
  const suffix = syntax.childOf(call, 'call_suffix')
  const listed = syntax.children(syntax.childOf(suffix, 'value_arguments'))
  const closures = syntax.children(suffix).filter((child) => syntax.is(child, 'lambda_literal'))
  return [...listed, ...closures]
}

/** Names and types share a field: the identifier is the name, what follows is the type. */
export function parameterType(syntax: Syntax, node: number): Typed[] {
  const [name = none, type = none] = syntax.children(node, 'name')
  return syntax.is(name, 'simple_identifier') ? [{ name, type: plainType(syntax, type) }] : []
}

export function declaredType(syntax: Syntax, node: number): Typed[] {
  const children = syntax.children(node)
  return children.flatMap((child, index) => {
    if (!syntax.is(child, 'pattern') || syntax.field(child) !== 'name') return []
    const name = syntax.child(child, 'bound_identifier')
    const [next = none, after = none] = [children[index + 1], children[index + 2]]
    const annotation = syntax.is(next, 'type_annotation') ? next : none
    const value = annotation === none ? next : after
    return [
      {
        name,
        type: plainType(syntax, syntax.child(annotation, 'name')),
        value: syntax.field(value) === 'value' ? value : none,
      },
    ]
  })
}

/** `Row?` has the members of `Row`, as far as a reader is concerned. */
function plainType(syntax: Syntax, type: number): number {
  if (syntax.is(type, 'optional_type')) return plainType(syntax, syntax.child(type, 'wrapped'))
  return syntax.is(type, 'user_type') ? type : none
}
