/** What names are and which nodes open scopes, in JavaScript and in everything built on it. */
import type { LanguageTable, PlaceRule } from '../../extraction/table.ts'

/** `<div>` is markup, `<Card>` uses a component. */
const element: PlaceRule = (syntax, name) => (/^[a-z]/.test(syntax.text(name)) ? 'ignore' : 'call')

/** `export { a } from` names something of another file. */
const exported: PlaceRule = (syntax, _name, specifier) =>
  syntax.child(syntax.parent(syntax.parent(specifier)), 'source') >= 0 ? 'import' : 'export'

export const names: LanguageTable['names'] = {
  identifier: 'read',
  property_identifier: 'property',
  private_property_identifier: 'property',
  shorthand_property_identifier: 'read',
  shorthand_property_identifier_pattern: 'read',
}

export const places: LanguageTable['places'] = {
  'variable_declarator.name': 'climb',
  'lexical_declaration.*': 'variable',
  'variable_declaration.*': 'variable hoisted',
  'object_pattern.*': 'climb',
  'array_pattern.*': 'climb',
  'rest_pattern.*': 'climb',
  'pair_pattern.value': 'climb',
  'pair_pattern.key': 'property',
  'assignment_pattern.left': 'climb',
  'object_assignment_pattern.left': 'climb',
  'formal_parameters.*': 'local',
  'arrow_function.parameter': 'local',
  'catch_clause.parameter': 'local',
  'for_in_statement.left': 'local',
  'function_expression.name': 'local',
  'generator_function.name': 'local',
  'class.name': 'local',
  'method_definition.name': 'ignore',
  'pair.key': 'property',
  'call_expression.function': 'call',
  'new_expression.constructor': 'call',
  'member_expression.property': 'member',
  'assignment_expression.left': 'write',
  'augmented_assignment_expression.left': 'write',
  'update_expression.argument': 'write',
  'class_heritage.*': 'extends',
  'decorator.*': 'decorator',
  'import_specifier.name': 'import',
  'import_specifier.alias': 'ignore',
  'import_clause.*': 'import',
  'namespace_import.*': 'ignore',
  'namespace_export.*': 'ignore',
  'export_specifier.name': exported,
  'export_specifier.alias': 'ignore',
  'export_statement.*': 'export',
}

/** For the grammars that read markup. */
export const markupPlaces: LanguageTable['places'] = {
  'jsx_opening_element.name': element,
  'jsx_self_closing_element.name': element,
  'jsx_closing_element.name': 'ignore',
  'jsx_attribute.*': 'property',
}

export const scopes: LanguageTable['scopes'] = {
  function_declaration: 'function',
  generator_function_declaration: 'function',
  function_expression: 'function',
  generator_function: 'function',
  arrow_function: 'function',
  method_definition: 'function',
  class_static_block: 'function',
  statement_block: 'block',
  catch_clause: 'block',
  for_statement: 'block',
  for_in_statement: 'block',
  switch_body: 'block',
  class_declaration: 'block',
  class: 'block',
  class_body: 'class',
  object: 'class',
}
