/** What PHP says about symbols by modifiers, attributes and names. */
import type { Visibility } from '../../../domain/code-symbol.ts'
import { none, type Syntax } from '../../extraction/syntax.ts'
import type { SymbolContext } from '../../extraction/table.ts'

export function visibility({ syntax, definition }: SymbolContext): Visibility {
  const { node } = definition
  const several = syntax.is(node, 'property_element', 'const_element')
  const word = syntax.text(syntax.childOf(several ? syntax.parent(node) : node, 'visibility_modifier'))
  if (word === 'private') return 'private'
  return word === 'protected' ? 'internal' : 'exported'
}

const testAttributes = new Set(['Test', 'DataProvider', 'TestWith'])

/** PHPUnit: methods by name, attribute or annotation; classes named after tests. */
export function isTest({ syntax, definition: { kind, name, node } }: SymbolContext): boolean {
  if (kind === 'class') return /(?:Test|TestCase|Cest)$/.test(name)
  if (kind !== 'method') return false
  if (
    /^test(?:[A-Z_\d]|$)/.test(name) ||
    attributeNames(syntax, node).some((word) => testAttributes.has(word))
  )
    return true
  const before = syntax.previous(node)
  return syntax.isComment(before) && /@test\b/.test(syntax.text(before).slice(0, 2000))
}

function attributeNames(syntax: Syntax, node: number): string[] {
  const list = syntax.child(node, 'attributes')
  if (list === none) return []
  return syntax
    .children(list)
    .flatMap((group) => syntax.children(group))
    .map(
      (attribute) =>
        syntax
          .text(syntax.children(attribute)[0] ?? none)
          .split('\\')
          .at(-1) ?? '',
    )
}
