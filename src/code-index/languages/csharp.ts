/** C#. */

import { none, type Syntax } from '../extraction/syntax.ts'
import type { LanguageTable } from '../extraction/table.ts'
import { doc, isTest, visibility } from './csharp-parts/conventions.ts'
import {
  destructor,
  field,
  indexer,
  operator,
  property,
  record,
  recordField,
} from './csharp-parts/definitions.ts'
import { namespaceOf, usingDirective } from './csharp-parts/namespaces.ts'
import { parameters } from './csharp-parts/parameters.ts'
import { looseReceiver, places } from './csharp-parts/places.ts'

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
  packageName: namespaceOf,
}
