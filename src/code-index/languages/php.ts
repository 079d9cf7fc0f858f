/** PHP. */
import type { LanguageTable } from '../extraction/table.ts'
import { docBefore } from './doc-comment.ts'
import { isTest, visibility } from './php-parts/conventions.ts'
import { constant, field, promoted } from './php-parts/definitions.ts'
import { namespaceOf, useDeclaration } from './php-parts/namespaces.ts'
import { parameters } from './php-parts/parameters.ts'
import { looseReceiver, places } from './php-parts/places.ts'
import { argumentsOf, constructed, typeOf, variableName } from './php-parts/values.ts'

export const php: LanguageTable = {
  id: 'php',
  grammar: 'php',
  comments: ['comment'],
  names: { name: 'read' },
  places,
  scopes: {
    'class_declaration.body': 'class',
    'interface_declaration.body': 'class',
    'trait_declaration.body': 'class',
    'enum_declaration.body': 'class',
    function_definition: 'function',
    method_declaration: 'function',
    anonymous_function: 'function',
    arrow_function: 'function',
  },
  receivers: {},
  looseReceiver,
  calls: {
    function_call_expression: argumentsOf,
    member_call_expression: argumentsOf,
    nullsafe_member_call_expression: argumentsOf,
    scoped_call_expression: argumentsOf,
    object_creation_expression: argumentsOf,
  },
  keywordArguments: { argument: 'name' },
  spreadArguments: ['variadic_unpacking'],
  callsIgnoreLocals: true,
  definitions: {
    class_declaration: { kind: 'class' },
    interface_declaration: { kind: 'interface' },
    trait_declaration: { kind: 'interface' },
    enum_declaration: { kind: 'enum' },
    enum_case: { kind: 'enumerator', body: 'value' },
    function_definition: { kind: 'function' },
    method_declaration: { kind: 'method' },
    const_element: constant,
    property_promotion_parameter: promoted,
  },
  variable: field,
  parameters,
  typed: {
    simple_parameter: (syntax, node) => [{ name: variableName(syntax, node), type: typeOf(syntax, node) }],
    property_promotion_parameter: (syntax, node) => [
      { name: variableName(syntax, node), type: typeOf(syntax, node) },
    ],
    property_declaration: (syntax, node) =>
      syntax
        .children(node)
        .filter((child) => syntax.is(child, 'property_element'))
        .map((element) => ({ name: variableName(syntax, element), type: typeOf(syntax, node) })),
    assignment_expression: (syntax, node) => [
      {
        name: syntax.childOf(syntax.child(node, 'left'), 'name'),
        value: syntax.child(node, 'right'),
      },
    ],
  },
  constructed,
  imports: { namespace_use_declaration: useDeclaration },
  exports: {},
  visibility,
  isTest,
  doc: (syntax, _definition, whole) => docBefore(syntax, whole, /^\/\*\*/),
  packageName: namespaceOf,
}
