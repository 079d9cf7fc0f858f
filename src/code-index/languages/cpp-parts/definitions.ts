/** What C++ defines, beyond C. */
import { defined } from '../../extraction/definition.ts'
import { fold } from '../../extraction/signature.ts'
import { none, type Syntax } from '../../extraction/syntax.ts'
import type { Definition, DefinitionReader, Level } from '../../extraction/table.ts'
import { declarationOf, isPointer, nameOf } from '../c-parts/declarators.ts'
import { record as recordOfC } from '../c-parts/definitions.ts'
import { titledTest } from '../titled-test.ts'

/** Functions and methods, in a class or out of it (`int Store::count()`), defined or declared; tests of gtest. */
export const functionIn: DefinitionReader = (syntax, node, level) => {
  const heart = nameOf(syntax, node)
  const declaration = declarationOf(syntax, node)
  if (heart === none || isPointer(syntax, node)) return null
  const isDefinition = syntax.is(declaration, 'function_definition')
  const inClass = syntax.is(syntax.parent(unwrapped(syntax, declaration)), 'field_declaration_list')
  if (!isDefinition && (level === 'function' || !syntax.is(declaration, 'declaration', 'field_declaration')))
    return null
  const parameters = syntax.child(node, 'parameters')
  const body = syntax.child(declaration, 'body')
  const parts = { node: declaration, body, parameters, result: syntax.child(declaration, 'type') }
  const macro = syntax.text(heart)
  if (isDefinition && gtestMacros.has(macro)) return gtest(syntax, { ...parts, heart })
  const { nameNode, owner } = split(syntax, heart)
  const name = fold(syntax.text(nameNode)).replace(/^operator\s+(?=\W)/, 'operator')
  const isMethod = inClass || owner !== null
  return defined({
    ...parts,
    kind: isMethod ? 'method' : 'function',
    name,
    nameNode,
    owner,
    level: isMethod ? 'class' : 'module',
  })
}

function unwrapped(syntax: Syntax, declaration: number): number {
  const around = syntax.parent(declaration)
  return syntax.is(around, 'template_declaration') ? around : declaration
}

/** `app::Store::count` is `count` of `Store`. */
function split(syntax: Syntax, heart: number): { nameNode: number; owner: Definition['owner'] } {
  let nameNode = heart
  let scope = none
  for (let step = 0; step < 16 && syntax.is(nameNode, 'qualified_identifier'); step++) {
    scope = syntax.child(nameNode, 'scope')
    nameNode = syntax.child(nameNode, 'name')
  }
  if (syntax.is(nameNode, 'template_function', 'template_method')) nameNode = syntax.child(nameNode, 'name')
  const holder = syntax.is(scope, 'template_type') ? syntax.child(scope, 'name') : scope
  return { nameNode, owner: holder === none ? null : { name: syntax.text(holder) } }
}

const gtestMacros = new Set(['TEST', 'TEST_F', 'TEST_P', 'TYPED_TEST', 'TYPED_TEST_P'])

/** `TEST(Suite, Name) {}`: a test called by both of its words. */
function gtest(
  syntax: Syntax,
  { heart, parameters, node, body }: { heart: number; parameters: number; node: number; body: number },
): Definition | null {
  const words = syntax.children(parameters).map((word) => syntax.text(word))
  if (words.length !== 2) return null
  return defined({ kind: 'function', name: words.join('.'), nameNode: heart, node, body, level: 'module' })
}

const caseMacros = /^(?:TEST_CASE|SCENARIO|TEST_CASE_METHOD|TEMPLATE_TEST_CASE|BOOST_AUTO_TEST_CASE)$/

/** Catch2 and doctest: `TEST_CASE("loads") {…}` is a call and, as the grammar sees it, a block of its own behind it. */
export const testCase: DefinitionReader = (syntax, node, level) => {
  const call = syntax.childOf(node, 'call_expression')
  if (call === none || !caseMacros.test(syntax.text(syntax.child(call, 'function')).slice(0, 40))) return null
  const list = syntax.child(call, 'arguments')
  const title = syntax.children(list).find((argument) => syntax.is(argument, 'string_literal')) ?? none
  const body = syntax.after(node)
  const isBlock = syntax.is(body, 'compound_statement') && syntax.parent(body) === syntax.parent(node)
  const found = titledTest(syntax, { node, title, body: isBlock ? body : none, level })
  return found && { ...found, span: { first: node, last: body } }
}

/** Classes and structs with a body. A specialisation is called by the name of its template. */
export const record: DefinitionReader = (syntax, node, level) => {
  const path = syntax.child(node, 'name')
  if (path === none) return recordOfC(syntax, node, level)
  const body = syntax.child(node, 'body')
  if (body === none) return null
  const { nameNode, owner } = split(syntax, path)
  const bare = syntax.is(nameNode, 'template_type') ? syntax.child(nameNode, 'name') : nameNode
  const kind = syntax.is(node, 'class_specifier') ? 'class' : 'struct'
  return defined({ kind, name: syntax.text(bare), nameNode: bare, node, body, owner, level })
}

export const enumeration: DefinitionReader = (syntax, node, level) => {
  const found = record(syntax, node, level)
  return found && { ...found, kind: 'enum' }
}

/** A namespace without a name holds what belongs to this file only; it is no symbol. */
export const namespace: DefinitionReader = (syntax, node, level: Level) => {
  const nameNode = syntax.child(node, 'name')
  if (nameNode === none) return null
  const name = syntax.text(nameNode).replace(/\s+/g, '')
  return defined({ kind: 'module', name, nameNode, node, body: syntax.child(node, 'body'), level })
}

export const concept: DefinitionReader = (syntax, node, level) => {
  const nameNode = syntax.child(node, 'name')
  if (nameNode === none) return null
  const body = syntax.children(node).find((child) => child > nameNode) ?? none
  return defined({ kind: 'type', name: syntax.text(nameNode), nameNode, node, body, level })
}
