/** Builds segments of the index of names: from what blobs say of themselves, or from older segments. */
import { BlobWords } from './blob-words.ts'
import { ListCollector } from './list-collector.ts'
import {
  encodeSegment,
  type FiledWords,
  type NameSegment,
  type Unit,
  type UnitState,
} from './name-segment.ts'

/** `words`: what `encodeWordsOf` made of the blob; null for one that is not text. */
export type UnitWords = Pick<Unit, 'blob' | 'language' | 'bytes'> & { state: UnitState; words: Buffer | null }

/** The bytes of a segment with these units, in this order. */
export function buildNames(sources: Iterable<UnitWords>): Buffer {
  const lists = new ListCollector()
  const units: Unit[] = []
  for (const { words: encoded, ...source } of sources) {
    const words = encoded && new BlobWords(encoded)
    const number = units.length
    words?.eachName((word, flag) => lists.add(lists.numberOf(word), number * 4 + flag))
    units.push({ ...source, symbols: words?.symbolCount ?? 0, references: words?.referenceCount ?? 0 })
  }
  const { hashes, word, numbers } = lists.finish()
  return encodeSegment(units, { hashes, word, postings: numbers })
}

/** `keep[i][u]`: the unit u of segment i goes in. Units keep their order. */
export function mergeNames(segments: readonly NameSegment[], keep: readonly (readonly boolean[])[]): Buffer {
  const units: Unit[] = []
  const moved = segments.map((segment, which) => {
    const numbers = new Int32Array(segment.unitCount).fill(-1)
    for (let unit = 0; unit < segment.unitCount; unit++)
      if (keep[which]?.[unit]) numbers[unit] = units.push(segment.unit(unit)) - 1
    return numbers
  })
  return encodeSegment(units, mergeWords(segments, moved))
}

function mergeWords(segments: readonly NameSegment[], moved: readonly Int32Array[]): FiledWords {
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
  segments: readonly NameSegment[],
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
