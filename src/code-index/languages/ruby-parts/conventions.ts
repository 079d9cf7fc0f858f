/** What Ruby says about tests and documentation. */
import { none, type Syntax } from '../../extraction/syntax.ts'
import type { Definition, SymbolContext } from '../../extraction/table.ts'
import { docBefore } from '../doc-comment.ts'

/** RSpec's blocks, minitest's methods, classes named after tests. */
export function isTest({ syntax, definition: { kind, name, node } }: SymbolContext): boolean {
  if (syntax.is(node, 'call')) return true
  if (kind === 'class') return /^Test[A-Z]|(?:Test|TestCase|Spec)$/.test(name)
  return kind === 'method' && /^test_/.test(name)
}

const words = /^#(?!!|\s*(?:-\*-|frozen_string_literal|encoding:|rubocop:))/

/** The comment of the first definition in a body stands before the body. */
export function doc(syntax: Syntax, _definition: Definition, whole: number): string | null {
  const body = syntax.parent(whole)
  const isFirst = syntax.previous(whole) === none && syntax.is(body, 'body_statement', 'block_body')
  return docBefore(syntax, isFirst ? body : whole, words)
}
