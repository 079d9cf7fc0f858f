/** What Scala defines other than by the usual fields. */
import type { SymbolKind } from '../../../domain/code-symbol.ts'
import { defined } from '../../extraction/definition.ts'
import { none, type Syntax } from '../../extraction/syntax.ts'
import type { Definition, DefinitionReader, Level } from '../../extraction/table.ts'
import { titledTest } from '../titled-test.ts'

const kinds: Readonly<Record<string, SymbolKind>> = {
  trait_definition: 'interface',
  enum_definition: 'enum',
}

export const container: DefinitionReader = (syntax, node, level) => {
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
export const callable: DefinitionReader = (syntax, node, level) => {
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
export function variable(syntax: Syntax, name: number, node: number, level: Level): Definition | null {
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
export const classField: DefinitionReader = (syntax, node) => {
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
export const testCall: DefinitionReader = (syntax, node, level) => {
  const body = syntax.child(node, 'arguments')
  const titled = syntax.child(node, 'function')
  if (!syntax.is(body, 'block') || !syntax.is(titled, 'call_expression')) return null
  if (!testWords.test(syntax.text(syntax.child(titled, 'function')).slice(0, 20))) return null
  const [first = none] = syntax.children(syntax.child(titled, 'arguments'))
  return titledTest(syntax, { node, title: stringIn(syntax, first), body, level })
}

/** FlatSpec and WordSpec: `"a store" should "load" in { … }`. */
export const wordTest: DefinitionReader = (syntax, node, level) => {
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
