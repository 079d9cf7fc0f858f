/** What Kotlin defines. */
import type { Parameter, SymbolKind } from '../../domain/code-symbol.ts'
import { none, type Syntax } from '../extraction/syntax.ts'
import { type Definition, type DefinitionReader, defined, type Level } from '../extraction/table.ts'
import { parameter, titledTest } from './shared-readers.ts'

/** Classes, interfaces, enums and objects; a companion without a name is called `Companion`, as Kotlin does. */
export const classLike: DefinitionReader = (syntax, node, level) => {
  const body = syntax.childOf(node, 'class_body', 'enum_class_body')
  const isCompanion = syntax.is(node, 'companion_object')
  const named = syntax.childOf(node, 'type_identifier')
  const nameNode = named === none && isCompanion ? (body === none ? node : body) : named
  if (nameNode === none) return null
  return defined({
    kind: kindOf(syntax, node, nameNode, body),
    name: named === none ? 'Companion' : syntax.text(named),
    nameNode,
    node,
    body,
    parameters: syntax.childOf(node, 'primary_constructor'),
    level,
  })
}

function kindOf(syntax: Syntax, node: number, name: number, body: number): SymbolKind {
  if (syntax.is(body, 'enum_class_body')) return 'enum'
  const before = syntax.source.slice(
    Math.max(syntax.start(node), syntax.start(name) - 40),
    syntax.start(name),
  )
  if (/\binterface\s*$/.test(before)) return 'interface'
  return /\benum\s+class\s*$/.test(before) ? 'enum' : 'class'
}

export const callable: DefinitionReader = (syntax, node, level) => {
  const parameters = syntax.childOf(node, 'function_value_parameters')
  const children = syntax.children(node)
  const nameNode = children.findLast((child) => child < parameters && syntax.is(child, 'simple_identifier'))
  if (nameNode === undefined) return null
  const body = syntax.childOf(node, 'function_body')
  const after = children.find((child) => child > parameters) ?? none
  return defined({
    kind: level === 'class' ? 'method' : 'function',
    name: syntax.text(nameNode).replaceAll('`', ''),
    nameNode,
    node,
    body,
    parameters,
    result: syntax.is(after, 'function_body', 'type_constraints') ? none : after,
    level,
  })
}

export const constructorOf: DefinitionReader = (syntax, node, level) => {
  const parameters = syntax.childOf(node, 'function_value_parameters')
  if (parameters === none) return null
  const body = syntax.childOf(node, 'statements')
  return defined({ kind: 'method', name: 'constructor', nameNode: parameters, node, body, parameters, level })
}

/** `val` and `var`: fields in a class, else variables, constants when they are `const`. */
export function propertyOf(syntax: Syntax, name: number, node: number, level: Level): Definition | null {
  if (level === 'function') return null
  const variable = syntax.parent(name)
  const single = syntax.parent(variable) === node
  const words = syntax.text(syntax.childOf(node, 'modifiers'))
  const value = firstValue(syntax, variable)
  return defined({
    kind: /\bconst\b/.test(words) ? 'constant' : level === 'class' ? 'field' : 'variable',
    name: syntax.text(name),
    nameNode: name,
    node,
    body: value === none ? syntax.childOf(node, 'property_delegate', 'getter') : value,
    result: typeIn(syntax, variable),
    contains: single,
    level,
  })
}

/** `class A(val x: Int)`: the parameter is a property too. */
export const promoted: DefinitionReader = (syntax, node) => {
  const nameNode = syntax.childOf(node, 'simple_identifier')
  if (nameNode === none || syntax.childOf(node, 'binding_pattern_kind') === none) return null
  return defined({
    kind: 'field',
    name: syntax.text(nameNode),
    nameNode,
    node,
    result: typeIn(syntax, node),
    contains: false,
    level: 'class',
  })
}

const namedBy =
  (kind: SymbolKind, identifier: string): DefinitionReader =>
  (syntax, node, level) => {
    const nameNode = syntax.childOf(node, identifier)
    return nameNode === none ? null : defined({ kind, name: syntax.text(nameNode), nameNode, node, level })
  }

export const enumEntry = namedBy('enumerator', 'simple_identifier')
export const typeAlias = namedBy('type', 'type_identifier')

const testWords = /^(?:test|it|should|describe|context|feature|scenario|given|When|then|expect)$/

/** Kotest: `test("adds") { … }`. */
export const testCall: DefinitionReader = (syntax, node, level) => {
  const [callee = none, suffix = none] = syntax.children(node)
  if (!testWords.test(syntax.text(callee).slice(0, 20))) return null
  const [argument = none] = syntax.children(syntax.childOf(suffix, 'value_arguments'))
  const title = syntax.childOf(argument, 'string_literal')
  return titledTest(syntax, { node, title, body: syntax.childOf(suffix, 'annotated_lambda'), level })
}

// Kotlin's parameter lists: a default comes after its parameter, `vararg` before it.

export function parameters(syntax: Syntax, list: number): Parameter[] {
  const nodes = syntax.children(list)
  return nodes.flatMap((node, index) => {
    const inClass = syntax.is(node, 'class_parameter')
    if (!inClass && !syntax.is(node, 'parameter')) return []
    const [before = none, after = none] = [nodes[index - 1], nodes[index + 1]]
    const type = typeIn(syntax, node)
    const words = syntax.text(inClass ? syntax.childOf(node, 'modifiers') : before)
    const last = syntax.children(node).at(-1) ?? none
    const optional = inClass
      ? last !== type
      : after !== none && !syntax.is(after, 'parameter', 'parameter_modifiers')
    const variadic = /\bvararg\b/.test(words) && (inClass || syntax.is(before, 'parameter_modifiers'))
    return [parameter(syntax, syntax.childOf(node, 'simple_identifier'), { type, optional, variadic })]
  })
}

// Where Kotlin writes arguments, types and first values.

const typeKinds = ['user_type', 'nullable_type', 'function_type', 'parenthesized_type', 'not_nullable_type']

function typeIn(syntax: Syntax, node: number): number {
  return syntax.childOf(node, ...typeKinds)
}

export function typedBy(syntax: Syntax, node: number): { name: number; type: number } {
  return { name: syntax.childOf(node, 'simple_identifier'), type: typeIn(syntax, node) }
}

/** What comes after the `=` of `val x = …`: the declaration's last child, unless that is an accessor. */
export function firstValue(syntax: Syntax, variable: number): number {
  const declaration = syntax.parent(variable)
  if (!syntax.is(declaration, 'property_declaration')) return none
  const after = syntax.children(declaration).find((child) => child > variable) ?? none
  const before = syntax.source.slice(syntax.end(variable), syntax.start(after === none ? variable : after))
  return before.includes('=') ? after : none
}

/** Those in brackets, then a lambda behind them; named ones stay wrapped. */
export function argumentsOf(syntax: Syntax, call: number): number[] {
  const suffix = syntax.childOf(call, 'call_suffix')
  const holder = suffix === none ? call : suffix
  const listed = syntax
    .children(syntax.childOf(holder, 'value_arguments'))
    .map((argument) =>
      isNamed(syntax, argument) ? argument : (syntax.children(argument).at(-1) ?? argument),
    )
  const lambda = syntax.childOf(holder, 'annotated_lambda')
  return lambda === none ? listed : [...listed, lambda]
}

/** `f(x = 1)`: the first of two children is the parameter's name. */
export function isNamed(syntax: Syntax, argument: number): boolean {
  const [first = none, second = none] = syntax.children(argument)
  if (!syntax.is(first, 'simple_identifier') || second === none) return false
  return /^\s*=(?!=)/.test(syntax.source.slice(syntax.end(first), syntax.start(second)))
}
