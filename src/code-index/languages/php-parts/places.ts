/** What names are in PHP. A `$name` counts by the name behind its sign. */
import { none, type Syntax } from '../../extraction/syntax.ts'
import type { LanguageTable, PlaceRule } from '../../extraction/table.ts'

const assigned: PlaceRule = (syntax, name) =>
  syntax.is(syntax.parent(name), 'variable_name') &&
  !syntax.is(syntax.parent(syntax.parent(name)), 'scoped_property_access_expression')
    ? 'local hoisted'
    : 'write'

/** `$this` is no name of anything. */
const variable: PlaceRule = (syntax, name) => (syntax.text(name) === 'this' ? 'ignore' : 'climb')

const created: PlaceRule = (syntax, name) =>
  syntax.is(syntax.parent(name), 'variable_name') ? 'plain' : 'call'

const scope: PlaceRule = (syntax, name) =>
  syntax.is(syntax.parent(name), 'variable_name') ? 'plain' : 'type'

/** `Foo::class` names the class only. */
const classMember: PlaceRule = (syntax, name) => (syntax.text(name) === 'class' ? 'ignore' : 'property')

export const places: LanguageTable['places'] = {
  'variable_name.*': variable,
  'property_element.name': 'climb',
  'property_declaration.*': 'variable',
  'property_promotion_parameter.name': 'local',
  'simple_parameter.name': 'local',
  'variadic_parameter.name': 'local',
  'assignment_expression.left': assigned,
  'reference_assignment_expression.left': assigned,
  'augmented_assignment_expression.left': 'write',
  'update_expression.*': 'write',
  'list_literal.*': 'climb',
  'foreach_statement#+': assigned,
  'pair.*': 'climb',
  'by_ref.*': 'climb',
  'catch_clause.name': 'local hoisted',
  'static_variable_declaration.name': 'local hoisted',
  'global_declaration.*': 'ignore',
  'anonymous_function_use_clause.*': 'local',
  'namespace_name.*': 'ignore',
  'qualified_name.*': 'climb',
  'relative_name.*': 'climb',
  'function_call_expression.function': 'call',
  'member_call_expression.name': 'call',
  'nullsafe_member_call_expression.name': 'call',
  'scoped_call_expression.name': 'call',
  'scoped_call_expression.scope': scope,
  'object_creation_expression#0': created,
  'class_constant_access_expression#0': scope,
  'class_constant_access_expression#+': classMember,
  'member_access_expression.name': 'member',
  'nullsafe_member_access_expression.name': 'member',
  'scoped_property_access_expression.name': 'member',
  'scoped_property_access_expression.scope': scope,
  'named_type.*': 'type',
  'base_clause.*': 'extends',
  'class_interface_clause.*': 'extends',
  'use_declaration.*': 'extends',
  'namespace_use_clause.alias': 'ignore',
  'namespace_use_clause.*': 'import',
  'attribute#0': 'decorator',
  'argument.name': 'property',
  'named_label_statement.*': 'ignore',
  'goto_statement.*': 'ignore',
}

const memberKinds: Readonly<Record<string, string>> = {
  member_call_expression: 'object',
  nullsafe_member_call_expression: 'object',
  member_access_expression: 'object',
  nullsafe_member_access_expression: 'object',
  scoped_call_expression: 'scope',
  scoped_property_access_expression: 'scope',
}

/** What stands before `->`, `?->` and `::`, without dollar signs, so that it fits the names of parameters. */
export function looseReceiver(syntax: Syntax, name: number): string | null {
  const holder = syntax.is(syntax.parent(name), 'variable_name') ? syntax.parent(name) : name
  const access = syntax.parent(holder)
  const field = memberKinds[syntax.kind(access)]
  const before = syntax.is(access, 'class_constant_access_expression')
    ? (syntax.children(access)[0] ?? none)
    : field === undefined
      ? none
      : syntax.child(access, field)
  if (before === none || before === holder) return null
  const text = syntax.source.slice(
    syntax.start(before),
    Math.min(syntax.end(before), syntax.start(before) + 480),
  )
  return text
    .replace(/\s+/g, ' ')
    .replace(/ ?(?:\?->|->|::) ?/g, '.')
    .replace(/\$(?=\w)/g, '')
    .slice(0, 120)
}
