/** What C# defines other than by the usual fields. */
import { defined } from '../../extraction/definition.ts'
import { none, type Syntax } from '../../extraction/syntax.ts'
import type { Definition, DefinitionReader, Level } from '../../extraction/table.ts'
import { modifierWords } from './conventions.ts'

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

/** The parameters of a record are its properties. */
export const recordField: DefinitionReader = (syntax, node) => {
  const nameNode = syntax.child(node, 'name')
  if (nameNode === none || !syntax.is(syntax.parent(syntax.parent(node)), 'record_declaration')) return null
  const result = syntax.child(node, 'type')
  return defined({ kind: 'field', name: syntax.text(nameNode), nameNode, node, result, level: 'class' })
}
