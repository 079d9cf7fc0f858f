/** Names that Python defines by assigning to them. */
import type { SymbolKind } from '../../../domain/code-symbol.ts'
import { defined } from '../../extraction/definition.ts'
import { none, type Syntax } from '../../extraction/syntax.ts'
import type { Definition, DefinitionReader, Level } from '../../extraction/table.ts'

export function variable(syntax: Syntax, name: number, assignment: number, level: Level): Definition | null {
  const text = syntax.text(name)
  if (level === 'function' || text === '__all__') return null
  const value = syntax.child(assignment, 'right')
  const direct = syntax.parent(name) === assignment
  const base = { name: text, nameNode: name, node: assignment, level }
  if (direct && syntax.is(value, 'lambda'))
    return defined({
      ...base,
      kind: level === 'class' ? 'method' : 'function',
      parameters: syntax.child(value, 'parameters'),
      body: syntax.child(value, 'body'),
    })
  return defined({
    ...base,
    kind: kindOf(syntax, text, assignment, level),
    body: value,
    result: direct ? syntax.child(assignment, 'type') : none,
    // The parts of `a, b = …` and `a = b = …` do not contain each other.
    contains: direct && !syntax.is(value, 'assignment'),
  })
}

function kindOf(syntax: Syntax, name: string, assignment: number, level: Level): SymbolKind {
  if (level !== 'class') return /^_{0,2}[A-Z][A-Z\d_]*$/.test(name) ? 'constant' : 'variable'
  const bases = syntax.text(syntax.child(syntax.ancestor(assignment, 'class_definition'), 'superclasses'))
  return /(?:Enum|Flag)\b/.test(bases) ? 'enumerator' : 'field'
}

/** `self.x = …` in a method gives the class a field, the first time it is written. */
export const selfField: DefinitionReader = (syntax, node, level) => {
  if (level !== 'function' || !/^(?:self|cls)$/.test(syntax.text(syntax.child(node, 'object')))) return null
  const holder = syntax.parent(node)
  const target = syntax.is(holder, 'pattern_list', 'tuple_pattern') ? holder : node
  const assignment = syntax.parent(target)
  if (!syntax.is(assignment, 'assignment') || syntax.field(target) !== 'left') return null
  const nameNode = syntax.child(node, 'attribute')
  return defined({
    kind: 'field',
    name: syntax.text(nameNode),
    nameNode,
    node: assignment,
    body: syntax.child(assignment, 'right'),
    result: syntax.child(assignment, 'type'),
    owner: 'class',
    contains: false,
    level: 'class',
  })
}

/** `type Name[T] = …`. */
export const typeAlias: DefinitionReader = (syntax, node, level) => {
  const left = syntax.child(node, 'left')
  const inner = syntax.childOf(left, 'generic_type')
  const nameNode = syntax.childOf(inner === none ? left : inner, 'identifier')
  if (nameNode === none) return null
  return defined({ kind: 'type', name: syntax.text(nameNode), nameNode, node, level })
}
