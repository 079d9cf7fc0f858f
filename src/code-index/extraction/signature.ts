/** The words of a signature as people quote them: white space folded, comments gone, length capped. */
import { none, type Syntax } from './syntax.ts'
import type { Definition } from './table.ts'

const longestSignature = 1000
const longestType = 300

/** Everything from the definition's first word to its body; `leading` are kinds that do not belong to its words. */
export function signatureText(
  syntax: Syntax,
  { node, body }: Definition,
  leading: readonly string[] = [],
): string {
  const end = body === none ? syntax.end(node) : syntax.start(body)
  const lastNode = body === none ? syntax.after(node) : body
  const pieces: string[] = []
  let from = syntax.start(node)
  for (let child = node + 1; child < lastNode && syntax.is(child, ...leading); child = syntax.after(child))
    from = syntax.end(child)
  const limit = Math.min(end, from + 4 * longestSignature)
  for (let at = node + 1; at < lastNode && syntax.start(at) < limit; at++) {
    if (!syntax.isComment(at)) continue
    pieces.push(syntax.source.slice(from, syntax.start(at)))
    from = Math.max(from, syntax.end(at))
  }
  if (from < limit) pieces.push(syntax.source.slice(from, limit))
  const text = fold(pieces.join(' '))
  return body === none
    ? text.replace(/[;,]$/, '').slice(0, longestSignature)
    : withoutOpening(text).slice(0, longestSignature)
}

/** What leads to the body is no part of the signature: `{`, `:`, `=`, `=>`. */
function withoutOpening(text: string): string {
  let end = text.length
  for (;;) {
    const arrow = text.endsWith('=>', end)
    if (!arrow && !/[\s{:=]/.test(text.charAt(end - 1))) return text.slice(0, end)
    end -= arrow ? 2 : 1
  }
}

/** A type as written, without the colon or arrow before it. */
export function typeText(syntax: Syntax, type: number): string {
  return fold(
    syntax.source.slice(syntax.start(type), Math.min(syntax.end(type), syntax.start(type) + longestType)),
  ).replace(/^(?::|->)\s*/, '')
}

export function fold(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
