/** What names are in Kotlin. */
import { none, type Syntax } from '../../extraction/syntax.ts'
import type { LanguageTable, PlaceRule } from '../../extraction/table.ts'

/** Where names and types stand side by side: the first identifier is what is declared. */
const firstName: PlaceRule = (syntax, name, parent) =>
  syntax.is(name, 'simple_identifier') && syntax.childOf(parent, 'simple_identifier') === name
    ? 'local'
    : 'plain'

const declared: PlaceRule = (syntax, name, parent) =>
  syntax.is(name, 'simple_identifier') && syntax.childOf(parent, 'simple_identifier') === name
    ? 'climb'
    : 'plain'

/** The variable of `for (x in xs)` and `val x = y`, and not what comes behind. */
const ofVariable =
  (place: 'variable' | 'local' | 'local hoisted'): PlaceRule =>
  (syntax, name) =>
    syntax.is(syntax.parent(name), 'variable_declaration') ? place : 'plain'

const typeVariable: PlaceRule = (syntax, name, parameter) =>
  syntax.parent(name) === parameter && syntax.is(name, 'type_identifier') ? 'local' : 'plain'

/** `f(x = 1)`: the first of two children is the parameter's name. */
const argument: PlaceRule = (syntax, name, parent) =>
  syntax.parent(name) === parent && isNamed(syntax, parent) ? 'property' : 'plain'

/** Only `a.b = …` and `a = …`; what stands in brackets is read. */
const assigned: PlaceRule = (syntax, name) =>
  syntax.ancestor(name, 'indexing_suffix', 'directly_assignable_expression') ===
  syntax.ancestor(name, 'directly_assignable_expression')
    ? 'write'
    : 'plain'

const stepped: PlaceRule = (syntax, _name, expression) =>
  /^(?:\+\+|--)|(?:\+\+|--)$/.test(syntax.text(expression).slice(-300)) ? 'write' : 'plain'

export const places: LanguageTable['places'] = {
  'variable_declaration.*': declared,
  'multi_variable_declaration.*': 'climb',
  'property_declaration.*': ofVariable('variable'),
  // A loop without braces: the grammar sees its body behind the loop.
  'for_statement.*': ofVariable('local hoisted'),
  'lambda_parameters.*': ofVariable('local'),
  'when_subject.*': ofVariable('local'),
  'parameter.*': firstName,
  'parameter_with_optional_type.*': firstName,
  'class_parameter.*': firstName,
  'catch_block#0': firstName,
  'type_parameter.*': typeVariable,
  'call_expression#0': 'call',
  'navigation_expression#+': 'climb',
  'navigation_suffix.*': 'member',
  'callable_reference#+': 'call',
  'infix_expression.*': (syntax, name, expression) =>
    syntax.children(expression)[1] === name ? 'call' : 'plain',
  'value_argument#0': argument,
  'directly_assignable_expression.*': assigned,
  'postfix_expression.*': stepped,
  'prefix_expression.*': stepped,
  'user_type.*': 'climb',
  'nullable_type.*': 'climb',
  'type_projection.*': 'type',
  'constructor_invocation#0': (syntax, _name, invocation) =>
    syntax.is(syntax.parent(invocation), 'delegation_specifier') ? 'extends' : 'climb',
  'delegation_specifier.*': 'extends',
  'explicit_delegation#0': 'extends',
  'annotation.*': 'decorator',
  'identifier.*': (syntax, name, path) => {
    const header = syntax.parent(path)
    if (!syntax.is(header, 'import_header') || syntax.childOf(header, 'wildcard_import') !== none)
      return 'ignore'
    return syntax.children(path).at(-1) === name ? 'import' : 'ignore'
  },
  'import_alias.*': 'ignore',
  'label.*': 'ignore',
}

export function isNamed(syntax: Syntax, argument: number): boolean {
  const [first = none, second = none] = syntax.children(argument)
  if (!syntax.is(first, 'simple_identifier') || second === none) return false
  return /^\s*=(?!=)/.test(syntax.source.slice(syntax.end(first), syntax.start(second)))
}

/** The name after a dot stands in a suffix: what is before it is the suffix's neighbour. */
export function looseReceiver(syntax: Syntax, name: number): number | null {
  const suffix = syntax.parent(name)
  if (!syntax.is(suffix, 'navigation_suffix')) {
    const infix = syntax.is(suffix, 'infix_expression') && syntax.children(suffix)[1] === name
    return infix ? (syntax.children(suffix)[0] ?? none) : null
  }
  return syntax.children(syntax.parent(suffix))[0] ?? none
}
