/** What C defines; C++ adds to it. */
import { defined } from '../../extraction/definition.ts'
import { none, type Syntax } from '../../extraction/syntax.ts'
import type { Definition, DefinitionReader, Level } from '../../extraction/table.ts'
import { declarationOf, isPointer, nameOf } from './declarators.ts'

/** A function, or a prototype of one at module level: what callers of another file see. */
export const declared: DefinitionReader = (syntax, node, level) => {
  const nameNode = nameOf(syntax, node)
  const declaration = declarationOf(syntax, node)
  if (!syntax.is(nameNode, 'identifier') || isPointer(syntax, node)) return null
  const isDefinition = syntax.is(declaration, 'function_definition')
  // The function's own scope is open already when its declarator comes.
  if (!isDefinition && (!syntax.is(declaration, 'declaration') || level !== 'module')) return null
  return defined({
    kind: 'function',
    name: syntax.text(nameNode),
    nameNode,
    node: declaration,
    body: syntax.child(declaration, 'body'),
    parameters: syntax.child(node, 'parameters'),
    result: syntax.child(declaration, 'type'),
    level: 'module',
  })
}

/** Structs and unions with a body; one without a name has that of its `typedef`. */
export const record: DefinitionReader = (syntax, node, level) => {
  const body = syntax.child(node, 'body')
  const nameNode = nameOrTypedef(syntax, node)
  if (body === none || nameNode === none) return null
  const whole = typedefAround(syntax, node)
  return defined({ kind: 'struct', name: syntax.text(nameNode), nameNode, node: whole, body, level })
}

export const enumeration: DefinitionReader = (syntax, node, level) => {
  const found = record(syntax, node, level)
  return found && { ...found, kind: 'enum' }
}

/** `typedef … Name`, unless it is the only name of a struct. */
export const typeName: DefinitionReader = (syntax, node, level) => {
  const declaration = declarationOf(syntax, node)
  if (!syntax.is(declaration, 'type_definition') || syntax.child(declaration, 'type') === node) return null
  const type = syntax.child(declaration, 'type')
  if (
    nameOf(syntax, syntax.child(declaration, 'declarator')) === node &&
    nameOrTypedef(syntax, type) === node
  )
    return null
  const name = syntax.text(node)
  const isTag = syntax.child(type, 'body') !== none
  // It stands beside the struct that it names as well, not in it.
  const owner = isTag ? { name: '' } : null
  return defined({ kind: 'type', name, nameNode: node, node: declaration, owner, contains: false, level })
}

function nameOrTypedef(syntax: Syntax, specifier: number): number {
  const own = syntax.child(specifier, 'name')
  if (own !== none || syntax.child(specifier, 'body') === none) return own
  const around = syntax.parent(specifier)
  return syntax.is(around, 'type_definition') ? nameOf(syntax, syntax.child(around, 'declarator')) : none
}

function typedefAround(syntax: Syntax, specifier: number): number {
  const around = syntax.parent(specifier)
  return syntax.is(around, 'type_definition') ? around : specifier
}

export const macro: DefinitionReader = (syntax, node) => {
  const nameNode = syntax.child(node, 'name')
  if (nameNode === none) return null
  return defined({
    kind: 'macro',
    name: syntax.text(nameNode),
    nameNode,
    node,
    body: syntax.child(node, 'value'),
    parameters: syntax.child(node, 'parameters'),
    level: 'module',
  })
}

/** Variables of the file and fields of structs, several to a declaration. */
export function variable(syntax: Syntax, name: number, node: number, level: Level): Definition | null {
  if (level === 'function') return null
  const declarators = syntax.children(node, 'declarator')
  const own = declarators.findLast((declarator) => declarator <= name) ?? name
  const type = syntax.child(node, 'type')
  const before = syntax.source.slice(syntax.start(node), Math.max(syntax.start(node), syntax.start(own)))
  const isFixed =
    /\b(?:const|constexpr)\b/.test(before.slice(0, 500)) && !syntax.is(own, 'pointer_declarator')
  return defined({
    kind: isFixed ? 'constant' : level === 'class' ? 'field' : 'variable',
    name: syntax.text(name),
    nameNode: name,
    node: declarators.length === 1 ? node : own,
    body: syntax.is(own, 'init_declarator')
      ? syntax.child(own, 'value')
      : syntax.child(node, 'default_value'),
    result: syntax.is(type, 'struct_specifier', 'union_specifier', 'enum_specifier') ? none : type,
    // `struct { … } x` holds the fields of its type, which are not the variable's.
    contains: syntax.child(type, 'body') === none,
    level,
  })
}
