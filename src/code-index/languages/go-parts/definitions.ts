/** Go's definitions that the usual fields do not describe. */
import { defined, definedBy } from '../../extraction/definition.ts'
import { none, type Syntax } from '../../extraction/syntax.ts'
import type { Definition, DefinitionReader, Level } from '../../extraction/table.ts'

/** A method belongs to its receiver's type, wherever that stands. */
export const method: DefinitionReader = (syntax, node) => {
  const found = definedBy({ kind: 'method', result: 'result' }, syntax, node, 'class')
  const [receiver] = syntax.children(syntax.child(node, 'receiver'))
  const type = receiver === undefined ? '' : syntax.text(syntax.child(receiver, 'type'))
  const name = /^\*?\s*(\w+)/.exec(type)?.[1]
  return found && name !== undefined ? { ...found, owner: { name } } : found
}

export const interfaceMethod: DefinitionReader = (syntax, node) =>
  definedBy({ kind: 'method', result: 'result' }, syntax, node, 'class')

export const typeSpec: DefinitionReader = (syntax, node, level) => {
  const nameNode = syntax.child(node, 'name')
  if (nameNode === none) return null
  const type = syntax.child(node, 'type')
  const isStruct = syntax.is(type, 'struct_type')
  const isInterface = syntax.is(type, 'interface_type')
  return defined({
    kind: isStruct ? 'struct' : isInterface ? 'interface' : 'type',
    name: syntax.text(nameNode),
    nameNode,
    node: aloneIn(syntax, node),
    body: isStruct ? syntax.childOf(type, 'field_declaration_list') : isInterface ? type : none,
    level,
  })
}

/** Package variables, constants, and fields of structs; inside functions they are locals. */
export function variable(syntax: Syntax, name: number, declaration: number, level: Level): Definition | null {
  const text = syntax.text(name)
  if (level === 'function' || text === '_') return null
  const names = syntax.children(declaration, 'name')
  const [value = none] = syntax.children(syntax.child(declaration, 'value'))
  const isField = syntax.is(declaration, 'field_declaration')
  const base = { name: text, nameNode: name, level, contains: names.length === 1 }
  if (names.length === 1 && syntax.is(value, 'func_literal'))
    return defined({
      ...base,
      kind: 'function',
      node: aloneIn(syntax, declaration),
      body: syntax.child(value, 'body'),
      parameters: syntax.child(value, 'parameters'),
      result: syntax.child(value, 'result'),
    })
  return defined({
    ...base,
    kind: isField ? 'field' : syntax.is(declaration, 'const_spec') ? 'constant' : 'variable',
    node: isField ? declaration : aloneIn(syntax, declaration),
    body: syntax.child(declaration, 'value'),
    result: syntax.child(declaration, 'type'),
  })
}

/** `var x = 1` is all of it; in `var ( … )` each line is one. */
function aloneIn(syntax: Syntax, spec: number): number {
  const holder = syntax.parent(spec)
  const grouped = syntax.is(holder, 'var_spec_list') || /^\w+\s*\(/.test(syntax.text(holder).slice(0, 40))
  return grouped ? spec : holder
}
