/** Lines with their white space folded, as quotes are compared with them. */
import type { DiffLine, FileChange, Side } from '../../../domain/change-set.ts'

export type Words = { line: DiffLine; words: string }

/** By hunk, the lines of one side that are not blank. */
export function foldLines(file: FileChange, side: Side): Words[][] {
  return file.hunks.map(({ lines }) =>
    lines.flatMap((line) => {
      const words = line[side] === null ? '' : foldSpace(line.text)
      return words === '' ? [] : [{ line, words }]
    }),
  )
}

export function foldSpace(text: string): string {
  return text.trim().replace(/\s+/g, ' ')
}
