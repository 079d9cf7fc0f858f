/**
 * What a match is without what it only contains. A rule about a callback matches the whole call; a change inside the body
 * of that callback changes the text of the match, and nothing of what the rule is about.
 */
import type { SgNode } from '@ast-grep/wasm'

/** Nodes looked at for one frame; a match with more is its own frame. */
const mostNodes = 4_000

const functions: ReadonlySet<string> = new Set([
  'arrow_function',
  'function_expression',
  'function_declaration',
  'generator_function',
  'generator_function_declaration',
  'method_definition',
  'function_definition',
  'func_literal',
  'method_declaration',
  'constructor_declaration',
  'lambda_expression',
  'closure_expression',
  'function_item',
])
const bodies: ReadonlySet<string> = new Set(['statement_block', 'block', 'constructor_body'])

/** The text of a match with `{…}` for the body of each function inside it; the match itself keeps its own. */
export function frameOf(match: SgNode): string {
  let left = mostNodes
  const framed = (node: SgNode): string | null => {
    const children = node.children()
    left -= children.length
    if (left < 0) return null
    const isFunction = node !== match && functions.has(node.kind())
    let isCut = false
    const parts = children.map((child) => {
      const inner = isFunction && bodies.has(child.kind()) ? '{…}' : framed(child)
      isCut ||= inner !== null
      return inner ?? child.text()
    })
    return isCut ? parts.join(' ') : null
  }
  const frame = framed(match)
  return left < 0 || frame === null ? match.text() : frame
}

/** The names of the definitions around a match, outermost first: its structural place. */
export function scopeOf(match: SgNode): string {
  return match
    .ancestors()
    .flatMap((node) => node.field('name')?.text() ?? [])
    .reverse()
    .join('.')
}
