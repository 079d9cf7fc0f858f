/** Every line of a file's diff, by number, by hash and by tag: the one lookup for validation and for publishing. */
import { remembered } from '../base/remembered.ts'
import { type DiffLine, type FileChange, type Hunk, pathOn, type Side } from './change-set.ts'
import type { EvidenceDraft } from './evidence.ts'
import { parseTag } from './line-tag.ts'

/** A line of the diff: `hunk` and `index` are positions in `file.hunks` and in the lines of that hunk. */
export type Spot = { hunk: number; index: number; line: DiffLine }

export type LineIndex = {
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
  return remembered(indexes, file, buildIndex)
}

/** The line that a whole tag (`L42#k7f`) names: number and hash must both be its own. Null when there is none. */
export function lineWithTag(file: FileChange, tag: string): (Spot & { side: Side }) | null {
  const parsed = parseTag(tag.trim())
  const spot = parsed && lineIndexOf(file).at(parsed.side, parsed.line)
  return spot && spot.line.hash === parsed.hash ? { ...spot, side: parsed.side } : null
}

/** That line and those below it on the same side and in the same hunk, at most `count` in all; empty without it. */
export function linesFromTag(file: FileChange, tag: string, count: number): readonly DiffLine[] {
  const first = lineWithTag(file, tag)
  if (!first) return []
  const below = file.hunks[first.hunk]?.lines.slice(first.index) ?? []
  return below.filter((line) => line[first.side] !== null).slice(0, count)
}

/**
 * The number that a line of one side has on the other: null for a changed line, and where not all hunks of the file are
 * known. Lines outside the hunks are counted from the hunk above them.
 */
export function lineAcross(file: FileChange, from: Side, line: number): number | null {
  if (file.omitted !== null) return null
  const to = from === 'old' ? 'new' : 'old'
  const shown = lineIndexOf(file).at(from, line)
  if (shown) return shown.line[to]
  let movedBy = 0
  for (const hunk of file.hunks) {
    const below = lineBelow(hunk, from)
    if (below > line) break
    movedBy = lineBelow(hunk, to) - below
  }
  return line + movedBy
}

/** The number of the line below the hunk; a side without lines is named by the line above it. */
function lineBelow({ oldStart, oldLines, newStart, newLines }: Hunk, side: Side): number {
  const [start, lines] = side === 'old' ? [oldStart, oldLines] : [newStart, newLines]
  return lines === 0 ? start + 1 : start + lines
}

/** Lines of one side of the diff as evidence; at least one line. */
export function evidenceOfLines(
  file: FileChange,
  side: Side,
  lines: readonly DiffLine[],
  title: string,
): EvidenceDraft {
  const numbers = lines.map((line) => line[side] ?? 0)
  return {
    source: 'diff',
    trust: 'foreign',
    title,
    path: pathOn(side, file),
    blob: side === 'new' ? file.newBlob : file.oldBlob,
    side,
    startLine: Math.min(...numbers),
    endLine: Math.max(...numbers),
    text: lines.map(({ text }) => text.replace(/\r$/, '')).join('\n'),
  }
}

function buildIndex(file: FileChange): LineIndex {
  const numbers = { old: new Map<number, Spot>(), new: new Map<number, Spot>() }
  const hashes = new Map<string, Spot[]>()
  const removed = new Set<string>()
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
