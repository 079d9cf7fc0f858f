/** Readers that several languages share: documentation comments, parameters, tests with a title. */
import type { Parameter } from '../../domain/code-symbol.ts'
import { none, type Syntax, typeText } from '../extraction/syntax.ts'
import { type Definition, type DefinitionReader, defined, type Level } from '../extraction/table.ts'

const longestDoc = 200

/** Looks at the comments that end on the line before `whole`, upwards; those that fit `pattern` count. */
export function docBefore(syntax: Syntax, whole: number, pattern: RegExp): string | null {
  const [first] = commentsBefore(syntax, whole, pattern)
  return first === undefined ? null : firstLine(syntax.text(first))
}

/** The unbroken run of such comments, in order. */
export function commentsBefore(syntax: Syntax, whole: number, pattern: RegExp): number[] {
  const found: number[] = []
  let line = syntax.startLine(whole)
  for (let at = syntax.previous(whole); at !== none; at = syntax.previous(at)) {
    const fits = syntax.isComment(at) && pattern.test(syntax.text(at))
    if (!fits || syntax.endLine(at) < line - 1) break
    found.unshift(at)
    line = syntax.startLine(at)
  }
  return found
}

/** The first line with words in it, without comment signs. */
export function firstLine(comment: string): string | null {
  for (const line of comment.split('\n', 20)) {
    const words = line
      .replace(/^\s*(?:\/\*[*!]?|\*(?!\/)|\/\/[/!]?|#)/, '')
      .replace(/\*\/\s*$/, '')
      .trim()
    if (words !== '') return words.slice(0, longestDoc)
  }
  return null
}

// One parameter of a signature, from the nodes that say what it is.

const longestName = 200

/** A variadic parameter may always be left out. */
export function parameter(
  syntax: Syntax,
  name: number | string,
  {
    type = none,
    optional = false,
    variadic = false,
    keywordOnly = false,
  }: { type?: number; optional?: boolean; variadic?: boolean; keywordOnly?: boolean } = {},
): Parameter {
  return {
    name: (typeof name === 'string' ? name : syntax.text(name)).slice(0, longestName),
    type: type === none ? null : typeText(syntax, type),
    optional: optional || variadic,
    variadic,
    keywordOnly,
  }
}

// Tests that are calls with a title, `it 'adds' do … end`: they become functions named by their title.

const longestTitle = 200

/** `title` is the node of the text, `body` the block that runs; null without either, or for an empty title. */
export function titledTest(
  syntax: Syntax,
  { node, title, body, level }: { node: number; title: number; body: number; level: Level },
): Definition | null {
  if (title === none || body === none) return null
  const text = syntax.text(title).slice(0, 4 * longestTitle)
  const name = text
    .replace(/^[@$\w]{0,4}?(?:"""|["'`])|(?:"""|["'`])$/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, longestTitle)
  return name === '' ? null : defined({ kind: 'function', name, nameNode: title, node, body, level })
}

/** A parameter that is a field of the class as well: `constructor(private store: Store)`. */
export function parameterField(syntax: Syntax, node: number, nameNode: number): Definition {
  return defined({
    kind: 'field',
    name: syntax.text(nameNode),
    nameNode,
    node,
    result: syntax.child(node, 'type'),
    owner: 'class',
    contains: false,
    level: 'class',
  })
}

/** The parameters of a record are its fields. */
export const recordField: DefinitionReader = (syntax, node) => {
  const nameNode = syntax.child(node, 'name')
  if (nameNode === none || !syntax.is(syntax.parent(syntax.parent(node)), 'record_declaration')) return null
  const result = syntax.child(node, 'type')
  return defined({ kind: 'field', name: syntax.text(nameNode), nameNode, node, result, level: 'class' })
}
