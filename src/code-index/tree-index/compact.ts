/** Keeps segments few: the small ones become one, and all of them when the largest is no longer much larger. */
import type { Unit } from './contract.ts'
import { encodeSegment, type FiledWords, type Segment } from './segment.ts'
import type { NamedSegment } from './tree-index.ts'

const mostSegments = 8
/** The largest is left alone while it has more units than this many times all others together. */
const muchLarger = 2

export type Compacted = { segments: readonly NamedSegment[]; places: Uint32Array }

/** Null when there are few enough. `add` stores the bytes of the new segment. */
export function compactSegments(
  segments: readonly NamedSegment[],
  places: Uint32Array,
  add: (bytes: Buffer) => NamedSegment,
): Compacted | null {
  if (segments.length <= mostSegments) return null
  const largest = segments.reduce((best, one) => (sizeOf(one) > sizeOf(best) ? one : best))
  const others = segments.reduce((sum, one) => sum + sizeOf(one), 0) - sizeOf(largest)
  const untouched = sizeOf(largest) > muchLarger * others ? largest : null
  const merged = segments.filter((one) => one !== untouched)
  const used = new Set(places)
  const firsts = new Map<NamedSegment, number>()
  let units = 0
  for (const one of segments) {
    firsts.set(one, units)
    units += sizeOf(one)
  }
  const keep = merged.map((one) =>
    Array.from({ length: sizeOf(one) }, (_, unit) => used.has((firsts.get(one) ?? 0) + unit)),
  )
  const { bytes, moved } = mergeSegments(
    merged.map(({ segment }) => segment),
    keep,
  )
  const newPlace = new Map<number, number>()
  const before = untouched ? sizeOf(untouched) : 0
  for (let unit = 0; unit < before && untouched; unit++)
    newPlace.set((firsts.get(untouched) ?? 0) + unit, unit)
  for (const [which, one] of merged.entries())
    for (const [unit, number] of (moved[which] ?? new Int32Array()).entries())
      if (number >= 0) newPlace.set((firsts.get(one) ?? 0) + unit, before + number)
  return {
    segments: [...(untouched ? [untouched] : []), add(bytes)],
    places: places.map((place) => newPlace.get(place) ?? place),
  }
}

function sizeOf({ segment }: NamedSegment): number {
  return segment.unitCount
}

// Merging many segments into one, with only those units that are still wanted.

/** `keep[i][u]`: the unit u of segment i goes in. Units keep their order; `moved[i][u]` is the new number, or -1. */
export function mergeSegments(
  segments: readonly Segment[],
  keep: readonly (readonly boolean[])[],
): { bytes: Buffer; moved: Int32Array[] } {
  const units: Unit[] = []
  const moved = segments.map((segment, which) => {
    const numbers = new Int32Array(segment.unitCount).fill(-1)
    for (let unit = 0; unit < segment.unitCount; unit++)
      if (keep[which]?.[unit]) numbers[unit] = units.push(segment.unit(unit)) - 1
    return numbers
  })
  return { bytes: encodeSegment(units, mergeWords(segments, moved)), moved }
}

function mergeWords(segments: readonly Segment[], moved: readonly Int32Array[]): FiledWords {
  const next = segments.map(() => 0)
  const hashes: number[] = []
  const words: Uint8Array[] = []
  const lists: Uint32Array[] = []
  for (;;) {
    const lowest = lowestWord(segments, next)
    if (lowest === null) break
    const postings: number[] = []
    for (const [which, segment] of segments.entries()) {
      const at = next[which] ?? 0
      if (segment.hashes[at] !== lowest.hash || Buffer.compare(segment.word(at), lowest.word) !== 0) continue
      next[which] = at + 1
      for (const posting of segment.postings(at)) {
        const unit = moved[which]?.[posting >>> 2] ?? -1
        if (unit >= 0) postings.push(unit * 4 + (posting & 3))
      }
    }
    if (postings.length === 0) continue
    hashes.push(lowest.hash)
    words.push(lowest.word)
    lists.push(Uint32Array.from(postings))
  }
  const none = new Uint32Array()
  return {
    hashes: Uint32Array.from(hashes),
    word: (at) => words[at] ?? new Uint8Array(),
    postings: (at) => lists[at] ?? none,
  }
}

/** By hash, then by bytes, as every segment has them. */
function lowestWord(
  segments: readonly Segment[],
  next: readonly number[],
): { hash: number; word: Uint8Array } | null {
  let lowest: { hash: number; word: Uint8Array } | null = null
  for (const [which, segment] of segments.entries()) {
    const hash = segment.hashes[next[which] ?? 0]
    if (hash === undefined || (lowest && hash > lowest.hash)) continue
    const word = segment.word(next[which] ?? 0)
    if (!lowest || hash < lowest.hash || Buffer.compare(word, lowest.word) < 0) lowest = { hash, word }
  }
  return lowest
}
