/** Keeps segments few: the small ones become one, with those units that are still wanted. Full ones are left alone. */
import type { IndexStore } from '../contract.ts'
import type { NamedSegment } from './tree-index.ts'

const mostSmall = 8
/** A segment that is longer is left alone, so that a merge stays short however large the tree. Bytes. */
const fullBytes = 4 * 2 ** 20

export type Compacted = { untouched: readonly NamedSegment[]; bytes: Buffer; places: Uint32Array }

/** Null when there are few enough. The new segment goes behind those that are left alone; `places` count through these. */
export async function compactSegments(
  segments: readonly NamedSegment[],
  places: Uint32Array,
  store: Pick<IndexStore, 'segment'>,
): Promise<Compacted | null> {
  const merged = segments.filter(({ segment }) => segment.bytes.length < fullBytes)
  if (merged.length <= mostSmall) return null
  const untouched = segments.filter((one) => !merged.includes(one))
  const used = new Set(places)
  const newPlace = new Map<number, number>()
  const keep = new Map<NamedSegment, boolean[]>(merged.map((one) => [one, []]))
  let [first, next] = [0, untouched.reduce((sum, { segment }) => sum + segment.unitCount, 0)]
  let left = 0
  for (const one of segments) {
    const wanted = keep.get(one)
    for (let unit = 0; unit < one.segment.unitCount; unit++) {
      const place = first + unit
      if (!wanted) newPlace.set(place, left++)
      else if (wanted.push(used.has(place)) && used.has(place)) newPlace.set(place, next++)
    }
    first += one.segment.unitCount
  }
  const bytes = await store.segment({
    kind: 'merged names',
    segments: merged.map(({ segment }) => segment.bytes),
    keep: merged.map((one) => keep.get(one) ?? []),
  })
  return { untouched, bytes: Buffer.from(bytes), places: places.map((place) => newPlace.get(place) ?? place) }
}
