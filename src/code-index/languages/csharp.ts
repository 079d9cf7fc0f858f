/** C#. */

import type { ImportFact } from '../contract.ts'
import { none, type Syntax } from '../extraction/syntax.ts'
import type { LanguageTable, PlaceRule } from '../extraction/table.ts'
import {
  destructor,
  doc,
  field,
  indexer,
  isTest,
  operator,
  parameters,
  property,
  record,
  visibility,
} from './csharp-definitions.ts'
import { recordField } from './shared-readers.ts'

// What names are in C#.

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

const places: LanguageTable['places'] = {
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

/** `this.x` and `base.x`, whose first word is only a token; `x?.y`, where it is one level up. */
function looseReceiver(syntax: Syntax, name: number): string | number | null {
  const generic = syntax.is(syntax.parent(name), 'generic_name') ? syntax.parent(name) : name
  const access = syntax.parent(generic)
  if (syntax.is(access, 'member_binding_expression'))
    return syntax.child(syntax.ancestor(access, 'conditional_access_expression'), 'condition')
  if (!syntax.is(access, 'member_access_expression') || syntax.field(generic) !== 'name') return null
  const before = syntax.child(access, 'expression')
  if (before !== none) return before
  return /^(?:this|base)\b/.exec(syntax.text(access).slice(0, 10))?.[0] ?? null
}

// C#'s namespaces and what is taken from them.

/** `using A.B` opens all of `A.B`; `using X = A.B` names `B` of `A`. */
function usingDirective(syntax: Syntax, node: number): ImportFact[] {
  const alias = syntax.child(node, 'name')
  const path = syntax.text(syntax.children(node).at(-1) ?? none).replace(/\s+/g, '')
  const reexport = /^global\b/.test(syntax.text(node).slice(0, 10))
  const base = { line: syntax.startLine(node), reexport, typeOnly: false }
  if (alias === none) return [{ ...base, source: path, imported: '*', local: null }]
  const cut = path.lastIndexOf('.')
  return [
    {
      ...base,
      source: path.slice(0, Math.max(0, cut)),
      imported: path.slice(cut + 1),
      local: syntax.text(alias),
    },
  ]
}

/** `namespace A { namespace B {} }` declares `A` and `A.B`. */
function namespacesOf(syntax: Syntax, holder = 0, outer = ''): string[] {
  return syntax.children(holder).flatMap((node) => {
    if (!syntax.is(node, 'namespace_declaration', 'file_scoped_namespace_declaration')) return []
    const name = outer + syntax.text(syntax.child(node, 'name')).replace(/\s+/g, '')
    return [name, ...namespacesOf(syntax, syntax.child(node, 'body'), `${name}.`)]
  })
}

export const csharp: LanguageTable = {
  id: 'csharp',
  grammar: 'c-sharp',
  comments: ['comment'],
  names: { identifier: 'read', implicit_parameter: 'read' },
  places,
  scopes: {
    class_declaration: 'block',
    struct_declaration: 'block',
    record_declaration: 'block',
    interface_declaration: 'block',
    'class_declaration.body': 'class',
    'struct_declaration.body': 'class',
    'record_declaration.body': 'class',
    'interface_declaration.body': 'class',
    enum_member_declaration_list: 'class',
    method_declaration: 'function',
    constructor_declaration: 'function',
    destructor_declaration: 'function',
    operator_declaration: 'function',
    conversion_operator_declaration: 'function',
    indexer_declaration: 'function',
    local_function_statement: 'function',
    lambda_expression: 'function',
    anonymous_method_expression: 'function',
    accessor_declaration: 'function',
    delegate_declaration: 'block',
    arrow_expression_clause: 'block',
    block: 'block',
    for_statement: 'block',
    foreach_statement: 'block',
    using_statement: 'block',
    catch_clause: 'block',
    switch_section: 'block',
    switch_expression_arm: 'block',
    query_expression: 'block',
  },
  receivers: { member_access_expression: 'expression', qualified_name: 'qualifier' },
  looseReceiver,
  calls: { invocation_expression: 'arguments', object_creation_expression: 'arguments' },
  keywordArguments: { argument: 'name' },
  definitions: {
    class_declaration: { kind: 'class' },
    struct_declaration: { kind: 'struct' },
    record_declaration: record,
    interface_declaration: { kind: 'interface' },
    enum_declaration: { kind: 'enum' },
    enum_member_declaration: { kind: 'enumerator', body: 'value' },
    delegate_declaration: { kind: 'type', result: 'type' },
    method_declaration: { kind: 'method', result: 'returns' },
    constructor_declaration: { kind: 'method' },
    destructor_declaration: destructor,
    operator_declaration: operator,
    indexer_declaration: indexer,
    local_function_statement: { kind: 'function', result: 'type' },
    property_declaration: property,
    event_declaration: { kind: 'field', body: 'accessors', result: 'type' },
    parameter: recordField,
  },
  variable: field,
  parameters,
  typed: {
    parameter: { name: 'name', type: 'type' },
    property_declaration: { name: 'name', type: 'type' },
    foreach_statement: { name: 'left', type: 'type' },
    catch_declaration: { name: 'name', type: 'type' },
    declaration_pattern: { name: 'name', type: 'type' },
    declaration_expression: { name: 'name', type: 'type' },
    variable_declaration: (syntax, node) =>
      syntax
        .children(node)
        .filter((child) => syntax.is(child, 'variable_declarator'))
        .map((declarator) => ({
          name: syntax.child(declarator, 'name'),
          type: syntax.child(node, 'type'),
          value: syntax.children(declarator)[1] ?? none,
        })),
  },
  constructed: (syntax: Syntax, value: number) =>
    syntax.is(value, 'object_creation_expression') ? syntax.text(syntax.child(value, 'type')) : null,
  imports: { using_directive: usingDirective },
  exports: {},
  visibility,
  isTest,
  doc,
  packageNames: (syntax) => namespacesOf(syntax),
}
