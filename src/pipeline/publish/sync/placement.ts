/** Whether a finding can be shown on lines of the host's diff, and on which; and whether its fix can be committed there. */
import { type ChangeSet, type FileChange, pathOn } from '../../../domain/change-set.ts'
import { lineIndexOf, type Spot } from '../../../domain/diff-lines.ts'
import type { Finding } from '../../../domain/finding.ts'
import { isFileTag } from '../../../domain/line-tag.ts'
import type { PlannedComment, PlannedLine, WriterAbilities } from '../../../hosts/remote/contract.ts'

export type Placement = Omit<PlannedComment, 'body'> & {
  /** The lines of the comment are exactly those that the suggestion replaces. */
  isCommittable: boolean
  /** From the first to the last line of the comment, without the last. */
  linesAbove: number
}

/** Files whose lines the host shows, with their changes; from the top, in git's order. */
export function shownFiles(
  { files }: ChangeSet,
  { shownFiles: most, shownLines }: Pick<WriterAbilities, 'shownFiles' | 'shownLines'>,
): ReadonlyMap<string, FileChange> {
  let lines = 0
  const shown = new Map<string, FileChange>()
  for (const file of files.slice(0, most)) {
    lines += file.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0)
    if (lines > shownLines) break
    shown.set(file.path, file)
  }
  return shown
}

/** Null when the host would refuse it: lines that the diff does not have, or a file as a whole. */
export function placeComment(
  finding: Finding,
  shown: ReadonlyMap<string, FileChange>,
  { multiLine, suggestions }: Pick<WriterAbilities, 'multiLine' | 'suggestions'>,
): Placement | null {
  const { anchor, side, startLine, endLine, suggestion } = finding
  const file = shown.get(anchor.path)
  if (!file || anchor.tags.every((tag) => isFileTag(tag, anchor.path))) return null
  const isOwnFile = suggestion?.path === file.path && side === 'new'
  const canCommit = suggestions !== null && isOwnFile && !suggestion.further && !suggestion.outsideDiff
  const holdsStart =
    canCommit && suggestion.startLine <= startLine && startLine <= suggestion.endLine ? suggestion : null
  const range = holdsStart ?? { startLine, endLine }
  const isOneLine = range.startLine === range.endLine
  if (holdsStart && (multiLine || isOneLine)) {
    const placed = between(file, 'new', holdsStart.startLine, holdsStart.endLine)
    if (placed)
      return { ...placed, isCommittable: true, linesAbove: holdsStart.endLine - holdsStart.startLine }
  }
  const first = multiLine ? startLine : endLine
  // Where the range leaves the hunk, its first line is the one the finding is about.
  const placed = between(file, side, first, endLine) ?? between(file, side, startLine, startLine)
  if (!placed) return null
  const linesAbove = (placed.end[side] ?? 0) - (placed.start[side] ?? 0)
  return { ...placed, isCommittable: false, linesAbove }
}

/** Both ends must be lines of one hunk. */
function between(
  file: FileChange,
  side: 'old' | 'new',
  startLine: number,
  endLine: number,
): Omit<PlannedComment, 'body'> | null {
  const index = lineIndexOf(file)
  const [first, last] = [index.at(side, startLine), index.at(side, endLine)]
  if (!first || !last || first.hunk !== last.hunk) return null
  return {
    path: file.path,
    oldPath: pathOn('old', file),
    side,
    start: numbersOf(file, first),
    end: numbersOf(file, last),
  }
}

function numbersOf(file: FileChange, { hunk: at, index, line }: Spot): PlannedLine {
  const hunk = file.hunks[at]
  const above = hunk?.lines.slice(0, index) ?? []
  // Git names the line before an empty range.
  const first = (start: number, count: number) => (count === 0 ? start + 1 : start)
  const counted = {
    old: first(hunk?.oldStart ?? 1, hunk?.oldLines ?? 1) + above.filter(({ old }) => old !== null).length,
    new: first(hunk?.newStart ?? 1, hunk?.newLines ?? 1) + above.filter((one) => one.new !== null).length,
  }
  return { old: line.old, new: line.new, counted }
}
