/** Gathers blobs, newly cut or taken from older segments, into one segment. */
import { ByteWriter } from '../../index-files/bytes.ts'
import { bytesOf, encodeFile, type Sections } from '../../index-files/section-file.ts'
import { encodeWords, wordTable } from '../../index-files/word-lists.ts'
import { stemsOf } from '../../lexical/terms.ts'
import { type CutBlob, keyBytes } from './cut-blob.ts'
import { type ChunkRow, type ChunkSegment, chunkNumbers, segmentKind } from './segment.ts'

export class ChunkSegmentBuilder {
  private readonly keys = new ByteWriter()
  private readonly hashes = new ByteWriter()
  private readonly blobs: { first: number; language: string | null }[] = []
  private readonly rows: ChunkRow[] = []
  private readonly words = new Map<string, number[]>()
  private readonly names = new Map<string, number[]>()

  get chunks(): number {
    return this.rows.length
  }

  get size(): number {
    return this.blobs.length
  }

  addBlob(key: string, { language, chunks }: CutBlob): void {
    this.begin(key, language)
    for (const { startLine, endLine, symbol, defines, tokens, hash } of chunks) {
      const chunk = this.rows.length
      const { name = null, scope = null, kind = null } = symbol ?? {}
      this.rows.push({ startLine, endLine, length: tokens.length, name, scope, kind })
      this.hashes.raw(hash)
      const counts = new Map<string, number>()
      for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1)
      for (const [token, count] of counts) append(this.words, token, chunk, count)
      if (name !== null) append(this.names, name, chunk * 2 + 1)
      for (const one of new Set(defines)) append(this.names, one, chunk * 2)
    }
  }

  /** Takes over those blobs of a segment whose places are given, ascending. */
  addFrom(segment: ChunkSegment, places: readonly number[]): void {
    const moved = new Int32Array(segment.chunks).fill(-1)
    for (const place of places) {
      this.begin(segment.keyAt(place), segment.languageAt(place))
      const { from, to } = segment.chunksOf(place)
      for (let chunk = from; chunk < to; chunk++) {
        moved[chunk] = this.rows.length
        this.rows.push(segment.rowAt(chunk))
        this.hashes.raw(segment.hashAt(chunk))
      }
    }
    segment.eachWord((word, postings) => {
      let chunk = 0
      for (let at = 0; at < postings.length; at += 2) {
        chunk += postings[at] ?? 0
        const now = moved[chunk] ?? -1
        if (now >= 0) append(this.words, word, now, postings[at + 1] ?? 0)
      }
    })
    segment.eachName((name, marks) => {
      for (const mark of marks) {
        const now = moved[mark >> 1] ?? -1
        if (now >= 0) append(this.names, name, now * 2 + (mark & 1))
      }
    })
  }

  finish(): Uint8Array {
    const notes = new Notes()
    const blobs = new Uint32Array((this.blobs.length + 1) * 2)
    for (const [at, { first, language }] of this.blobs.entries())
      blobs.set([first, notes.numberOf(language)], at * 2)
    blobs[this.blobs.length * 2] = this.rows.length
    const chunks = new Uint32Array(this.rows.length * chunkNumbers)
    for (const [at, { startLine, endLine, length, name, scope, kind }] of this.rows.entries())
      chunks.set(
        [startLine, endLine, length, notes.numberOf(name), notes.numberOf(scope), notes.numberOf(kind)],
        at * chunkNumbers,
      )
    for (const postings of this.words.values()) toSteps(postings)
    const names = wordTable(this.names)
    return encodeFile(segmentKind, null, {
      keys: this.keys.take(),
      blobs: bytesOf(blobs),
      chunks: bytesOf(chunks),
      hashes: this.hashes.take(),
      ...encodeWords(wordTable(this.words), 'words.'),
      ...encodeWords(names, 'names.'),
      ...encodeWords(wordTable(nameWords(names.words)), 'nameWords.'),
      ...notes.encode(),
    })
  }

  private begin(key: string, language: string | null): void {
    this.keys.raw(Buffer.from(key, 'latin1').subarray(0, keyBytes))
    this.blobs.push({ first: this.rows.length, language })
  }
}

/** Which names a word of a query may be about. The title of a test is prose: its words count as text. */
function nameWords(names: readonly string[]): Map<string, number[]> {
  const words = new Map<string, number[]>()
  for (const [place, name] of names.entries()) {
    if (/\s/.test(name)) continue
    const own = new Set([name.toLowerCase(), ...stemsOf(name).filter(({ length }) => length > 1)])
    for (const word of own) append(words, word, place)
  }
  return words
}

/** Strings by number, in the order of their first use; 0 is none. */
class Notes {
  private readonly numbers = new Map<string, number>()

  numberOf(string: string | null): number {
    if (string === null) return 0
    const known = this.numbers.get(string)
    if (known !== undefined) return known
    this.numbers.set(string, this.numbers.size + 1)
    return this.numbers.size
  }

  /** Where each ends, and the strings, in the order of their numbers. */
  encode(): Sections {
    const text = new ByteWriter()
    const ends = Uint32Array.from(this.numbers.keys(), (string) => {
      text.raw(Buffer.from(string))
      return text.length
    })
    return { noteEnds: bytesOf(ends), notes: text.take() }
  }
}

function toSteps(postings: number[]): void {
  let before = 0
  for (let at = 0; at < postings.length; at += 2) {
    const chunk = postings[at] ?? 0
    postings[at] = chunk - before
    before = chunk
  }
}

function append(lists: Map<string, number[]>, key: string, value: number, count?: number): void {
  let list = lists.get(key)
  if (!list) {
    list = []
    lists.set(key, list)
  }
  list.push(value)
  if (count !== undefined) list.push(count)
}
