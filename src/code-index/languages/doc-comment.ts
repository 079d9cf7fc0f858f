/** First lines of documentation comments, for languages that write them before the definition. */
import { none, type Syntax } from '../extraction/syntax.ts'

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
