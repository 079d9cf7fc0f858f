/** Types that C writes beside names. */
import { none, type Syntax } from '../../extraction/syntax.ts'
import { isPointer, nameOf } from './declarators.ts'

/** `struct store *self`, `Row made`: the name of the type, for each name of the declaration. */
export function declaredTypes(
  syntax: Syntax,
  node: number,
): { name: number; type: number; value?: number }[] {
  const written = syntax.child(node, 'type')
  const tag = syntax.is(written, 'struct_specifier', 'union_specifier', 'class_specifier', 'enum_specifier')
  const type = tag ? syntax.child(written, 'name') : syntax.is(written, 'primitive_type') ? none : written
  const inferred = syntax.is(written, 'placeholder_type_specifier') || syntax.text(written) === 'auto'
  return syntax.children(node, 'declarator').flatMap((declarator) => {
    const isFunction = syntax.is(declarator, 'function_declarator') && !isPointer(syntax, declarator)
    const name = nameOf(syntax, declarator)
    if (isFunction || !syntax.is(name, 'identifier', 'field_identifier')) return []
    const value = syntax.is(declarator, 'init_declarator') ? syntax.child(declarator, 'value') : none
    return [{ name, type: inferred ? none : type, value }]
  })
}
