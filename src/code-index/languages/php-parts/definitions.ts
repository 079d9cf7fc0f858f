/** What PHP defines other than by the usual fields. */
import { defined } from '../../extraction/definition.ts'
import { none, type Syntax } from '../../extraction/syntax.ts'
import type { Definition, DefinitionReader, Level } from '../../extraction/table.ts'

/** Properties, several to a declaration. */
export function field(syntax: Syntax, name: number, declaration: number, level: Level): Definition | null {
  if (level !== 'class') return null
  const element = syntax.ancestor(name, 'property_element')
  if (element === none) return null
  const elements = syntax.children(declaration).filter((child) => syntax.is(child, 'property_element'))
  return defined({
    kind: 'field',
    name: syntax.text(name),
    nameNode: name,
    node: elements.length === 1 ? declaration : element,
    body: syntax.child(element, 'default_value'),
    result: syntax.child(declaration, 'type'),
    level,
  })
}

/** `const A = 1, B = 2`, at top level and in classes. */
export const constant: DefinitionReader = (syntax, node, level) => {
  const [nameNode = none, body = none] = syntax.children(node)
  const declaration = syntax.parent(node)
  if (!syntax.is(nameNode, 'name') || level === 'function') return null
  const elements = syntax.children(declaration).filter((child) => syntax.is(child, 'const_element'))
  return defined({
    kind: 'constant',
    name: syntax.text(nameNode),
    nameNode,
    node: elements.length === 1 ? declaration : node,
    body,
    level,
  })
}

/** A constructor's parameter with a visibility is a property of the class as well. */
export const promoted: DefinitionReader = (syntax, node) => {
  const nameNode = syntax.childOf(syntax.child(node, 'name'), 'name')
  if (nameNode === none) return null
  return defined({
    kind: 'field',
    name: syntax.text(nameNode),
    nameNode,
    node,
    result: syntax.child(node, 'type'),
    owner: 'class',
    contains: false,
    level: 'class',
  })
}
