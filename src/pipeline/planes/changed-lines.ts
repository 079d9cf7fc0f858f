/** Which lines of a file the change added or removed, and the tags by which findings cite them. */
import type { DiffLine, FileChange, Side } from '../../domain/change-set.ts'
import { tagOf } from '../../domain/line-tag.ts'

/** Changed lines of one side within the range, in order; `old` are the removed ones, `new` the added. */
export function changedLines(file: FileChange, side: Side, from: number, to: number): DiffLine[] {
  const kind = side === 'new' ? 'added' : 'removed'
  return file.hunks.flatMap(({ lines }) =>
    lines.filter((line) => {
      const number = line[side]
      return line.kind === kind && number !== null && from <= number && number <= to
    }),
  )
}

/** The tag of the changed line nearest to `near` within the range, or null when none of it changed. */
export function nearestTag(
  file: FileChange,
  side: Side,
  range: { from: number; to: number; near: number },
): string | null {
  const distance = (line: DiffLine) => Math.abs((line[side] ?? 0) - range.near)
  const [nearest] = changedLines(file, side, range.from, range.to).sort((a, b) => distance(a) - distance(b))
  return nearest ? tagOf(nearest) : null
}
