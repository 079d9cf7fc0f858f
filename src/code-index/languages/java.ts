/** Java. */

import { none, type Syntax } from '../extraction/syntax.ts'
import type { LanguageTable } from '../extraction/table.ts'
import { docBefore } from './doc-comment.ts'
import { isTest, visibility } from './java-parts/conventions.ts'
import { field, importDeclaration, packageOf, recordComponent } from './java-parts/definitions.ts'
import { parameters } from './java-parts/parameters.ts'
import { places } from './java-parts/places.ts'

export const java: LanguageTable = {
  id: 'java',
  grammar: 'java',
  comments: ['line_comment', 'block_comment'],
  names: { identifier: 'read', type_identifier: 'type' },
  places,
  scopes: {
    class_declaration: 'block',
    interface_declaration: 'block',
    enum_declaration: 'block',
    record_declaration: 'block',
    class_body: 'class',
    interface_body: 'class',
    enum_body: 'class',
    annotation_type_body: 'class',
    method_declaration: 'function',
    constructor_declaration: 'function',
    compact_constructor_declaration: 'function',
    lambda_expression: 'function',
    static_initializer: 'function',
    block: 'block',
    for_statement: 'block',
    enhanced_for_statement: 'block',
    try_with_resources_statement: 'block',
    catch_clause: 'block',
    switch_block_statement_group: 'block',
    switch_rule: 'block',
  },
  receivers: {
    method_invocation: 'object',
    field_access: 'object',
    scoped_identifier: 'scope',
    scoped_type_identifier: '#0',
    method_reference: '#0',
  },
  calls: { method_invocation: 'arguments', object_creation_expression: 'arguments' },
  callsIgnoreLocals: true,
  decorators: ['annotation', 'marker_annotation'],
  definitions: {
    class_declaration: { kind: 'class' },
    interface_declaration: { kind: 'interface' },
    enum_declaration: { kind: 'enum' },
    record_declaration: { kind: 'class' },
    annotation_type_declaration: { kind: 'interface' },
    annotation_type_element_declaration: { kind: 'method', result: 'type' },
    method_declaration: { kind: 'method', result: 'type' },
    constructor_declaration: { kind: 'method' },
    compact_constructor_declaration: { kind: 'method' },
    enum_constant: { kind: 'enumerator' },
    formal_parameter: recordComponent,
  },
  variable: field,
  parameters,
  typed: {
    formal_parameter: { name: 'name', type: 'type' },
    local_variable_declaration: { name: 'declarator', inner: 'name', type: 'type', value: 'value' },
    field_declaration: { name: 'declarator', inner: 'name', type: 'type', value: 'value' },
    resource: { name: 'name', type: 'type', value: 'value' },
    enhanced_for_statement: { name: 'name', type: 'type' },
    instanceof_expression: { name: 'name', type: 'right' },
  },
  constructed: (syntax: Syntax, value: number) =>
    syntax.is(value, 'object_creation_expression') ? syntax.text(syntax.child(value, 'type')) : null,
  imports: { import_declaration: importDeclaration },
  exports: {},
  visibility,
  isTest,
  doc: (syntax, _definition, whole) => docBefore(syntax, whole, /^\/\*\*/),
  packageName: (syntax) => {
    const declaration = syntax.childOf(0, 'package_declaration')
    return declaration === none ? null : packageOf(syntax, declaration)
  },
}
