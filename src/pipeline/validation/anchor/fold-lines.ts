/** Lines with their white space folded, as quotes are compared with them. */
import type { DiffLine, FileChange, Side } from '../../../domain/change-set.ts'

export type Words = { line: DiffLine; words: string }

const folded = new WeakMap<FileChange, Partial<Record<Side, readonly (readonly Words[])[]>>>()

/** By hunk, the lines of one side that are not blank. */
export function foldLines(file: FileChange, side: Side): readonly (readonly Words[])[] {
  const known = folded.get(file) ?? {}
  folded.set(file, known)
  known[side] ??= readLines(file, side)
  return known[side]
}

function readLines(file: FileChange, side: Side): Words[][] {
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
