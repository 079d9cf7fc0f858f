/** Swift. */
import { none, type Syntax } from '../extraction/syntax.ts'
import type { LanguageTable } from '../extraction/table.ts'
import { docBefore } from './doc-comment.ts'
import { isTest, visibility } from './swift-parts/conventions.ts'
import { callable, container, enumerator, property } from './swift-parts/definitions.ts'
import { importDeclaration } from './swift-parts/imports.ts'
import { parameters } from './swift-parts/parameters.ts'
import { looseReceiver, places } from './swift-parts/places.ts'
import { argumentsOf, declaredType, parameterType } from './swift-parts/values.ts'

export const swift: LanguageTable = {
  id: 'swift',
  grammar: 'swift',
  comments: ['comment', 'multiline_comment'],
  names: { simple_identifier: 'read', type_identifier: 'type' },
  places,
  scopes: {
    class_declaration: 'block',
    protocol_declaration: 'block',
    class_body: 'class',
    enum_class_body: 'class',
    protocol_body: 'class',
    function_declaration: 'function',
    deinit_declaration: 'function',
    subscript_declaration: 'function',
    protocol_function_declaration: 'block',
    computed_property: 'function',
    computed_getter: 'function',
    computed_setter: 'function',
    lambda_literal: 'function',
    if_statement: 'block',
    for_statement: 'block',
    while_statement: 'block',
    catch_block: 'block',
    switch_entry: 'block',
    do_statement: 'block',
  },
  receivers: {},
  looseReceiver,
  calls: { call_expression: argumentsOf },
  keywordArguments: { value_argument: 'name' },
  decorators: ['attribute'],
  definitions: {
    class_declaration: container,
    protocol_declaration: { kind: 'interface' },
    function_declaration: callable,
    protocol_function_declaration: callable,
    subscript_declaration: callable,
    deinit_declaration: callable,
    typealias_declaration: { kind: 'type' },
    associatedtype_declaration: { kind: 'type' },
    simple_identifier: enumerator,
  },
  variable: property,
  parameters,
  typed: { parameter: parameterType, property_declaration: declaredType },
  constructed: (syntax: Syntax, value: number) => {
    const callee = syntax.children(value)[0] ?? none
    const name = syntax.text(callee)
    const isType = syntax.is(callee, 'simple_identifier') && /^[A-Z]/.test(name)
    return syntax.is(value, 'call_expression') && isType ? name : null
  },
  imports: { import_declaration: importDeclaration },
  exports: {},
  visibility,
  isTest,
  doc: (syntax, _definition, whole) => docBefore(syntax, whole, /^\/(?:\/\/|\*\*)/),
}
