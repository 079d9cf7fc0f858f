/** What Swift defines. */
import type { SymbolKind } from '../../../domain/code-symbol.ts'
import { defined } from '../../extraction/definition.ts'
import { none, type Syntax } from '../../extraction/syntax.ts'
import type { Definition, DefinitionReader, Level } from '../../extraction/table.ts'

const kinds: Readonly<Record<string, SymbolKind>> = {
  class: 'class',
  actor: 'class',
  struct: 'struct',
  enum: 'enum',
  extension: 'impl',
}

/** Classes, structs, enums, actors and extensions: the grammar has one kind for all of them. */
export const container: DefinitionReader = (syntax, node, level) => {
  const written = syntax.child(node, 'name')
  if (written === none) return null
  const nameNode = syntax.is(written, 'user_type') ? (syntax.children(written).at(-1) ?? none) : written
  const before = syntax.source.slice(
    Math.max(syntax.start(node), syntax.start(written) - 60),
    syntax.start(written),
  )
  const word = before.trimEnd().split(/\W/).at(-1) ?? ''
  const kind = kinds[word] ?? 'class'
  const body = syntax.child(node, 'body')
  return defined({ kind, name: syntax.text(nameNode), nameNode, node, body, level })
}

/** Functions, initialisers, deinitialisers and subscripts, the last three called by their keywords. */
export const callable: DefinitionReader = (syntax, node, level) => {
  const children = syntax.children(node)
  const named = children.find((child) => syntax.field(child) === 'name') ?? none
  const firstParameter = children.find((child) => syntax.is(child, 'parameter')) ?? none
  const body = syntax.child(node, 'body')
  const hasName = syntax.is(named, 'simple_identifier') && (firstParameter === none || named < firstParameter)
  const name = hasName ? syntax.text(named) : keywordOf(syntax, node)
  const property = syntax.childOf(node, 'computed_property')
  return defined({
    kind: level === 'class' ? 'method' : 'function',
    name,
    nameNode: hasName ? named : node,
    node,
    body: body === none ? property : body,
    parameters: syntax.is(node, 'deinit_declaration') ? none : node,
    result: resultOf(syntax, children, hasName ? named : none, body),
    level,
  })
}

function keywordOf(syntax: Syntax, node: number): string {
  if (syntax.is(node, 'deinit_declaration')) return 'deinit'
  if (syntax.is(node, 'subscript_declaration')) return 'subscript'
  // An operator is a name without a node.
  const text = syntax.text(node).slice(0, 400)
  return /\bfunc\s+([^\s\w(]{1,10})\s*[(<]/.exec(text)?.[1] ?? 'init'
}

/** The type behind the arrow has the field of a name. */
function resultOf(syntax: Syntax, children: readonly number[], name: number, body: number): number {
  const types = children.filter((child) => syntax.field(child) === 'name' && child !== name)
  const last = types.at(-1) ?? none
  return last !== none && (body === none || last < body) ? last : none
}

/** `let` and `var`, several to a declaration; what a property computes is its body. */
export function property(syntax: Syntax, name: number, node: number, level: Level): Definition | null {
  if (level === 'function') return null
  const children = syntax.children(node)
  const patterns = children.filter((child) => syntax.field(child) === 'name')
  const own = patterns.findLast((pattern) => pattern <= name) ?? none
  const rest = children.filter(
    (child) => child > own && (patterns.find((other) => other > own) ?? child + 1) > child,
  )
  const annotation = rest.find((child) => syntax.is(child, 'type_annotation')) ?? none
  const value = rest.find((child) => ['value', 'computed_value'].includes(syntax.field(child))) ?? none
  return defined({
    kind: level === 'class' ? 'field' : 'variable',
    name: syntax.text(name),
    nameNode: name,
    node: patterns.length === 1 ? node : own,
    body: value,
    result: syntax.child(annotation, 'name'),
    level,
  })
}

/** `case red, green`: each name is an enumerator. */
export const enumerator: DefinitionReader = (syntax, node, level) => {
  const entry = syntax.parent(node)
  if (!syntax.is(entry, 'enum_entry') || syntax.field(node) !== 'name') return null
  const alone = syntax.children(entry, 'name').length === 1
  return defined({
    kind: 'enumerator',
    name: syntax.text(node),
    nameNode: node,
    node: alone ? entry : node,
    level,
  })
}
