/** What names are in C#. */
import { none, type Syntax } from '../../extraction/syntax.ts'
import type { LanguageTable, PlaceRule } from '../../extraction/table.ts'

/** `using (var x = …)` and `for (int i = …)` bind; other expressions there do not. */
const declaredHere: PlaceRule = (syntax, name) =>
  syntax.is(syntax.parent(name), 'variable_declarator') && syntax.field(name) === 'name' ? 'local' : 'plain'

/** `new Row { Name = … }` names a property of the new object. */
const assigned: PlaceRule = (syntax, _name, assignment) =>
  syntax.is(syntax.parent(assignment), 'initializer_expression') ? 'property' : 'write'

/** `x++` writes; `x!` only promises that there is something. */
const stepped: PlaceRule = (syntax, _name, expression) =>
  /^(?:\+\+|--)|(?:\+\+|--)$/.test(syntax.text(expression).slice(-300)) ? 'write' : 'plain'

const typeWord: PlaceRule = (syntax, name) => (syntax.text(name) === 'var' ? 'ignore' : 'type')

/** The namespaces before an imported name are not worth finding. */
const qualifier: PlaceRule = (syntax, name) =>
  syntax.ancestor(name, 'using_directive', 'namespace_declaration', 'file_scoped_namespace_declaration') ===
  none
    ? 'plain'
    : 'ignore'

export const places: LanguageTable['places'] = {
  'variable_declarator.name': 'climb',
  'variable_declaration.type': typeWord,
  'variable_declaration.*': 'climb',
  'field_declaration.*': 'variable',
  'event_field_declaration.*': 'variable',
  'local_declaration_statement.*': 'local',
  'using_statement.*': declaredHere,
  'fixed_statement.*': declaredHere,
  'for_statement.initializer': declaredHere,
  'parameter.name': 'local',
  'parameter.type': 'type',
  'parameter_list.name': 'local',
  'parameter_list.type': 'type',
  'lambda_expression.parameters': 'local',
  'foreach_statement.left': 'local',
  'foreach_statement.type': typeWord,
  'catch_declaration.name': 'local',
  'catch_declaration.type': 'type',
  'declaration_expression.name': 'local',
  'declaration_pattern.name': 'local',
  'declaration_pattern.type': 'type',
  'recursive_pattern.name': 'local',
  'recursive_pattern.type': 'type',
  'var_pattern.name': 'local',
  'tuple_pattern.name': 'local',
  'parenthesized_variable_designation.name': 'local',
  'from_clause.name': 'local',
  'type_parameter.name': 'local',
  'type_parameter_constraints_clause#0': 'ignore',
  'type_parameter_constraint.type': 'type',
  'invocation_expression.function': 'call',
  'member_access_expression.name': 'member',
  'member_binding_expression.name': 'member',
  'conditional_access_expression#+': 'climb',
  'object_creation_expression.type': 'call',
  'generic_name#0': 'climb',
  'qualified_name.name': 'climb',
  'qualified_name.qualifier': qualifier,
  'alias_qualified_name.name': 'climb',
  'base_list.*': 'extends',
  'primary_constructor_base_type.type': 'climb',
  'attribute.name': 'decorator',
  'using_directive.name': 'ignore',
  'using_directive.*': 'import',
  'namespace_declaration.name': 'ignore',
  'file_scoped_namespace_declaration.name': 'ignore',
  'method_declaration.returns': 'type',
  'property_declaration.type': 'type',
  'indexer_declaration.type': 'type',
  'operator_declaration.type': 'type',
  'delegate_declaration.type': 'type',
  'event_declaration.type': 'type',
  'local_function_statement.type': typeWord,
  'explicit_interface_specifier.*': 'type',
  'type_argument_list.*': 'type',
  'nullable_type.*': 'climb',
  'array_type.type': 'climb',
  'tuple_element.type': 'type',
  'tuple_element.name': 'ignore',
  'cast_expression.type': 'type',
  'typeof_expression.type': 'type',
  'default_expression.type': 'type',
  'as_expression.right': 'type',
  'is_expression.right': 'type',
  'argument.name': 'property',
  'attribute_argument.name': 'property',
  'assignment_expression.left': assigned,
  'postfix_unary_expression.*': stepped,
  'prefix_unary_expression.*': stepped,
  'labeled_statement#0': 'ignore',
  'goto_statement.*': 'ignore',
}

/** `this.x` and `base.x`, whose first word is only a token; `x?.y`, where it stands one level up. */
export function looseReceiver(syntax: Syntax, name: number): string | number | null {
  const generic = syntax.is(syntax.parent(name), 'generic_name') ? syntax.parent(name) : name
  const access = syntax.parent(generic)
  if (syntax.is(access, 'member_binding_expression'))
    return syntax.child(syntax.ancestor(access, 'conditional_access_expression'), 'condition')
  if (!syntax.is(access, 'member_access_expression') || syntax.field(generic) !== 'name') return null
  const before = syntax.child(access, 'expression')
  if (before !== none) return before
  return /^(?:this|base)\b/.exec(syntax.text(access).slice(0, 10))?.[0] ?? null
}
