/** The lines that a change adds or removes, the tags by which findings cite them, and which offences on them are new. */
import type { ChangeSet, DiffLine, FileChange, Side } from '../../domain/change-set.ts'
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

export type AddedLine = DiffLine & { new: number }

export type AddedText = {
  file: FileChange
  /** In order; every one has a number at the head. */
  lines: AddedLine[]
}

/** Files with added text, without minified and third-party ones. */
export function addedText(change: ChangeSet): AddedText[] {
  return change.files.flatMap((file) => {
    if (file.role === 'minified' || file.role === 'vendored') return []
    const lines = file.hunks.flatMap((hunk) => hunk.lines.filter(isAdded))
    return lines.length > 0 ? [{ file, lines }] : []
  })
}

function isAdded(line: DiffLine): line is AddedLine {
  return line.kind === 'added' && line.new !== null
}

/**
 * The added lines with an offence that no removed line of the file had. `offence`: the words of a line that are wrong,
 * or null; each removed line excuses one added line with the same words.
 */
export function freshLines<Line extends DiffLine>(
  file: FileChange,
  added: readonly Line[],
  offence: (line: DiffLine) => string | null,
): Line[] {
  const offending = added.flatMap((line) => {
    const words = offence(line)
    return words === null ? [] : [{ line, words }]
  })
  if (offending.length === 0) return []
  const before = new Map<string, number>()
  for (const line of file.hunks.flatMap(({ lines }) => lines.filter(({ kind }) => kind === 'removed'))) {
    const words = offence(line)
    if (words !== null) before.set(words, (before.get(words) ?? 0) + 1)
  }
  return offending.flatMap(({ line, words }) => {
    const left = before.get(words) ?? 0
    before.set(words, left - 1)
    return left > 0 ? [] : [line]
  })
}
