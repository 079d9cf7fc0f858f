/** Kotlin. The grammar names no fields, so most is read by the kinds of children. */
import type { Visibility } from '../../domain/code-symbol.ts'
import type { ImportFact } from '../contract.ts'
import { none, type Syntax } from '../extraction/syntax.ts'
import type { Definition, LanguageTable, PlaceRule, SymbolContext } from '../extraction/table.ts'
import {
  argumentsOf,
  callable,
  classLike,
  constructorOf,
  enumEntry,
  firstValue,
  isNamed,
  parameters,
  promoted,
  propertyOf,
  testCall,
  typeAlias,
  typedBy,
} from './kotlin-definitions.ts'
import { docBefore, firstLine } from './shared-readers.ts'

// What names are in Kotlin.

/** Where names and types are side by side: the first identifier is what is declared. */
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
  (place: 'variable after' | 'local' | 'local hoisted'): PlaceRule =>
  (syntax, name) =>
    syntax.is(syntax.parent(name), 'variable_declaration') ? place : 'plain'

const typeVariable: PlaceRule = (syntax, name, parameter) =>
  syntax.parent(name) === parameter && syntax.is(name, 'type_identifier') ? 'local' : 'plain'

/** `f(x = 1)`: the first of two children is the parameter's name. */
const argument: PlaceRule = (syntax, name, parent) =>
  syntax.parent(name) === parent && isNamed(syntax, parent) ? 'property' : 'plain'

/** Only `a.b = …` and `a = …`; what is in brackets is read. */
const assigned: PlaceRule = (syntax, name) =>
  syntax.ancestor(name, 'indexing_suffix', 'directly_assignable_expression') ===
  syntax.ancestor(name, 'directly_assignable_expression')
    ? 'write'
    : 'plain'

const stepped: PlaceRule = (syntax, _name, expression) =>
  /^(?:\+\+|--)|(?:\+\+|--)$/.test(syntax.text(expression).slice(-300)) ? 'write' : 'plain'

const places: LanguageTable['places'] = {
  'variable_declaration.*': declared,
  'multi_variable_declaration.*': 'climb',
  'property_declaration.*': ofVariable('variable after'),
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

/** The name after a dot is in a suffix: what is before it is the suffix's neighbour. */
function looseReceiver(syntax: Syntax, name: number): number | null {
  const suffix = syntax.parent(name)
  if (!syntax.is(suffix, 'navigation_suffix')) {
    const infix = syntax.is(suffix, 'infix_expression') && syntax.children(suffix)[1] === name
    return infix ? (syntax.children(suffix)[0] ?? none) : null
  }
  return syntax.children(syntax.parent(suffix))[0] ?? none
}

// Kotlin's imports and package.

/** `import a.B` names `B`, a class or a function, by its whole path. */
function importHeader(syntax: Syntax, node: number): ImportFact[] {
  const path = syntax.childOf(node, 'identifier')
  const source = compact(syntax.text(path))
  const base = { line: syntax.startLine(node), source, reexport: false, typeOnly: false }
  if (syntax.childOf(node, 'wildcard_import') !== none) return [{ ...base, imported: '*', local: null }]
  const imported = source.split('.').at(-1) ?? source
  const alias = syntax.text(syntax.childOf(syntax.childOf(node, 'import_alias'), 'type_identifier'))
  return [{ ...base, imported, local: alias || imported }]
}

function packageOf(syntax: Syntax): string {
  return compact(syntax.text(syntax.childOf(syntax.childOf(0, 'package_header'), 'identifier')))
}

function compact(path: string): string {
  return path.replace(/\s+/g, '')
}

// What Kotlin says about symbols by modifiers, annotations, names and documentation.

function visibility({ syntax, definition }: SymbolContext): Visibility {
  const modifiers = syntax.childOf(definition.node, 'modifiers')
  const word = syntax.text(syntax.childOf(modifiers, 'visibility_modifier'))
  if (word === 'private') return 'private'
  return word === 'protected' || word === 'internal' ? 'internal' : 'exported'
}

const testAnnotations = new Set(['Test', 'ParameterizedTest', 'RepeatedTest', 'TestFactory', 'TestTemplate'])
const kotestStyles =
  /^(?:FunSpec|StringSpec|BehaviorSpec|DescribeSpec|ShouldSpec|WordSpec|FreeSpec|FeatureSpec|ExpectSpec|AnnotationSpec)$/

/** JUnit and kotlin.test mark methods; Kotest's classes extend a style, its tests are calls. */
function isTest({ syntax, definition: { kind, name, node } }: SymbolContext): boolean {
  if (syntax.is(node, 'call_expression')) return true
  if (kind === 'class') return /(?:Test|Tests|TestCase)$/.test(name) || supertypes(syntax, node).some(isStyle)
  if (kind !== 'method' && kind !== 'function') return false
  return annotations(syntax, node).some((word) => testAnnotations.has(word))
}

function isStyle(name: string): boolean {
  return kotestStyles.test(name)
}

function supertypes(syntax: Syntax, node: number): string[] {
  return syntax
    .children(node)
    .filter((child) => syntax.is(child, 'delegation_specifier'))
    .map((specifier) => /^[\w.]+/.exec(syntax.text(specifier).slice(0, 100))?.[0].split('.').at(-1) ?? '')
}

function annotations(syntax: Syntax, node: number): string[] {
  return syntax
    .children(syntax.childOf(node, 'modifiers'))
    .filter((child) => syntax.is(child, 'annotation'))
    .map(
      (child) => /^@(?:\w+:)?([\w.]+)/.exec(syntax.text(child).slice(0, 100))?.[1]?.split('.').at(-1) ?? '',
    )
}

/** The comment behind the last import belongs to the import list, as the grammar sees it. */
function doc(syntax: Syntax, _definition: Definition, whole: number): string | null {
  const found = docBefore(syntax, whole, /^\/\*\*/)
  const before = syntax.previous(whole)
  if (found !== null || !syntax.is(before, 'import_list', 'import_header')) return found
  const last = syntax.after(before) - 1
  const belongs =
    syntax.isComment(last) &&
    syntax.endLine(last) >= syntax.startLine(whole) - 1 &&
    syntax.text(last).startsWith('/**')
  return belongs ? firstLine(syntax.text(last)) : null
}

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
  packageNames: (syntax) => [packageOf(syntax)],
}
