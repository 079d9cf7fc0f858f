/** The lines that a change adds or removes, the tags by which findings cite them, and which offences on them are new. */
import { remembered } from '../../base/remembered.ts'
import { upperBound } from '../../base/upper-bound.ts'
import type { ChangeSet, DiffLine, FileChange, Side } from '../../domain/change-set.ts'
import { tagOf } from '../../domain/line-tag.ts'

/** Changed lines of one side within the range, in order; `old` are the removed ones, `new` the added. */
export function changedLines(file: FileChange, side: Side, from: number, to: number): readonly DiffLine[] {
  const { lines, numbers } = changedOn(file, side)
  return lines.slice(upperBound(numbers, from - 1), upperBound(numbers, to))
}

type Changed = { lines: readonly DiffLine[]; numbers: Int32Array }

/** All of one side, in order; a file is asked about as often as it has findings. */
function changedOn(file: FileChange, side: Side): Changed {
  let known = changed.get(file.hunks)
  if (!known) {
    known = { old: readChanged(file, 'old'), new: readChanged(file, 'new') }
    changed.set(file.hunks, known)
  }
  return known[side]
}

function readChanged({ hunks }: FileChange, side: Side): Changed {
  const kind = side === 'new' ? 'added' : 'removed'
  const lines = hunks.flatMap((hunk) =>
    hunk.lines.filter((line) => line.kind === kind && line[side] !== null),
  )
  return { lines, numbers: Int32Array.from(lines, (line) => line[side] ?? 0) }
}

const changed = new WeakMap<FileChange['hunks'], Record<Side, Changed>>()

/** Whether the change adds a line of the head from `from` to `to`, or removes one between them. */
export function writesWithin(file: FileChange, from: number, to: number): boolean {
  const places = writtenPlaces(file, 'new')
  return upperBound(places, 2 * to) > upperBound(places, 2 * from - 1)
}

/** Where a change writes, as its one side is numbered: its own line `n` is at `2 * n`, one of the other side between two lines. */
export function writtenPlaces({ hunks }: FileChange, side: Side): readonly number[] {
  return remembered(written[side], hunks, () => readWritten(hunks, side))
}

function readWritten(hunks: FileChange['hunks'], side: Side): readonly number[] {
  const places: number[] = []
  for (const { lines } of hunks) {
    let isBelowOthers = false
    for (const { kind, [side]: number } of lines) {
      if (number !== null && isBelowOthers) places.push(2 * number - 1)
      if (number !== null && kind !== 'context') places.push(2 * number)
      isBelowOthers = number === null
    }
  }
  return places
}

const written: Record<Side, WeakMap<FileChange['hunks'], readonly number[]>> = {
  old: new WeakMap(),
  new: new WeakMap(),
}

/** The tag of the changed line nearest to `near` within the range, or null when none of it changed. */
export function nearestTag(
  file: FileChange,
  side: Side,
  range: { from: number; to: number; near: number },
): string | null {
  const above = changedLines(file, side, range.from, Math.min(range.near, range.to)).at(-1)
  const below = changedLines(file, side, Math.max(range.near, range.from), range.to)[0]
  const distance = (line: DiffLine) => Math.abs((line[side] ?? 0) - range.near)
  const nearest = above && below && distance(below) < distance(above) ? below : (above ?? below)
  return nearest ? tagOf(nearest) : null
}

export type AddedLine = DiffLine & { new: number }

export type AddedText = {
  file: FileChange
  /** In order; every one has a number at the head. */
  lines: AddedLine[]
}

/** Files with added text, without minified, third-party and excluded ones. */
export function addedText(change: ChangeSet): AddedText[] {
  return allAddedText(change).filter(
    ({ file: { role } }) => role !== 'minified' && role !== 'vendored' && role !== 'excluded',
  )
}

/** Files with added text of any role: what must not be there must be nowhere. */
export function allAddedText(change: ChangeSet): AddedText[] {
  return change.files.flatMap((file) => {
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
