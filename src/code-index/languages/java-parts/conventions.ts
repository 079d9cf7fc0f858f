/** What Java says about symbols by modifiers, annotations and names. */
import type { Visibility } from '../../../domain/code-symbol.ts'
import { none, type Syntax } from '../../extraction/syntax.ts'
import type { SymbolContext } from '../../extraction/table.ts'

export function visibility({ syntax, definition, container }: SymbolContext): Visibility {
  // Whatever stands in a method is its own, anonymous classes too.
  if (container?.kind === 'method') return 'private'
  const words = modifierWords(syntax, definition.node)
  if (words.includes('public')) return 'exported'
  if (words.includes('private')) return 'private'
  if (words.includes('protected')) return 'internal'
  if (definition.kind === 'enumerator' || container?.kind === 'interface') return 'exported'
  return 'internal'
}

/** `public static final`, without the annotations that stand among them. */
export function modifierWords(syntax: Syntax, node: number): string[] {
  const declaration = syntax.is(node, 'variable_declarator') ? syntax.parent(node) : node
  const modifiers = syntax.childOf(declaration, 'modifiers')
  if (modifiers === none) return []
  let from = syntax.start(modifiers)
  const pieces: string[] = []
  for (const annotation of syntax.children(modifiers)) {
    pieces.push(syntax.source.slice(from, syntax.start(annotation)))
    from = syntax.end(annotation)
  }
  pieces.push(syntax.source.slice(from, syntax.end(modifiers)))
  return pieces.join(' ').split(/\s+/)
}

const testAnnotations = new Set([
  'Test',
  'ParameterizedTest',
  'RepeatedTest',
  'TestFactory',
  'TestTemplate',
  'Theory',
])

/** JUnit: annotated methods, `testX()` without parameters, classes named after tests. */
export function isTest({ syntax, definition: { kind, name, node, parameters } }: SymbolContext): boolean {
  if (kind === 'class') return /^Test[A-Z]|(?:Test|Tests|TestCase)$/.test(name)
  if (kind !== 'method') return false
  const annotations = syntax
    .children(syntax.childOf(node, 'modifiers'))
    .map((annotation) => syntax.text(syntax.child(annotation, 'name')).split('.').at(-1) ?? '')
  if (annotations.some((word) => testAnnotations.has(word))) return true
  return /^test[A-Z]/.test(name) && /^\(\s*\)$/.test(syntax.text(parameters))
}
