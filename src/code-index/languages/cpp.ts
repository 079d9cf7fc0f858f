/** C++, on top of C. */
import type { LanguageTable } from '../extraction/table.ts'
import { c } from './c.ts'
import { declaredTypes } from './c-parts/types.ts'
import { isTest, visibility } from './cpp-parts/conventions.ts'
import { concept, enumeration, functionIn, namespace, record, testCase } from './cpp-parts/definitions.ts'
import { looseReceiver, places } from './cpp-parts/places.ts'
import { constructed, loopVariable, usingDeclaration } from './cpp-parts/values.ts'

export const cpp: LanguageTable = {
  ...c,
  id: 'cpp',
  grammar: 'cpp',
  names: { ...c.names, namespace_identifier: 'read' },
  places,
  scopes: {
    ...c.scopes,
    lambda_expression: 'function',
    catch_clause: 'block',
    for_range_loop: 'block',
    template_declaration: 'block',
    'namespace_definition.body': 'module',
  },
  looseReceiver,
  calls: { ...c.calls, new_expression: 'arguments' },
  spreadArguments: ['parameter_pack_expansion'],
  definitions: {
    ...c.definitions,
    function_declarator: functionIn,
    struct_specifier: record,
    class_specifier: record,
    enum_specifier: enumeration,
    namespace_definition: namespace,
    alias_declaration: { kind: 'type', body: 'type' },
    concept_definition: concept,
    expression_statement: testCase,
  },
  wrappers: ['template_declaration'],
  typed: {
    ...c.typed,
    optional_parameter_declaration: declaredTypes,
    for_range_loop: loopVariable,
  },
  transparentTypes: [
    'std::unique_ptr',
    'std::shared_ptr',
    'std::weak_ptr',
    'std::optional',
    'unique_ptr',
    'shared_ptr',
    'optional',
  ],
  constructed,
  imports: { ...c.imports, using_declaration: usingDeclaration },
  visibility,
  isTest,
}
