/** Evidence without the lines that a reader is shown anyway: a second number for the same line is only more to read. */
import { type DiffLine, type FileChange, pathOn } from './change-set.ts'
import type { Evidence } from './evidence.ts'

/** Lines of a diff that are shown. */
export type ShownLines = { file: FileChange; lines: readonly DiffLine[] }

/** In the same order, without what the diffs show whole, and without what a larger piece of the same side holds. */
export function withoutRepeats(evidence: readonly Evidence[], diffs: readonly ShownLines[]): Evidence[] {
  const shown = new Set(
    diffs.flatMap(({ file, lines }) =>
      lines.flatMap((line) => [
        ...(line.new === null ? [] : [`new ${line.new} ${file.path}`]),
        ...(line.old === null ? [] : [`old ${line.old} ${pathOn('old', file)}`]),
      ]),
    ),
  )
  const pieces = evidence.filter((item) => {
    const lines = linesOf(item)
    return lines.length === 0 || !lines.every((line) => shown.has(`${item.side} ${line} ${item.path}`))
  })
  return pieces.filter(
    (item, at) =>
      !pieces.some((other, i) => i !== at && holds(other, item) && (i < at || !holds(item, other))),
  )
}

/** The numbers of its lines; none when it is no range of a file. */
function linesOf({ path, startLine, endLine }: Evidence): number[] {
  if (path === null || startLine === null) return []
  return Array.from({ length: (endLine ?? startLine) - startLine + 1 }, (_, at) => startLine + at)
}

function holds(outer: Evidence, inner: Evidence): boolean {
  if (inner.path === null || inner.startLine === null || outer.startLine === null) return false
  if (outer.path !== inner.path || outer.side !== inner.side) return false
  const end = inner.endLine ?? inner.startLine
  return outer.startLine <= inner.startLine && end <= (outer.endLine ?? outer.startLine)
}
