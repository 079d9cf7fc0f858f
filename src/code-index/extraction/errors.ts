/** Where the grammar lost the thread: lines of error nodes and of invented tokens, merged. */
import type { Syntax } from './syntax.ts'

export type LineRange = { startLine: number; endLine: number }

export function errorLines(syntax: Syntax): LineRange[] {
  const ranges: LineRange[] = syntax.tree.missing.map((offset) => {
    const line = syntax.lineAt(offset)
    return { startLine: line, endLine: line }
  })
  const error = syntax.words.grammar.kinds.length - 1
  for (let node = 0; node < syntax.tree.size; node++)
    if (syntax.tree.kinds[node] === error)
      ranges.push({ startLine: syntax.startLine(node), endLine: syntax.endLine(node) })
  ranges.sort((a, b) => a.startLine - b.startLine || a.endLine - b.endLine)
  const merged: LineRange[] = []
  for (const range of ranges) {
    const last = merged.at(-1)
    if (last && range.startLine <= last.endLine + 1) last.endLine = Math.max(last.endLine, range.endLine)
    else merged.push({ ...range })
  }
  return merged
}
