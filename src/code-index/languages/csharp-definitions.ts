/** What C# defines other than by the usual fields. */
import type { Parameter, Visibility } from '../../domain/code-symbol.ts'
import { none, type Syntax } from '../extraction/syntax.ts'
import {
  type Definition,
  type DefinitionReader,
  defined,
  type Level,
  type SymbolContext,
} from '../extraction/table.ts'
import { commentsBefore, firstLine, parameter } from './shared-readers.ts'

/** Fields and events, several to a declaration; constants too. */
export function field(syntax: Syntax, name: number, declaration: number, level: Level): Definition | null {
  if (level === 'function') return null
  const declarator = syntax.parent(name)
  const variables = syntax.parent(declarator)
  const alone = syntax.children(variables).length === 2
  const words = modifierWords(syntax, declaration)
  const fixed = words.includes('const') || (words.includes('static') && words.includes('readonly'))
  return defined({
    kind: fixed ? 'constant' : 'field',
    name: syntax.text(name),
    nameNode: name,
    node: alone ? declaration : declarator,
    body: syntax.children(declarator)[1] ?? none,
    result: syntax.child(variables, 'type'),
    level: 'class',
  })
}

/** The body is what it does: its accessors, or the expression behind the arrow. */
export const property: DefinitionReader = (syntax, node, level) => {
  const nameNode = syntax.child(node, 'name')
  if (nameNode === none) return null
  const accessors = syntax.child(node, 'accessors')
  return defined({
    kind: 'field',
    name: syntax.text(nameNode),
    nameNode,
    node,
    body: accessors === none ? syntax.child(node, 'value') : accessors,
    result: syntax.child(node, 'type'),
    level,
  })
}

/** Neither indexers nor operators have a node for their name: their parameters stand for it. */
export const indexer: DefinitionReader = (syntax, node, level) => {
  const parameters = syntax.child(node, 'parameters')
  const accessors = syntax.child(node, 'accessors')
  if (parameters === none) return null
  return defined({
    kind: 'method',
    name: 'this[]',
    nameNode: parameters,
    node,
    body: accessors === none ? syntax.child(node, 'value') : accessors,
    parameters,
    result: syntax.child(node, 'type'),
    level,
  })
}

export const operator: DefinitionReader = (syntax, node, level) => {
  const parameters = syntax.child(node, 'parameters')
  const result = syntax.child(node, 'type')
  if (parameters === none || result === none) return null
  const sign = syntax.source.slice(syntax.end(result), syntax.start(parameters)).replace(/\s+/g, '')
  const name = sign.replace(/^operator/, 'operator ')
  return defined({
    kind: 'method',
    name,
    nameNode: parameters,
    node,
    body: syntax.child(node, 'body'),
    parameters,
    result,
    level,
  })
}

export const destructor: DefinitionReader = (syntax, node, level) => {
  const nameNode = syntax.child(node, 'name')
  if (nameNode === none) return null
  const name = `~${syntax.text(nameNode)}`
  return defined({ kind: 'method', name, nameNode, node, body: syntax.child(node, 'body'), level })
}

export const record: DefinitionReader = (syntax, node, level) => {
  const nameNode = syntax.child(node, 'name')
  if (nameNode === none) return null
  const body = syntax.child(node, 'body')
  const parameters = syntax.childOf(node, 'parameter_list')
  return defined({ kind: 'class', name: syntax.text(nameNode), nameNode, node, body, parameters, level })
}

// C#'s parameter lists.

/** `params int[] rest` is in the list itself, without a node of its own. */
export function parameters(syntax: Syntax, list: number): Parameter[] {
  const found = syntax
    .children(list)
    .filter((node) => syntax.is(node, 'parameter'))
    .flatMap((node) => {
      const name = syntax.child(node, 'name')
      if (name === none) return []
      const optional = (syntax.children(node).at(-1) ?? none) > name
      // `this Row row` makes an extension method: callers pass it before the dot.
      if (syntax.text(syntax.childOf(node, 'modifier')) === 'this') return []
      return [parameter(syntax, name, { type: syntax.child(node, 'type'), optional })]
    })
  const rest = syntax.child(list, 'name')
  if (rest === none) return found
  return [...found, parameter(syntax, rest, { type: syntax.child(list, 'type'), variadic: true })]
}

// What C# says about symbols by modifiers, attributes, names and documentation.

export function visibility({ syntax, definition, container }: SymbolContext): Visibility {
  if (definition.kind === 'enumerator' || syntax.is(definition.node, 'parameter')) return 'exported'
  const words = modifierWords(syntax, definition.node)
  if (words.includes('public')) return 'exported'
  if (words.includes('protected') || words.includes('internal')) return 'internal'
  if (words.includes('private')) return 'private'
  if (container === null) return 'internal'
  return container.kind === 'interface' ? 'exported' : 'private'
}

/** `public static readonly`, of the declaration that a name belongs to. */
function modifierWords(syntax: Syntax, node: number): string[] {
  const declaration = syntax.is(node, 'variable_declarator') ? syntax.parent(syntax.parent(node)) : node
  return syntax
    .children(declaration)
    .filter((child) => syntax.is(child, 'modifier'))
    .map((modifier) => syntax.text(modifier))
}

const testAttributes = new Set([
  'Test',
  'TestCase',
  'TestCaseSource',
  'Fact',
  'Theory',
  'TestMethod',
  'DataTestMethod',
])
const suiteAttributes = new Set(['TestFixture', 'TestClass'])

/** NUnit, xUnit and MSTest mark their tests with attributes. */
export function isTest({ syntax, definition: { kind, name, node } }: SymbolContext): boolean {
  if (kind !== 'class' && kind !== 'method') return false
  const attributes = syntax
    .children(node)
    .filter((child) => syntax.is(child, 'attribute_list'))
    .flatMap((list) => syntax.children(list))
    .map((attribute) => syntax.text(syntax.child(attribute, 'name')).split('.').at(-1) ?? '')
    .map((word) => word.replace(/Attribute$/, ''))
  if (kind === 'method') return attributes.some((word) => testAttributes.has(word))
  return attributes.some((word) => suiteAttributes.has(word)) || /(?:Tests?|TestFixture)$/.test(name)
}

/** The first words of `/// <summary>…`, without the tags. */
export function doc(syntax: Syntax, _definition: Definition, whole: number): string | null {
  const lines = commentsBefore(syntax, whole, /^\/(?:\/\/|\*\*)/).map((comment) => syntax.text(comment))
  return firstLine(lines.join('\n').replace(/<[^<>\n]{0,200}>/g, ''))
}
