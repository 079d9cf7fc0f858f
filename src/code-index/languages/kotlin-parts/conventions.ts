/** What Kotlin says about symbols by modifiers, annotations, names and documentation. */
import type { Visibility } from '../../../domain/code-symbol.ts'
import type { Syntax } from '../../extraction/syntax.ts'
import type { Definition, SymbolContext } from '../../extraction/table.ts'
import { docBefore, firstLine } from '../doc-comment.ts'

export function visibility({ syntax, definition }: SymbolContext): Visibility {
  const modifiers = syntax.childOf(definition.node, 'modifiers')
  const word = syntax.text(syntax.childOf(modifiers, 'visibility_modifier'))
  if (word === 'private') return 'private'
  return word === 'protected' || word === 'internal' ? 'internal' : 'exported'
}

const testAnnotations = new Set(['Test', 'ParameterizedTest', 'RepeatedTest', 'TestFactory', 'TestTemplate'])
const kotestStyles =
  /^(?:FunSpec|StringSpec|BehaviorSpec|DescribeSpec|ShouldSpec|WordSpec|FreeSpec|FeatureSpec|ExpectSpec|AnnotationSpec)$/

/** JUnit and kotlin.test mark methods; Kotest's classes extend a style, its tests are calls. */
export function isTest({ syntax, definition: { kind, name, node } }: SymbolContext): boolean {
  if (syntax.is(node, 'call_expression')) return true
  if (kind === 'class') return /(?:Test|Tests|TestCase)$/.test(name) || supertypes(syntax, node).some(isStyle)
  if (kind !== 'method' && kind !== 'function') return false
  return annotations(syntax, node).some((word) => testAnnotations.has(word))
}

function isStyle(name: string): boolean {
  return kotestStyles.test(name)
}

function supertypes(syntax: Syntax, node: number): string[] {
  return syntax
    .children(node)
    .filter((child) => syntax.is(child, 'delegation_specifier'))
    .map((specifier) => /^[\w.]+/.exec(syntax.text(specifier).slice(0, 100))?.[0].split('.').at(-1) ?? '')
}

function annotations(syntax: Syntax, node: number): string[] {
  return syntax
    .children(syntax.childOf(node, 'modifiers'))
    .filter((child) => syntax.is(child, 'annotation'))
    .map(
      (child) => /^@(?:\w+:)?([\w.]+)/.exec(syntax.text(child).slice(0, 100))?.[1]?.split('.').at(-1) ?? '',
    )
}

/** The comment behind the last import belongs to the import list, as the grammar sees it. */
export function doc(syntax: Syntax, _definition: Definition, whole: number): string | null {
  const found = docBefore(syntax, whole, /^\/\*\*/)
  const before = syntax.previous(whole)
  if (found !== null || !syntax.is(before, 'import_list', 'import_header')) return found
  const last = syntax.after(before) - 1
  const belongs =
    syntax.isComment(last) &&
    syntax.endLine(last) >= syntax.startLine(whole) - 1 &&
    syntax.text(last).startsWith('/**')
  return belongs ? firstLine(syntax.text(last)) : null
}
