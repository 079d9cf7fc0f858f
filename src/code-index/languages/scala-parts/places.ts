/** What names are in Scala. */
import type { Syntax } from '../../extraction/syntax.ts'
import type { LanguageTable, PlaceRule } from '../../extraction/table.ts'

/** In patterns a small letter binds, a capital compares. */
const bound = (place: 'local' | 'climb'): PlaceRule => {
  return (syntax, name) => (isVariable(syntax, name) ? place : 'plain')
}

function isVariable(syntax: Syntax, name: number): boolean {
  return syntax.is(name, 'identifier') && /^[a-z_]/.test(syntax.text(name).slice(0, 1))
}

/** `f(x = 1)` names a parameter; elsewhere an assignment writes. */
const assigned: PlaceRule = (syntax, _name, assignment) =>
  syntax.is(syntax.parent(assignment), 'arguments') ? 'property' : 'write'

/** `x op= y` writes. */
const left: PlaceRule = (syntax, _name, infix) =>
  /^[^\w\s=!<>]+=$/.test(syntax.text(syntax.child(infix, 'operator')).slice(0, 10)) ? 'write' : 'plain'

/** The last word of a path is what is imported; selectors stand behind it. */
const importPath: PlaceRule = (syntax, name, declaration) => {
  const path = syntax.children(declaration, 'path')
  const hasSelectors = syntax.children(declaration).length > path.length
  return path.at(-1) === name && !hasSelectors ? 'import' : 'ignore'
}

export const places: LanguageTable['places'] = {
  'val_definition.pattern': anyIdentifier('variable'),
  'var_definition.pattern': anyIdentifier('variable'),
  'val_declaration.name': 'variable',
  'var_declaration.name': 'variable',
  'identifiers.*': 'climb',
  'tuple_pattern.*': bound('climb'),
  'infix_pattern.left': bound('climb'),
  'infix_pattern.right': bound('climb'),
  'capture_pattern.name': 'local',
  'typed_pattern.pattern': bound('climb'),
  'typed_pattern.type': 'type',
  'case_class_pattern.pattern': bound('climb'),
  'case_class_pattern.type': 'type',
  'alternative_pattern.*': 'plain',
  'case_clause.pattern': bound('local'),
  'enumerator#0': bound('local'),
  'parameter.name': 'local',
  'class_parameter.name': 'local',
  'binding.name': 'local',
  'lambda_expression.parameters': 'local',
  'type_parameters.name': 'local',
  'call_expression.function': 'call',
  'generic_function.function': 'climb',
  'field_expression.field': 'member',
  'field_expression.value': (syntax, name) => (syntax.text(name) === 'this' ? 'ignore' : 'plain'),
  'infix_expression.operator': 'call',
  'infix_expression.left': left,
  'postfix_expression#+': 'call',
  'instance_expression#0': 'call',
  'assignment_expression.left': assigned,
  'generic_type.type': 'climb',
  'stable_type_identifier#+': 'climb',
  'extends_clause.type': 'extends',
  'compound_type.*': 'climb',
  'annotation.name': 'decorator',
  'package_identifier.*': 'ignore',
  'package_clause.name': 'ignore',
  'import_declaration.path': importPath,
  'namespace_selectors.*': 'import',
  'arrow_renamed_identifier.name': 'import',
  'arrow_renamed_identifier.alias': 'ignore',
  'access_qualifier.*': 'ignore',
}

function anyIdentifier(place: 'variable'): PlaceRule {
  return (syntax, name) => (syntax.is(name, 'identifier') ? place : 'plain')
}
