/** What the planes that read text look at: the lines a change adds, file by file. */
import type { ChangeSet, DiffLine, FileChange } from '../../domain/change-set.ts'

export type AddedLine = DiffLine & { new: number }

export type AddedText = {
  file: FileChange
  /** In order; every one has a number at the head. */
  lines: AddedLine[]
}

/** Files with added text, except those whose lines nobody wrote by hand. */
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
