/** Keeps segments few: the small ones become one, and all of them when the largest is no longer much larger. */
import { mergeSegments } from './merge-segments.ts'
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
