/** What C# says about symbols by modifiers, attributes, names and documentation. */
import type { Visibility } from '../../../domain/code-symbol.ts'
import type { Syntax } from '../../extraction/syntax.ts'
import type { Definition, SymbolContext } from '../../extraction/table.ts'
import { commentsBefore, firstLine } from '../doc-comment.ts'

export function visibility({ syntax, definition, container }: SymbolContext): Visibility {
  if (definition.kind === 'enumerator' || syntax.is(definition.node, 'parameter')) return 'exported'
  const words = modifierWords(syntax, definition.node)
  if (words.includes('public')) return 'exported'
  if (words.includes('protected') || words.includes('internal')) return 'internal'
  if (words.includes('private')) return 'private'
  if (container === null) return 'internal'
  return container.kind === 'interface' ? 'exported' : 'private'
}

/** `public static readonly`, of the declaration that a name belongs to. */
export function modifierWords(syntax: Syntax, node: number): string[] {
  const declaration = syntax.is(node, 'variable_declarator') ? syntax.parent(syntax.parent(node)) : node
  return syntax
    .children(declaration)
    .filter((child) => syntax.is(child, 'modifier'))
    .map((modifier) => syntax.text(modifier))
}

const testAttributes = new Set([
  'Test',
  'TestCase',
  'TestCaseSource',
  'Fact',
  'Theory',
  'TestMethod',
  'DataTestMethod',
])
const suiteAttributes = new Set(['TestFixture', 'TestClass'])

/** NUnit, xUnit and MSTest mark their tests with attributes. */
export function isTest({ syntax, definition: { kind, name, node } }: SymbolContext): boolean {
  if (kind !== 'class' && kind !== 'method') return false
  const attributes = syntax
    .children(node)
    .filter((child) => syntax.is(child, 'attribute_list'))
    .flatMap((list) => syntax.children(list))
    .map((attribute) => syntax.text(syntax.child(attribute, 'name')).split('.').at(-1) ?? '')
    .map((word) => word.replace(/Attribute$/, ''))
  if (kind === 'method') return attributes.some((word) => testAttributes.has(word))
  return attributes.some((word) => suiteAttributes.has(word)) || /(?:Tests?|TestFixture)$/.test(name)
}

/** The first words of `/// <summary>…`, without the tags. */
export function doc(syntax: Syntax, _definition: Definition, whole: number): string | null {
  const lines = commentsBefore(syntax, whole, /^\/(?:\/\/|\*\*)/).map((comment) => syntax.text(comment))
  return firstLine(lines.join('\n').replace(/<[^<>\n]{0,200}>/g, ''))
}
