/** Rust's parameter lists without `self`, and values that show their type. */
import type { Parameter } from '../../../domain/code-symbol.ts'
import { fold, typeText } from '../../extraction/signature.ts'
import { none, type Syntax } from '../../extraction/syntax.ts'

export function parameters(syntax: Syntax, list: number): Parameter[] {
  return syntax.children(list).flatMap((node) => {
    if (syntax.is(node, 'self_parameter', 'attribute_item')) return []
    const variadic = syntax.is(node, 'variadic_parameter')
    const type = syntax.child(node, 'type')
    const pattern = syntax.child(node, 'pattern')
    return [
      {
        name: fold(syntax.text(pattern === none ? node : pattern).slice(0, 200)),
        type: type === none ? null : typeText(syntax, type),
        optional: variadic,
        variadic,
        keywordOnly: false,
      },
    ]
  })
}

/** `T::new(…)`, `T::from(…)`, `T { … }`, also behind `&` and `?`. */
export function constructed(syntax: Syntax, value: number): string | null {
  if (syntax.is(value, 'reference_expression')) return constructed(syntax, syntax.child(value, 'value'))
  if (syntax.is(value, 'try_expression')) return constructed(syntax, syntax.children(value)[0] ?? none)
  if (syntax.is(value, 'struct_expression')) return ownType(syntax.text(syntax.child(value, 'name')))
  const callee = syntax.is(value, 'call_expression') ? syntax.child(value, 'function') : none
  if (!syntax.is(callee, 'scoped_identifier')) return null
  const makes = /^(?:new(?:_\w+)?|default|from(?:_\w+)?|with_\w+)$/.test(
    syntax.text(syntax.child(callee, 'name')),
  )
  return makes ? ownType(syntax.text(syntax.child(callee, 'path'))) : null
}

function ownType(text: string): string | null {
  return /(?:^|::)[A-Z]\w*(?:::)?(?:<|$)/.test(text) && text !== 'Self' ? text : null
}
