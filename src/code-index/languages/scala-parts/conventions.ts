/** What Scala says about symbols by modifiers, annotations and names. */
import type { Visibility } from '../../../domain/code-symbol.ts'
import { none, type Syntax } from '../../extraction/syntax.ts'
import type { Definition, SymbolContext } from '../../extraction/table.ts'

/** `private[pkg]` is seen in the package. */
export function visibility({ syntax, definition }: SymbolContext): Visibility {
  const word = syntax.text(syntax.childOf(syntax.childOf(definition.node, 'modifiers'), 'access_modifier'))
  if (word === '') return 'exported'
  return /^private(?:\[this\])?$/.test(word.replace(/\s+/g, '')) ? 'private' : 'internal'
}

/** ScalaTest, munit and specs by what a class is called or extends; their tests are calls; JUnit's annotation. */
export function isTest({ syntax, definition }: SymbolContext): boolean {
  const { kind, name, node } = definition
  if (syntax.is(node, 'call_expression', 'infix_expression')) return true
  if (kind === 'class')
    return (
      /(?:Test|Tests|Spec|Suite)$/.test(name) ||
      /\bextends\s+[\w.]*(?:FunSuite|FlatSpec|WordSpec|FunSpec|FreeSpec)\b/.test(headOf(syntax, definition))
    )
  return kind === 'method' && /@Test\b/.test(headOf(syntax, definition))
}

function headOf(syntax: Syntax, { node, body }: Definition): string {
  const end = body === none ? syntax.end(node) : syntax.start(body)
  return syntax.source.slice(syntax.start(node), Math.min(end, syntax.start(node) + 600))
}
