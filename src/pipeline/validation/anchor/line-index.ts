/** Every line of a file's diff, findable by number and by hash. */
import type { DiffLine, FileChange, Hunk, Side } from '../../../domain/change-set.ts'
import { foldLines, type Words } from './fold-lines.ts'

/** A line of the diff: `hunk` and `index` are positions in `file.hunks` and in the lines of that hunk. */
export type Spot = { hunk: number; index: number; line: DiffLine }

export type LineIndex = {
  /** By side and hunk, the lines that are not blank, white space folded. */
  readonly wordsOf: Readonly<Record<Side, readonly (readonly Words[])[]>>
  /** The line with this number on this side, if the diff shows it. */
  at(side: Side, number: number): Spot | null
  /** Every line of the diff with this hash, from the top. */
  withHash(hash: string): readonly Spot[]
  /** True when the change removed a line with these words, white space around them aside. */
  removed(words: string): boolean
  /** The hunks whose old or new range holds the number; the only hunk when none does. */
  hunksAround(number: number): ReadonlySet<number>
}

const indexes = new WeakMap<FileChange, LineIndex>()

export function lineIndexOf(file: FileChange): LineIndex {
  const known = indexes.get(file)
  if (known) return known
  const index = buildIndex(file)
  indexes.set(file, index)
  return index
}

function buildIndex(file: FileChange): LineIndex {
  const numbers = { old: new Map<number, Spot>(), new: new Map<number, Spot>() }
  const hashes = new Map<string, Spot[]>()
  const removed = new Set<string>()
  let words: LineIndex['wordsOf'] | null = null
  for (const [hunk, { lines }] of file.hunks.entries())
    for (const [index, line] of lines.entries()) {
      const spot = { hunk, index, line }
      if (line.old !== null) numbers.old.set(line.old, spot)
      if (line.new !== null) numbers.new.set(line.new, spot)
      if (line.kind === 'removed') removed.add(line.text.trim())
      const same = hashes.get(line.hash)
      if (same) same.push(spot)
      else hashes.set(line.hash, [spot])
    }
  return {
    get wordsOf() {
      words ??= { old: foldLines(file, 'old'), new: foldLines(file, 'new') }
      return words
    },
    at: (side, number) => numbers[side].get(number) ?? null,
    withHash: (hash) => hashes.get(hash) ?? [],
    removed: (words) => removed.has(words),
    hunksAround(number) {
      const around = file.hunks.flatMap((hunk, position) => (holds(hunk, number) ? [position] : []))
      return new Set(around.length === 0 && file.hunks.length === 1 ? [0] : around)
    },
  }
}

function holds(hunk: Hunk, number: number): boolean {
  return (
    (number >= hunk.oldStart && number < hunk.oldStart + hunk.oldLines) ||
    (number >= hunk.newStart && number < hunk.newStart + hunk.newLines)
  )
}
