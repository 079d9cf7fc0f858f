/** Go. */

import { none, type Syntax } from '../extraction/syntax.ts'
import type { LanguageTable, PlaceRule } from '../extraction/table.ts'
import { docBefore } from './doc-comment.ts'
import { isTest, visibility } from './go-parts/conventions.ts'
import { interfaceMethod, method, typeSpec, variable } from './go-parts/definitions.ts'
import { importSpec } from './go-parts/imports.ts'
import { parameters } from './go-parts/parameters.ts'

const written: PlaceRule = (syntax, name) => (syntax.text(name) === '_' ? 'ignore' : 'write')

/** A field without a name is an embedded type. */
const fieldType: PlaceRule = (syntax, _name, field) =>
  syntax.child(field, 'name') === none ? 'extends' : 'type'

/** The same in an interface, unless it is one of several alternatives. */
const element: PlaceRule = (syntax, _name, element) =>
  syntax.is(syntax.parent(element), 'interface_type') && syntax.children(element).length === 1
    ? 'extends'
    : 'plain'

/** `Engine{Name: …}` names a field; the keys of a map are values. */
const literalKey: PlaceRule = (syntax, _name, element) => {
  const isKey = syntax.field(element) === 'key'
  const literal = syntax.ancestor(element, 'composite_literal')
  return isKey && !syntax.is(syntax.child(literal, 'type'), 'map_type') ? 'property' : 'plain'
}

export const go: LanguageTable = {
  id: 'go',
  grammar: 'go',
  comments: ['comment'],
  names: {
    identifier: 'read',
    type_identifier: 'type',
    field_identifier: 'property',
    package_identifier: 'read',
  },
  places: {
    'expression_list.*': 'climb',
    'short_var_declaration.left': 'local after',
    'receive_statement.left': 'local after',
    'range_clause.left': 'local after',
    'type_switch_statement.alias': 'local',
    'var_spec.name': 'variable after',
    'const_spec.name': 'variable after',
    'parameter_declaration.name': 'local',
    'variadic_parameter_declaration.name': 'local',
    'type_parameter_declaration.name': 'local',
    'field_declaration.name': 'variable',
    'field_declaration.type': fieldType,
    'type_elem.*': element,
    'qualified_type.name': 'climb',
    'generic_type.type': 'climb',
    'call_expression.function': 'call',
    'type_conversion_expression.type': 'call',
    'selector_expression.field': 'member',
    'assignment_statement.left': written,
    'inc_statement.*': 'write',
    'dec_statement.*': 'write',
    'literal_element.*': literalKey,
    'import_spec.name': 'ignore',
    'package_clause.*': 'ignore',
  },
  scopes: {
    function_declaration: 'function',
    method_declaration: 'function',
    func_literal: 'function',
    function_type: 'block',
    method_elem: 'block',
    type_spec: 'block',
    block: 'block',
    if_statement: 'block',
    for_statement: 'block',
    expression_switch_statement: 'block',
    type_switch_statement: 'block',
    expression_case: 'block',
    type_case: 'block',
    default_case: 'block',
    communication_case: 'block',
    field_declaration_list: 'class',
    interface_type: 'class',
  },
  receivers: { selector_expression: 'operand', qualified_type: 'package' },
  calls: { call_expression: 'arguments' },
  spreadArguments: ['variadic_argument'],
  expandingArguments: ['call_expression'],
  definitions: {
    function_declaration: { kind: 'function', result: 'result' },
    method_declaration: method,
    method_elem: interfaceMethod,
    type_spec: typeSpec,
    type_alias: typeSpec,
  },
  variable,
  parameters,
  typed: {
    parameter_declaration: { name: 'name', type: 'type' },
    var_spec: { name: 'name', type: 'type', value: 'value' },
    field_declaration: { name: 'name', type: 'type' },
    short_var_declaration: { name: 'left', value: 'right' },
  },
  valueLists: ['expression_list'],
  constructed,
  imports: { import_spec: importSpec },
  exports: {},
  visibility,
  isTest,
  doc: (syntax, _definition, whole) => docBefore(syntax, whole, /^\/(?:\*|\/(?!go:|line ))/),
  packageName: (syntax) =>
    syntax.text(syntax.childOf(syntax.childOf(0, 'package_clause'), 'package_identifier')) || null,
}

/** `T{…}`, `&T{…}` and `new(T)`. */
function constructed(syntax: Syntax, value: number): string | null {
  if (syntax.is(value, 'unary_expression')) {
    const operand = syntax.child(value, 'operand')
    return syntax.is(operand, 'composite_literal') ? constructed(syntax, operand) : null
  }
  if (syntax.is(value, 'composite_literal')) return syntax.text(syntax.child(value, 'type'))
  if (!syntax.is(value, 'call_expression') || syntax.text(syntax.child(value, 'function')) !== 'new')
    return null
  return syntax.text(syntax.children(syntax.child(value, 'arguments'))[0] ?? none)
}
