/**
 * Where the grammar lost the thread. An error node may span a whole file although most of it was understood, so what
 * counts are its stray tokens and words, not the well-formed parts it holds; and the places of invented tokens.
 */
import type { Syntax } from './syntax.ts'

export type LineRange = { startLine: number; endLine: number }

export function errorLines(syntax: Syntax): LineRange[] {
  const ranges = syntax.tree.missing.map((offset) => linesOf(syntax, offset, offset + 1))
  const error = syntax.words.grammar.kinds.length - 1
  for (let node = 0; node < syntax.tree.size; node++)
    if (syntax.tree.kinds[node] === error) ranges.push(...strayLines(syntax, node))
  return merged(ranges)
}

function strayLines(syntax: Syntax, error: number): LineRange[] {
  const ranges: LineRange[] = []
  let read = syntax.start(error)
  const addGap = (to: number): void => {
    const gap = syntax.source.slice(read, to)
    const words = gap.trim()
    const from = read + gap.indexOf(words)
    if (words !== '') ranges.push(linesOf(syntax, from, from + words.length))
  }
  for (let child = error + 1; child < syntax.after(error); child = syntax.after(child)) {
    addGap(syntax.start(child))
    read = Math.max(read, syntax.end(child))
    const isLeaf = syntax.after(child) === child + 1
    if (isLeaf && !syntax.isComment(child))
      ranges.push(linesOf(syntax, syntax.start(child), syntax.end(child)))
  }
  addGap(syntax.end(error))
  // Good parts in a bad order: say at least where it gave up.
  return ranges.length > 0 ? ranges : [linesOf(syntax, syntax.end(error) - 1, syntax.end(error))]
}

function linesOf(syntax: Syntax, from: number, to: number): LineRange {
  return { startLine: syntax.lineAt(from), endLine: syntax.lineAt(Math.max(from, to - 1)) }
}

function merged(ranges: LineRange[]): LineRange[] {
  const found: LineRange[] = []
  for (const range of ranges.toSorted((a, b) => a.startLine - b.startLine || a.endLine - b.endLine)) {
    const last = found.at(-1)
    if (last && range.startLine <= last.endLine + 1) last.endLine = Math.max(last.endLine, range.endLine)
    else found.push({ ...range })
  }
  return found
}
