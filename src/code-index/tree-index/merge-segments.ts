/** Many segments into one, with only those units that are still wanted. */
import type { Unit } from './contract.ts'
import { encodeSegment, type Segment, type WordList } from './segment.ts'

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

function mergeWords(segments: readonly Segment[], moved: readonly Int32Array[]): WordList {
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
