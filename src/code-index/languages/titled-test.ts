/** Tests that are calls with a title, `it 'adds' do … end`: they become functions named by their title. */
import { defined } from '../extraction/definition.ts'
import { none, type Syntax } from '../extraction/syntax.ts'
import type { Definition, Level } from '../extraction/table.ts'

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
