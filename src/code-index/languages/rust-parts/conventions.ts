/** What Rust says about symbols around them: `pub`, traits, attributes. */
import type { Visibility } from '../../../domain/code-symbol.ts'
import { none, type Syntax } from '../../extraction/syntax.ts'
import type { SymbolContext } from '../../extraction/table.ts'

export function visibility({ syntax, definition, container }: SymbolContext): Visibility {
  const modifier = syntax.childOf(definition.node, 'visibility_modifier')
  if (modifier !== none) return syntax.text(modifier) === 'pub' ? 'exported' : 'internal'
  // Variants and their fields are as visible as the enum, what a trait asks for as the trait.
  if (definition.kind === 'enumerator' || container?.kind === 'enumerator') return 'exported'
  if (definition.kind === 'impl' || container?.kind === 'interface') return 'exported'
  if (definition.kind === 'macro')
    return hasAttribute(syntax, definition.node, /^#\[macro_export\b/) ? 'exported' : 'internal'
  const ofTrait = container?.kind === 'impl' && syntax.child(container.node, 'trait') !== none
  return ofTrait ? 'exported' : 'private'
}

/** `#[test]` and its relatives on functions, `#[cfg(test)]` on modules. */
export function isTest({ syntax, definition: { kind, node } }: SymbolContext): boolean {
  if (kind === 'module') return hasAttribute(syntax, node, /^#\[cfg\(test\)\]/)
  if (kind !== 'function' && kind !== 'method') return false
  return hasAttribute(syntax, node, /^#\[(?:\w+::)*(?:test|bench|rstest|test_case|quickcheck|proptest)\b/)
}

function hasAttribute(syntax: Syntax, node: number, pattern: RegExp): boolean {
  for (let before = syntax.previous(node); before !== none; before = syntax.previous(before)) {
    if (syntax.isComment(before)) continue
    if (!syntax.is(before, 'attribute_item')) return false
    if (pattern.test(syntax.text(before).slice(0, 200))) return true
  }
  return false
}
