/** Scala 2 and 3. */
import { none, type Syntax } from '../extraction/syntax.ts'
import type { LanguageTable } from '../extraction/table.ts'
import { docBefore } from './doc-comment.ts'
import { isTest, visibility } from './scala-parts/conventions.ts'
import { callable, classField, container, testCall, variable, wordTest } from './scala-parts/definitions.ts'
import { importDeclaration, packageOf } from './scala-parts/imports.ts'
import { parameters } from './scala-parts/parameters.ts'
import { places } from './scala-parts/places.ts'
import { argumentsOf, constructed, valueType } from './scala-parts/values.ts'

export const scala: LanguageTable = {
  id: 'scala',
  grammar: 'scala',
  comments: ['comment', 'block_comment'],
  names: { identifier: 'read', type_identifier: 'type' },
  places,
  scopes: {
    class_definition: 'block',
    trait_definition: 'block',
    enum_definition: 'block',
    template_body: 'class',
    enum_body: 'class',
    function_definition: 'function',
    function_declaration: 'block',
    lambda_expression: 'function',
    block: 'block',
    for_expression: 'block',
    case_clause: 'block',
  },
  receivers: { field_expression: 'value', stable_type_identifier: '#0' },
  looseReceiver: (syntax, name) => {
    const infix = syntax.parent(name)
    const isOperator = syntax.is(infix, 'infix_expression') && syntax.field(name) === 'operator'
    return isOperator ? syntax.child(infix, 'left') : null
  },
  calls: { call_expression: argumentsOf, instance_expression: argumentsOf, infix_expression: () => null },
  keywordArguments: { assignment_expression: 'left' },
  spreadArguments: ['vararg'],
  decorators: ['annotation'],
  definitions: {
    class_definition: container,
    object_definition: container,
    trait_definition: container,
    enum_definition: container,
    package_object: { kind: 'module' },
    simple_enum_case: { kind: 'enumerator' },
    full_enum_case: { kind: 'enumerator' },
    function_definition: callable,
    function_declaration: callable,
    class_parameter: classField,
    given_definition: { kind: 'variable', inClass: 'field' },
    type_definition: { kind: 'type' },
    call_expression: testCall,
    infix_expression: wordTest,
  },
  variable,
  parameters,
  typed: {
    parameter: { name: 'name', type: 'type' },
    class_parameter: { name: 'name', type: 'type' },
    val_definition: valueType,
    var_definition: valueType,
    val_declaration: { name: 'name', type: 'type' },
    typed_pattern: { name: 'pattern', type: 'type' },
  },
  constructed,
  imports: { import_declaration: importDeclaration },
  exports: {},
  visibility,
  isTest,
  doc: (syntax: Syntax, _definition, whole) => docBefore(syntax, whole, /^\/\*\*/),
  packageName: (syntax) => {
    const clause = syntax.childOf(0, 'package_clause')
    return clause === none ? null : packageOf(syntax, clause)
  },
}
