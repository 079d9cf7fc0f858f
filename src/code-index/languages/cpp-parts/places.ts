/** What names are in C++, beyond C. */
import { withoutGenerics } from '../../extraction/references.ts'
import { none, type Syntax } from '../../extraction/syntax.ts'
import type { LanguageTable, PlaceRule } from '../../extraction/table.ts'
import { places as placesOfC } from '../c-parts/places.ts'

const loopVariable: PlaceRule = (syntax, name) => (syntax.is(name, 'identifier') ? 'local' : 'plain')

const typeVariable: PlaceRule = (syntax, name, parameter) =>
  syntax.parent(name) === parameter ? 'local' : 'plain'

export const places: LanguageTable['places'] = {
  ...placesOfC,
  'reference_declarator.*': 'climb',
  'variadic_declarator.*': 'climb',
  'structured_binding_declarator.*': 'climb',
  'optional_parameter_declaration.declarator': 'local',
  'variadic_parameter_declaration.declarator': 'local',
  'for_range_loop.declarator': loopVariable,
  'type_parameter_declaration.*': typeVariable,
  'variadic_type_parameter_declaration.*': typeVariable,
  'optional_type_parameter_declaration.name': 'local',
  'base_class_clause.*': 'extends',
  'qualified_identifier.name': 'climb',
  'qualified_identifier.scope': 'plain',
  'nested_namespace_specifier.*': 'ignore',
  'namespace_definition.name': 'ignore',
  'namespace_alias_definition.name': 'ignore',
  'template_function.name': 'climb',
  'template_method.name': 'climb',
  'template_type.name': 'climb',
  'template_argument_list.*': 'type',
  'type_descriptor.type': 'climb',
  'destructor_name.*': 'ignore',
  'new_expression.type': 'call',
  'using_declaration.*': 'import',
  'field_initializer#0': 'write',
  'lambda_capture_specifier.*': 'plain',
}

/** `a::b::f`: every scope before the name; `x.f<T>` and `p->f<T>`, where the arguments of the template stand between. */
export function looseReceiver(syntax: Syntax, name: number): string | number | null {
  const template = syntax.parent(name)
  const holder = syntax.is(template, 'template_function', 'template_method', 'template_type')
    ? template
    : name
  const around = syntax.parent(holder)
  if (syntax.is(around, 'field_expression') && syntax.field(holder) === 'field')
    return holder === name ? null : syntax.child(around, 'argument')
  if (!syntax.is(around, 'qualified_identifier') || syntax.field(holder) !== 'name') return null
  const scope = syntax.child(around, 'scope')
  if (scope === none) return null
  let outermost = around
  for (let up = syntax.parent(around); syntax.is(up, 'qualified_identifier'); up = syntax.parent(up))
    outermost = up
  const text = syntax.source.slice(syntax.start(outermost), syntax.end(scope)).slice(0, 480)
  return withoutGenerics(text.replace(/\s+/g, '').replace(/^::/, '')).slice(0, 120) || null
}
