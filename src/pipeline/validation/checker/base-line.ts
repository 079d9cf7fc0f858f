/** Where a line of the head stood before the change. */
import type { ChangeSet, Hunk } from '../../../domain/change-set.ts'

/** Null for a line, or a file, that the change brought in, and for a file whose hunks are not known. */
export function baseLineOf(
  { files }: ChangeSet,
  path: string,
  line: number,
): { path: string; line: number } | null {
  const file = files.find((one) => one.path === path)
  if (!file) return { path, line }
  if (file.status === 'added' || file.omitted !== null) return null
  const number = numberBefore(file.hunks, line)
  return number === null ? null : { path: file.oldPath ?? path, line: number }
}

function numberBefore(hunks: readonly Hunk[], line: number): number | null {
  let shift = 0
  for (const hunk of hunks) {
    const shown = hunk.lines.find((one) => one.new === line)
    if (shown) return shown.old
    const end = after(hunk.newStart, hunk.newLines)
    if (end > line) break
    shift = after(hunk.oldStart, hunk.oldLines) - end
  }
  return line + shift
}

/** The number of the line below the hunk; an empty side is named by the line above it. */
function after(start: number, lines: number): number {
  return lines === 0 ? start + 1 : start + lines
}
