/** What Swift says about symbols by modifiers and names. */
import type { Visibility } from '../../../domain/code-symbol.ts'
import type { Syntax } from '../../extraction/syntax.ts'
import type { SymbolContext } from '../../extraction/table.ts'

/** Members of a protocol are seen as far as it is; cases of an enum as far as the enum. */
export function visibility({ syntax, definition, container }: SymbolContext): Visibility {
  const own = wordOf(syntax, definition.node)
  const inherits = container?.kind === 'interface' || definition.kind === 'enumerator'
  const word = own === '' && inherits && container ? wordOf(syntax, container.node) : own
  if (word === 'public' || word === 'open') return 'exported'
  return word === 'private' || word === 'fileprivate' ? 'private' : 'internal'
}

/** `public private(set)` is public: only setting is private. */
function wordOf(syntax: Syntax, node: number): string {
  const declaration = syntax.is(node, 'pattern', 'simple_identifier') ? syntax.parent(node) : node
  return (
    syntax
      .children(syntax.childOf(declaration, 'modifiers'))
      .filter((child) => syntax.is(child, 'visibility_modifier'))
      .map((child) => syntax.text(child))
      .find((text) => !text.includes('(')) ?? ''
  )
}

/** XCTest by names, Swift Testing by its attribute. */
export function isTest({ syntax, definition: { kind, name, node, parameters } }: SymbolContext): boolean {
  if (kind === 'class' || kind === 'struct') return /(?:Tests?|TestCase)$/.test(name)
  if (kind !== 'method' && kind !== 'function') return false
  const modifiers = syntax.text(syntax.childOf(node, 'modifiers')).slice(0, 500)
  if (/@Test\b/.test(modifiers)) return true
  const takesNothing = !syntax.children(parameters).some((child) => syntax.is(child, 'parameter'))
  return kind === 'method' && /^test(?:[A-Z_\d]|$)/.test(name) && takesNothing
}
