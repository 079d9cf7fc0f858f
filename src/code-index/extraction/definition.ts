/** Makes definitions from the tree: a whole one from its parts, or one by the usual fields. */

import { none, type Syntax } from './syntax.ts'
import type { Definition, DefinitionRule, Level } from './table.ts'

type Parts = Pick<Definition, 'kind' | 'name' | 'nameNode' | 'node' | 'level'> & Partial<Definition>

export function defined(parts: Parts): Definition {
  return { body: none, parameters: none, result: none, owner: null, contains: true, ...parts }
}

/** Reads `rule`'s fields off a node; null when it has no name. */
export function definedBy(
  rule: DefinitionRule,
  syntax: Syntax,
  node: number,
  level: Level,
): Definition | null {
  const nameNode = syntax.child(node, rule.name ?? 'name')
  if (nameNode === none) return null
  return defined({
    kind: level === 'class' ? (rule.inClass ?? rule.kind) : rule.kind,
    name: syntax.text(nameNode),
    nameNode,
    node,
    body: syntax.child(node, rule.body ?? 'body'),
    parameters: syntax.child(node, rule.parameters ?? 'parameters'),
    result: syntax.child(node, rule.result ?? 'return_type'),
    level,
  })
}
