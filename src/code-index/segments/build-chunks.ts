/** Builds segments of the search index: from what blobs say of themselves, or from parts of older segments. */
import { hash } from 'node:crypto'
import type { ChunkWords } from '../contract.ts'
import { ByteWriter } from '../index-files/bytes.ts'
import { bytesOf, encodeFile, type Sections } from '../index-files/section-file.ts'
import { encodeWords } from '../index-files/word-lists.ts'
import { stemsOf } from '../lexical/terms.ts'
import { BlobWords, hashBytes } from './blob-words.ts'
import { type ChunkRow, type ChunkSegment, chunkNumbers, segmentKind } from './chunk-segment.ts'
import { ListCollector } from './list-collector.ts'

/** `key` is `blobKey`; `words` what `encodeWordsOf` made of the blob. */
export type BlobSource = { key: string; words: Buffer }

export function buildChunks(sources: Iterable<BlobSource>): Uint8Array {
  const builder = new ChunkSegmentBuilder()
  for (const { key, words } of sources) builder.addBlob(segmentKey(key), new BlobWords(words))
  return builder.finish()
}

/** Takes over those blobs of each segment whose places are given, ascending. */
export function mergeChunks(
  parts: readonly { segment: ChunkSegment; places: readonly number[] }[],
): Uint8Array {
  const builder = new ChunkSegmentBuilder()
  for (const { segment, places } of parts) builder.addFrom(segment, places)
  return builder.finish()
}

/** A key as segments have it: 16 characters of one byte. */
export function segmentKey(key: string): string {
  return hash('sha256', key, 'buffer').toString('latin1', 0, hashBytes)
}

class ChunkSegmentBuilder {
  private readonly keys = new ByteWriter()
  private readonly hashes = new ByteWriter()
  private readonly blobs: { first: number; language: string | null }[] = []
  private readonly rows: ChunkRow[] = []
  private readonly words = new ListCollector()
  private readonly names = new ListCollector()

  addBlob(key: string, blob: BlobWords): void {
    this.begin(key, blob.language)
    const terms = blob.termList().map((term) => this.words.numberOf(term))
    blob.eachChunk(
      (term, times) => this.count(terms[term] ?? 0, this.rows.length, times),
      (chunk) => this.addChunk(chunk),
    )
  }

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
        if (now >= 0) this.count(this.words.numberOf(word), now, postings[at + 1] ?? 0)
      }
    })
    segment.eachName((name, marks) => {
      for (const mark of marks) {
        const now = moved[mark >> 1] ?? -1
        if (now >= 0) this.names.add(this.names.numberOf(name), now * 2 + (mark & 1))
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
    const words = this.words.finish()
    const names = this.names.finish()
    return encodeFile(segmentKind, null, {
      keys: this.keys.take(),
      blobs: bytesOf(blobs),
      chunks: bytesOf(chunks),
      hashes: this.hashes.take(),
      ...encodeWords({ ...words, numbers: (at) => toSteps(words.numbers(at)) }, 'words.'),
      ...encodeWords(names, 'names.'),
      ...encodeWords(nameWords(names.words).finish(), 'nameWords.'),
      ...notes.encode(),
    })
  }

  private begin(key: string, language: string | null): void {
    this.keys.raw(Buffer.from(key, 'latin1'))
    this.blobs.push({ first: this.rows.length, language })
  }

  private count(word: number, chunk: number, times: number): void {
    this.words.add(word, chunk)
    this.words.add(word, times)
  }

  private addChunk({ startLine, endLine, length, symbol, defines, hash }: Omit<ChunkWords, 'terms'>): void {
    const { name = null, scope = null, kind = null } = symbol ?? {}
    const chunk = this.rows.push({ startLine, endLine, length, name, scope, kind }) - 1
    this.hashes.raw(hash)
    if (name !== null) this.names.add(this.names.numberOf(name), chunk * 2 + 1)
    for (const one of new Set(defines)) this.names.add(this.names.numberOf(one), chunk * 2)
  }
}

/** Which names a word of a query may be about. The title of a test is prose: its words count as text. */
function nameWords(names: readonly string[]): ListCollector {
  const words = new ListCollector()
  for (const [place, name] of names.entries()) {
    if (/\s/.test(name)) continue
    const own = new Set([name.toLowerCase(), ...stemsOf(name).filter(({ length }) => length > 1)])
    for (const word of own) words.add(words.numberOf(word), place)
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

/** Chunk and count in turn, each chunk as the step from the one before it. In place. */
function toSteps(postings: Uint32Array): Uint32Array {
  let before = 0
  for (let at = 0; at < postings.length; at += 2) {
    const chunk = postings[at] ?? 0
    postings[at] = chunk - before
    before = chunk
  }
  return postings
}
