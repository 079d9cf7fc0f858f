/** Kotlin. The grammar names no fields, so most is read by the kinds of children. */
import { none, type Syntax } from '../extraction/syntax.ts'
import type { LanguageTable } from '../extraction/table.ts'
import { doc, isTest, visibility } from './kotlin-parts/conventions.ts'
import {
  callable,
  classLike,
  constructorOf,
  enumEntry,
  promoted,
  propertyOf,
  testCall,
  typeAlias,
} from './kotlin-parts/definitions.ts'
import { importHeader, packageOf } from './kotlin-parts/imports.ts'
import { parameters } from './kotlin-parts/parameters.ts'
import { looseReceiver, places } from './kotlin-parts/places.ts'
import { argumentsOf, firstValue, typedBy } from './kotlin-parts/values.ts'

export const kotlin: LanguageTable = {
  id: 'kotlin',
  grammar: 'kotlin',
  comments: ['line_comment', 'multiline_comment'],
  names: { simple_identifier: 'read', type_identifier: 'type' },
  places,
  scopes: {
    class_declaration: 'block',
    object_declaration: 'block',
    class_body: 'class',
    enum_class_body: 'class',
    function_declaration: 'function',
    secondary_constructor: 'function',
    anonymous_initializer: 'function',
    lambda_literal: 'function',
    anonymous_function: 'function',
    getter: 'function',
    setter: 'function',
    for_statement: 'block',
    catch_block: 'block',
    when_entry: 'block',
    when_expression: 'block',
    control_structure_body: 'block',
  },
  receivers: { callable_reference: '#0' },
  looseReceiver,
  calls: { call_expression: argumentsOf, constructor_invocation: argumentsOf, infix_expression: () => null },
  keywordArguments: { value_argument: '#0' },
  spreadArguments: ['spread_expression'],
  decorators: ['annotation'],
  definitions: {
    class_declaration: classLike,
    object_declaration: classLike,
    companion_object: classLike,
    function_declaration: callable,
    secondary_constructor: constructorOf,
    class_parameter: promoted,
    enum_entry: enumEntry,
    type_alias: typeAlias,
    call_expression: testCall,
  },
  variable: propertyOf,
  parameters,
  typed: {
    parameter: (syntax, node) => [typedBy(syntax, node)],
    class_parameter: (syntax, node) => [typedBy(syntax, node)],
    variable_declaration: (syntax, node) => [{ ...typedBy(syntax, node), value: firstValue(syntax, node) }],
    catch_block: (syntax, node) => [typedBy(syntax, node)],
  },
  constructed: (syntax: Syntax, value: number) => {
    const callee = syntax.children(value)[0] ?? none
    const name = syntax.text(callee)
    return syntax.is(value, 'call_expression') &&
      syntax.is(callee, 'simple_identifier') &&
      /^[A-Z]/.test(name)
      ? name
      : null
  },
  imports: { import_header: importHeader },
  exports: {},
  visibility,
  isTest,
  doc,
  packageName: packageOf,
}
