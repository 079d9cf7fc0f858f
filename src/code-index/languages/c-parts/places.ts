/** What names are in C; C++ adds to it. */
import type { LanguageTable } from '../../extraction/table.ts'

/** A pointer to a function is declared by a function's declarator: the name is still that of a variable or field. */
export const places: LanguageTable['places'] = {
  'function_declarator.declarator': 'climb',
  'pointer_declarator.declarator': 'climb',
  'array_declarator.declarator': 'climb',
  'parenthesized_declarator.*': 'climb',
  'attributed_declarator.*': 'climb',
  'init_declarator.declarator': 'climb',
  'declaration.declarator': 'variable',
  'field_declaration.declarator': 'variable',
  'parameter_declaration.declarator': 'local',
  'type_definition.declarator': 'ignore',
  'preproc_params.*': 'local',
  'call_expression.function': 'call',
  'field_expression.field': 'member',
  'field_designator.*': 'property',
  'assignment_expression.left': 'write',
  'update_expression.argument': 'write',
  'preproc_ifdef.name': 'read',
  'labeled_statement.label': 'ignore',
}
