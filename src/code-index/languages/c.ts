/** C. */
import type { LanguageTable } from '../extraction/table.ts'
import { isTest, visibility } from './c-parts/conventions.ts'
import { declared, enumeration, macro, record, typeName, variable } from './c-parts/definitions.ts'
import { include } from './c-parts/includes.ts'
import { parameters } from './c-parts/parameters.ts'
import { places } from './c-parts/places.ts'
import { declaredTypes } from './c-parts/types.ts'
import { docBefore } from './doc-comment.ts'

export const c: LanguageTable = {
  id: 'c',
  grammar: 'c',
  comments: ['comment'],
  names: { identifier: 'read', type_identifier: 'type', field_identifier: 'property' },
  places,
  scopes: {
    function_definition: 'function',
    compound_statement: 'block',
    for_statement: 'block',
    field_declaration_list: 'class',
    preproc_function_def: 'function',
  },
  receivers: { field_expression: 'argument' },
  calls: { call_expression: 'arguments' },
  definitions: {
    function_declarator: declared,
    struct_specifier: record,
    union_specifier: record,
    enum_specifier: enumeration,
    enumerator: { kind: 'enumerator', body: 'value' },
    preproc_def: macro,
    preproc_function_def: macro,
    type_identifier: typeName,
  },
  variable,
  parameters,
  typed: {
    declaration: declaredTypes,
    field_declaration: declaredTypes,
    parameter_declaration: declaredTypes,
  },
  constructed: () => null,
  imports: { preproc_include: include },
  exports: {},
  visibility,
  isTest,
  doc: (syntax, _definition, whole) => docBefore(syntax, whole, /^\/(?:\*|\/)/),
}
