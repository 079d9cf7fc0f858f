/** What names are in Swift. */
import { none, type Syntax } from '../../extraction/syntax.ts'
import type { LanguageTable, PlaceRule } from '../../extraction/table.ts'

/** The names that a pattern binds, and not the types and cases it compares with. */
const bound: PlaceRule = (syntax, name) => (syntax.is(name, 'simple_identifier') ? 'climb' : 'plain')

const boundBy =
  (place: 'variable' | 'local'): PlaceRule =>
  (syntax, name) =>
    syntax.is(name, 'simple_identifier') ? place : 'plain'

const parameterName: PlaceRule = (syntax, name, parameter) =>
  syntax.parent(name) === parameter && syntax.is(name, 'simple_identifier') ? 'local' : 'plain'

const typeVariable: PlaceRule = (syntax, name, parameter) =>
  syntax.parent(name) === parameter && syntax.is(name, 'type_identifier') ? 'local' : 'plain'

/** `guard let x` binds for what follows, `if let x` for its block. */
const optionalBinding: PlaceRule = (syntax, _name, statement) =>
  syntax.is(statement, 'guard_statement') ? 'local hoisted' : 'local'

/** `case let x` binds; `case .red` and `case Foo.bar` compare. */
const casePattern: PlaceRule = (syntax, name) =>
  syntax.field(name) === 'bound_identifier' ? 'local' : 'plain'

const called: PlaceRule = (syntax, _name, call) =>
  syntax.is(syntax.childOf(call, 'call_suffix'), 'call_suffix') ? 'call' : 'plain'

/** Only `a.b = …` and `a = …`; what stands in brackets is read. */
const assigned: PlaceRule = (syntax, name) =>
  syntax.ancestor(name, 'value_arguments', 'directly_assignable_expression') ===
  syntax.ancestor(name, 'directly_assignable_expression')
    ? 'write'
    : 'plain'

export const places: LanguageTable['places'] = {
  'pattern.*': bound,
  'property_declaration.name': boundBy('variable'),
  'protocol_property_declaration.name': boundBy('variable'),
  'for_statement.item': boundBy('local'),
  'catch_block.error': casePattern,
  'switch_pattern.*': casePattern,
  'if_statement.bound_identifier': optionalBinding,
  'guard_statement.bound_identifier': optionalBinding,
  'while_statement.bound_identifier': 'local',
  'parameter.name': parameterName,
  'parameter.external_name': 'ignore',
  'lambda_parameter.*': parameterName,
  'type_parameter#0': typeVariable,
  'call_expression#0': called,
  'navigation_suffix.suffix': 'member',
  'navigation_expression.suffix': 'climb',
  'value_argument_label.*': 'property',
  'directly_assignable_expression.*': assigned,
  'user_type#0': 'climb',
  'user_type#+': 'climb',
  'inheritance_specifier.inherits_from': 'extends',
  'inheritance_constraint.inherits_from': 'type',
  'class_declaration.name': 'type',
  'attribute.*': 'decorator',
  'identifier.*': (syntax, name, path) =>
    syntax.is(syntax.parent(path), 'import_declaration') && syntax.children(path).at(-1) !== name
      ? 'ignore'
      : 'climb',
  'import_declaration.*': 'import',
  'enum_entry.name': 'ignore',
  'precedence_group_declaration.*': 'ignore',
}

/** The name after a dot stands in a suffix; what is before it is the target of the expression around. */
export function looseReceiver(syntax: Syntax, name: number): number | null {
  const suffix = syntax.parent(name)
  if (syntax.is(suffix, 'user_type')) {
    const [first = none] = syntax.children(suffix)
    return first === name || !syntax.is(name, 'type_identifier') ? null : first
  }
  return syntax.is(suffix, 'navigation_suffix') ? syntax.child(syntax.parent(suffix), 'target') : null
}
