/** Scala 2 and 3. */
import type { Parameter, SymbolKind, Visibility } from '../../domain/code-symbol.ts'
import type { ImportFact } from '../contract.ts'
import { none, type Syntax } from '../extraction/syntax.ts'
import {
  type Definition,
  type DefinitionReader,
  defined,
  type LanguageTable,
  type Level,
  type PlaceRule,
  type SymbolContext,
} from '../extraction/table.ts'
import { docBefore, parameter, titledTest } from './shared-readers.ts'

// What names are in Scala.

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

/** The last word of a path is what is imported; selectors come after it. */
const importPath: PlaceRule = (syntax, name, declaration) => {
  const path = syntax.children(declaration, 'path')
  const hasSelectors = syntax.children(declaration).length > path.length
  return path.at(-1) === name && !hasSelectors ? 'import' : 'ignore'
}

const places: LanguageTable['places'] = {
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

// Where Scala writes arguments, types and first values.

/** A block or lambda in braces is one argument. */
function argumentsOf(syntax: Syntax, call: number): number[] {
  const list = syntax.child(call, 'arguments')
  if (list === none) return []
  return syntax.is(list, 'arguments') ? syntax.children(list) : [list]
}

/** `new Row(…)`, and `Row(…)` by its capital. */
function constructed(syntax: Syntax, value: number): string | null {
  const made = syntax.children(value)[0] ?? none
  if (syntax.is(value, 'instance_expression')) return syntax.text(made) || null
  const name = syntax.text(made)
  const isType = syntax.is(made, 'identifier') && /^[A-Z]/.test(name)
  return syntax.is(value, 'call_expression') && isType ? name : null
}

function valueType(syntax: Syntax, node: number): { name: number; type: number; value: number }[] {
  const name = syntax.child(node, 'pattern')
  if (!syntax.is(name, 'identifier')) return []
  return [{ name, type: syntax.child(node, 'type'), value: syntax.child(node, 'value') }]
}

// Scala's parameter lists.

/** Those of the first list: the others are passed in brackets of their own, or found by the compiler. */
function parameters(syntax: Syntax, list: number): Parameter[] {
  return syntax.children(list).flatMap((node) => {
    const name = syntax.child(node, 'name')
    if (name === none) return []
    const type = syntax.child(node, 'type')
    const optional = syntax.child(node, 'default_value') !== none
    return [parameter(syntax, name, { type, optional, variadic: syntax.is(type, 'repeated_parameter_type') })]
  })
}

// What Scala defines other than by the usual fields.

const kinds: Readonly<Record<string, SymbolKind>> = {
  trait_definition: 'interface',
  enum_definition: 'enum',
}

const container: DefinitionReader = (syntax, node, level) => {
  const nameNode = syntax.child(node, 'name')
  if (nameNode === none) return null
  return defined({
    kind: kinds[syntax.kind(node)] ?? 'class',
    name: syntax.text(nameNode),
    nameNode,
    node,
    body: syntax.child(node, 'body'),
    parameters: syntax.childOf(node, 'class_parameters'),
    level,
  })
}

/** Type parameters share a field with the others. */
const callable: DefinitionReader = (syntax, node, level) => {
  const nameNode = syntax.child(node, 'name')
  if (nameNode === none) return null
  return defined({
    kind: level === 'class' ? 'method' : 'function',
    name: syntax.text(nameNode),
    nameNode,
    node,
    body: syntax.child(node, 'body'),
    parameters: syntax.childOf(node, 'parameters'),
    result: syntax.child(node, 'return_type'),
    level,
  })
}

/** `val`, `var` and patterns of them; a `final val` with a capital is a constant. */
function variable(syntax: Syntax, name: number, node: number, level: Level): Definition | null {
  if (level === 'function') return null
  const direct = syntax.parent(name) === node
  const isFinal = /\bfinal\b/.test(syntax.text(syntax.childOf(node, 'modifiers')))
  const isFixed = isFinal && /^[A-Z]/.test(syntax.text(name))
  return defined({
    kind: isFixed ? 'constant' : level === 'class' ? 'field' : 'variable',
    name: syntax.text(name),
    nameNode: name,
    node,
    body: syntax.child(node, 'value'),
    result: direct ? syntax.child(node, 'type') : none,
    contains: direct,
    level,
  })
}

/** The parameters of a case class are its fields, and so are those with `val` or `var`. */
const classField: DefinitionReader = (syntax, node) => {
  const nameNode = syntax.child(node, 'name')
  if (nameNode === none) return null
  const before = syntax.source.slice(syntax.start(node), syntax.start(nameNode))
  const owner = syntax.parent(syntax.parent(node))
  const head = syntax.source.slice(syntax.start(owner), syntax.start(syntax.child(owner, 'name'))).slice(-200)
  if (!/\b(?:val|var)\s+$/.test(before) && !/\bcase\s+class\s+$/.test(head)) return null
  return defined({
    kind: 'field',
    name: syntax.text(nameNode),
    nameNode,
    node,
    result: syntax.child(node, 'type'),
    contains: false,
    level: 'class',
  })
}

const testWords = /^(?:test|it|describe|feature|scenario|Scenario|Feature|property)$/

/** munit and FunSuite: `test("adds") { … }`, a call of what a call gives. */
const testCall: DefinitionReader = (syntax, node, level) => {
  const body = syntax.child(node, 'arguments')
  const titled = syntax.child(node, 'function')
  if (!syntax.is(body, 'block') || !syntax.is(titled, 'call_expression')) return null
  if (!testWords.test(syntax.text(syntax.child(titled, 'function')).slice(0, 20))) return null
  const [first = none] = syntax.children(syntax.child(titled, 'arguments'))
  return titledTest(syntax, { node, title: stringIn(syntax, first), body, level })
}

/** FlatSpec and WordSpec: `"a store" should "load" in { … }`. */
const wordTest: DefinitionReader = (syntax, node, level) => {
  const body = syntax.child(node, 'right')
  const word = syntax.text(syntax.child(node, 'operator')).slice(0, 10)
  if (!syntax.is(body, 'block') || !/^(?:in|should|when|must)$/.test(word)) return null
  const left = syntax.child(node, 'left')
  const title = syntax.is(left, 'infix_expression') ? syntax.child(left, 'right') : left
  return titledTest(syntax, { node, title: stringIn(syntax, title), body, level })
}

function stringIn(syntax: Syntax, node: number): number {
  return syntax.is(node, 'string') ? node : none
}

// Scala's imports and package.

/** `import a.b.{C, D => E}`, `import a.b._`, `import a.b.C`: each name by its whole path, like Java's. */
function importDeclaration(syntax: Syntax, node: number): ImportFact[] {
  const words = syntax.children(node, 'path').map((word) => syntax.text(word))
  const base = { line: syntax.startLine(node), reexport: false, typeOnly: false }
  const path = words.join('.')
  const one = (name: string, local: string): ImportFact => ({
    ...base,
    source: `${path}.${name}`,
    imported: name,
    local,
  })
  const selectors = syntax.childOf(node, 'namespace_selectors')
  const everything = { ...base, source: path, imported: '*', local: null }
  if (syntax.childOf(node, 'namespace_wildcard') !== none) return [everything]
  if (selectors === none) {
    const name = words.at(-1) ?? ''
    return [{ ...base, source: path, imported: name, local: name }]
  }
  return syntax.children(selectors).map((selector) => {
    if (syntax.is(selector, 'namespace_wildcard')) return everything
    const name = syntax.text(syntax.child(selector, 'name')) || syntax.text(selector)
    return one(name, syntax.text(syntax.child(selector, 'alias')) || name)
  })
}

/** `package a.b`, and what follows it in clauses of its own. */
function packageOf(syntax: Syntax, clause: number): string {
  return syntax.text(syntax.child(clause, 'name')).replace(/\s+/g, '')
}

// What Scala says about symbols by modifiers, annotations and names.

/** `private[pkg]` is seen in the package. */
function visibility({ syntax, definition }: SymbolContext): Visibility {
  const word = syntax.text(syntax.childOf(syntax.childOf(definition.node, 'modifiers'), 'access_modifier'))
  if (word === '') return 'exported'
  return /^private(?:\[this\])?$/.test(word.replace(/\s+/g, '')) ? 'private' : 'internal'
}

/** ScalaTest, munit and specs by what a class is called or extends; their tests are calls; JUnit's annotation. */
function isTest({ syntax, definition }: SymbolContext): boolean {
  const { kind, name, node } = definition
  if (syntax.is(node, 'call_expression', 'infix_expression')) return true
  if (kind === 'class')
    return (
      /(?:Test|Tests|Spec|Suite)$/.test(name) ||
      /\bextends\s+[\w.]*(?:FunSuite|FlatSpec|WordSpec|FunSpec|FreeSpec)\b/.test(headOf(syntax, definition))
    )
  return kind === 'method' && /@Test\b/.test(headOf(syntax, definition))
}

function headOf(syntax: Syntax, { node, body }: Definition): string {
  const end = body === none ? syntax.end(node) : syntax.start(body)
  return syntax.source.slice(syntax.start(node), Math.min(end, syntax.start(node) + 600))
}

export const scala: LanguageTable = {
  id: 'scala',
  grammar: 'scala',
  comments: ['comment', 'block_comment'],
  names: { identifier: 'read', type_identifier: 'type' },
  places,
  scopes: {
    class_definition: 'block',
    trait_definition: 'block',
    enum_definition: 'block',
    template_body: 'class',
    enum_body: 'class',
    function_definition: 'function',
    function_declaration: 'block',
    lambda_expression: 'function',
    block: 'block',
    for_expression: 'block',
    case_clause: 'block',
  },
  receivers: { field_expression: 'value', stable_type_identifier: '#0' },
  looseReceiver: (syntax, name) => {
    const infix = syntax.parent(name)
    const isOperator = syntax.is(infix, 'infix_expression') && syntax.field(name) === 'operator'
    return isOperator ? syntax.child(infix, 'left') : null
  },
  calls: { call_expression: argumentsOf, instance_expression: argumentsOf, infix_expression: () => null },
  keywordArguments: { assignment_expression: 'left' },
  spreadArguments: ['vararg'],
  decorators: ['annotation'],
  definitions: {
    class_definition: container,
    object_definition: container,
    trait_definition: container,
    enum_definition: container,
    package_object: { kind: 'module' },
    simple_enum_case: { kind: 'enumerator' },
    full_enum_case: { kind: 'enumerator' },
    function_definition: callable,
    function_declaration: callable,
    class_parameter: classField,
    given_definition: { kind: 'variable', inClass: 'field' },
    type_definition: { kind: 'type' },
    call_expression: testCall,
    infix_expression: wordTest,
  },
  variable,
  parameters,
  typed: {
    parameter: { name: 'name', type: 'type' },
    class_parameter: { name: 'name', type: 'type' },
    val_definition: valueType,
    var_definition: valueType,
    val_declaration: { name: 'name', type: 'type' },
    typed_pattern: { name: 'pattern', type: 'type' },
  },
  constructed,
  imports: { import_declaration: importDeclaration },
  exports: {},
  visibility,
  isTest,
  doc: (syntax: Syntax, _definition, whole) => docBefore(syntax, whole, /^\/\*\*/),
  packageNames: (syntax) => [packageOf(syntax, syntax.childOf(0, 'package_clause'))],
}
