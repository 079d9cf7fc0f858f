/** What names are in Java. */
import { none } from '../../extraction/syntax.ts'
import type { LanguageTable, PlaceRule } from '../../extraction/table.ts'

/** Where the grammar names no fields: the identifier is the variable, the type identifier its type. */
const variableOfTwo: PlaceRule = (syntax, name) => (syntax.is(name, 'identifier') ? 'local' : 'plain')

const typeVariable: PlaceRule = (syntax, name, parameter) =>
  syntax.parent(name) === parameter && syntax.is(name, 'type_identifier') ? 'local' : 'plain'

const listedType: PlaceRule = (syntax, _name, list) =>
  syntax.is(syntax.parent(list), 'super_interfaces', 'extends_interfaces') ? 'extends' : 'plain'

/** The packages before an imported name are not worth finding. */
const qualifier: PlaceRule = (syntax, name) =>
  syntax.ancestor(name, 'import_declaration', 'package_declaration') === none ? 'plain' : 'ignore'

/** `var` is no type. */
const localType: PlaceRule = (syntax, name) => (syntax.text(name) === 'var' ? 'ignore' : 'plain')

export const places: LanguageTable['places'] = {
  'variable_declarator.name': 'climb',
  'field_declaration.declarator': 'variable',
  'constant_declaration.declarator': 'variable',
  'local_variable_declaration.declarator': 'local',
  'local_variable_declaration.type': localType,
  'formal_parameter.name': 'local',
  'spread_parameter.*': variableOfTwo,
  'catch_formal_parameter.name': 'local',
  'resource.name': 'local',
  'enhanced_for_statement.name': 'local',
  'instanceof_expression.name': 'local',
  'record_pattern_component.*': variableOfTwo,
  'type_pattern.*': variableOfTwo,
  'inferred_parameters.*': 'local',
  'lambda_expression.parameters': 'local',
  'type_parameter.*': typeVariable,
  'method_invocation.name': 'call',
  'object_creation_expression.type': 'call',
  'method_reference#+': 'call',
  'generic_type.*': 'climb',
  'scoped_type_identifier#0': 'plain',
  'scoped_type_identifier#+': 'climb',
  'superclass.*': 'extends',
  'type_list.*': listedType,
  'annotation.name': 'decorator',
  'marker_annotation.name': 'decorator',
  'element_value_pair.key': 'property',
  'field_access.field': 'member',
  'assignment_expression.left': 'write',
  'update_expression.*': 'write',
  'scoped_identifier.name': 'climb',
  'scoped_identifier.scope': qualifier,
  'import_declaration.*': 'import',
  'package_declaration.*': 'ignore',
  'labeled_statement#0': 'ignore',
  'break_statement.*': 'ignore',
  'continue_statement.*': 'ignore',
}
