/** What Python says by convention: underscores, test names, documentation strings. */
import type { Visibility } from '../../../domain/code-symbol.ts'
import { none, type Syntax } from '../../extraction/syntax.ts'
import type { Definition, SymbolContext } from '../../extraction/table.ts'
import { firstLine } from '../doc-comment.ts'

export function visibility({ definition: { name, level }, container, listed }: SymbolContext): Visibility {
  if (level === 'module' && container === null && listed?.has(name)) return 'exported'
  if (/^__\w+__$/.test(name)) return 'exported'
  if (name.startsWith('_')) return 'private'
  return level === 'module' && listed !== null ? 'internal' : 'exported'
}

/** pytest and unittest: `test_x`, `TestX`, subclasses of a `TestCase`. */
export function classOrTest({ syntax, definition: { kind, name, level, node } }: SymbolContext): boolean {
  if (level === 'function') return false
  if (kind === 'function' || kind === 'method') return /^test(?:_|[A-Z]|$)/.test(name)
  if (kind !== 'class') return false
  return (
    /^Test(?:[A-Z_\d]|$)/.test(name) || /TestCase\b/.test(syntax.text(syntax.child(node, 'superclasses')))
  )
}

export function docString(syntax: Syntax, { body }: Definition): string | null {
  const [first] = syntax.is(body, 'block') ? syntax.children(body) : []
  if (first === undefined || !isDocString(syntax, first)) return null
  const string = syntax.children(first)[0] ?? none
  return firstLine(syntax.text(syntax.childOf(string, 'string_content')))
}

/** A statement that is nothing but a string. */
export function isDocString(syntax: Syntax, statement: number): boolean {
  const [only, more] = syntax.children(statement)
  return only !== undefined && more === undefined && syntax.is(only, 'string')
}
