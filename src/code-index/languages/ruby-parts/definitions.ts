/** What Ruby defines other than by the usual fields. */
import { defined } from '../../extraction/definition.ts'
import { none, type Syntax } from '../../extraction/syntax.ts'
import type { Definition, DefinitionReader, Level } from '../../extraction/table.ts'
import { titledTest } from '../titled-test.ts'
import { isClassBody } from './places.ts'

/** `class A::B` names `B`; the `A` before it is its container. */
export const container: DefinitionReader = (syntax, node, level) => {
  const path = syntax.child(node, 'name')
  const isPath = syntax.is(path, 'scope_resolution')
  const nameNode = isPath ? syntax.child(path, 'name') : path
  if (nameNode === none) return null
  const outer = isPath
    ? syntax.text(syntax.child(path, 'scope')).replace(/^::/, '').replaceAll('::', '.')
    : ''
  return defined({
    kind: syntax.is(node, 'class') ? 'class' : 'module',
    name: syntax.text(nameNode),
    nameNode,
    node,
    body: syntax.child(node, 'body'),
    owner: outer === '' || level === 'class' ? null : { name: outer },
    level,
  })
}

/** Constants; those that hold a made-up class are classes. */
export function variable(syntax: Syntax, name: number, assignment: number, level: Level): Definition | null {
  if (level === 'function') return null
  const body = syntax.child(assignment, 'right')
  const isClass = /^(?:Struct|Class|Data)\.(?:new|define)\b/.test(syntax.text(body).slice(0, 40))
  return defined({
    kind: isClass ? 'class' : 'constant',
    name: syntax.text(name),
    nameNode: name,
    node: assignment,
    body,
    level,
  })
}

/** The symbols given to `attr_reader` and its kin, and the first one given to `alias_method`. */
export const accessor: DefinitionReader = (syntax, node, level) => {
  const list = syntax.parent(node)
  const call = syntax.parent(list)
  if (level !== 'class' || !syntax.is(list, 'argument_list') || !isClassBody(syntax, syntax.parent(call)))
    return null
  const word = syntax.text(syntax.child(call, 'method'))
  const isAlias = word === 'alias_method' && syntax.children(list)[0] === node
  if (!isAlias && !/^(?:attr_(?:reader|writer|accessor)|[cm]attr_accessor)$/.test(word)) return null
  const name = syntax.text(node).slice(1)
  return defined({ kind: isAlias ? 'method' : 'field', name, nameNode: node, node, level })
}

export const aliased: DefinitionReader = (syntax, node, level) => {
  const nameNode = syntax.child(node, 'name')
  if (!syntax.is(nameNode, 'identifier', 'setter', 'operator')) return null
  const kind = level === 'class' ? 'method' : 'function'
  return defined({ kind, name: syntax.text(nameNode), nameNode, node, level })
}

/** `@x = …` in a method gives the class a field, the first time it is written. */
export const instanceVariable: DefinitionReader = (syntax, node, level) => {
  const assignment = syntax.parent(node)
  if (level !== 'function' || syntax.field(node) !== 'left') return null
  if (!syntax.is(assignment, 'assignment', 'operator_assignment')) return null
  return defined({
    kind: 'field',
    name: syntax.text(node),
    nameNode: node,
    node: assignment,
    body: syntax.child(assignment, 'right'),
    owner: 'class',
    contains: false,
    level: 'class',
  })
}

const testWords = /^(?:it|specify|example|describe|context|feature|scenario|test|should)$/

/** `describe Store do`, `it 'loads' do`, `test 'loads' do`. */
export const testCall: DefinitionReader = (syntax, node, level) => {
  const body = syntax.child(node, 'block')
  if (body === none || !testWords.test(syntax.text(syntax.child(node, 'method')))) return null
  const [title = none] = syntax.children(syntax.child(node, 'arguments'))
  if (!syntax.is(title, 'string', 'constant', 'scope_resolution')) return null
  return titledTest(syntax, { node, title, body, level })
}
