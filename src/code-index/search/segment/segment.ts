/** An immutable part of the index: some blobs, their chunks, and lists from words and names to chunks. */
import { wordsOfBytes } from './byte-writer.ts'
import { keyBytes } from './cut-blob.ts'
import { decodeSections, readSectionFile, type SectionKind, type SectionReader } from './section-file.ts'
import { StringLists } from './string-lists.ts'

export class ChunkSegment {
  readonly blobs: number
  readonly chunks: number
  readonly words: StringLists
  readonly names: StringLists
  readonly nameWords: StringLists
  private readonly keys: Buffer
  private readonly blobRows: Uint32Array
  private readonly chunkRows: Uint32Array
  private readonly hashes: Uint8Array
  private readonly noteOffsets: Uint32Array
  private readonly noteText: Buffer

  private constructor(read: (number: number) => Uint8Array) {
    const list = (first: number) => new StringLists([read(first), read(first + 1), read(first + 2)])
    this.keys = Buffer.from(read(sections.blobKeys))
    this.blobRows = wordsOfBytes(read(sections.blobs))
    this.chunkRows = wordsOfBytes(read(sections.chunks))
    this.hashes = read(sections.hashes)
    this.words = list(sections.words)
    this.names = list(sections.names)
    this.nameWords = list(sections.nameWords)
    this.noteOffsets = wordsOfBytes(read(sections.notes))
    this.noteText = Buffer.from(read(sections.notes + 1))
    this.blobs = this.keys.length / keyBytes
    this.chunks = this.chunkRows.length / chunkWords
  }

  /** Null for a file that is absent, damaged or of another version. */
  static open(path: string): ChunkSegment | null {
    return readSectionFile(segmentKind, path, fromSections)
  }

  static of(bytes: Uint8Array): ChunkSegment | null {
    const read = decodeSections(segmentKind, bytes)
    return read && fromSections(read)
  }

  static from(read: (number: number) => Uint8Array): ChunkSegment {
    return new ChunkSegment(read)
  }

  /** The keys of the blobs alone, in order; null as with `open`. */
  static keysOf(path: string): string[] | null {
    return readSectionFile(segmentKind, path, (read) => {
      const keys = read(sections.blobKeys)
      return keys && splitKeys(Buffer.from(keys))
    })
  }

  keyAt(place: number): string {
    return this.keys.toString('latin1', place * keyBytes, (place + 1) * keyBytes)
  }

  languageAt(place: number): string | null {
    return this.noteAt(this.blobRows[place * 2 + 1])
  }

  /** Its chunks, the last one not included. */
  chunksOf(place: number): { from: number; to: number } {
    return { from: this.blobRows[place * 2] ?? 0, to: this.blobRows[place * 2 + 2] ?? 0 }
  }

  rowAt(chunk: number): ChunkRow {
    const [startLine = 0, endLine = 0, length = 0, name, scope, kind] = this.chunkRows.subarray(
      chunk * chunkWords,
      (chunk + 1) * chunkWords,
    )
    return {
      startLine,
      endLine,
      length,
      name: this.noteAt(name),
      scope: this.noteAt(scope),
      kind: this.noteAt(kind),
    }
  }

  lengthAt(chunk: number): number {
    return this.chunkRows[chunk * chunkWords + 2] ?? 0
  }

  hashAt(chunk: number): Uint8Array {
    return this.hashes.subarray(chunk * keyBytes, (chunk + 1) * keyBytes)
  }

  /** In the order of words. */
  eachWord(take: (word: string, postings: readonly number[]) => void): void {
    for (let at = 0; at < this.words.size; at++) take(this.words.stringAt(at), this.words.listAt(at))
  }

  eachName(take: (name: string, marks: readonly number[]) => void): void {
    for (let at = 0; at < this.names.size; at++) take(this.names.stringAt(at), this.names.listAt(at))
  }

  private noteAt(number: number | undefined): string | null {
    if (!number) return null
    return this.noteText.toString('utf8', this.noteOffsets[number - 1], this.noteOffsets[number])
  }
}

function fromSections(read: SectionReader): ChunkSegment | null {
  const taken = new Map<number, Uint8Array>()
  for (let number = 0; number <= sections.notes + 1; number++) {
    const section = read(number)
    if (!section) return null
    taken.set(number, section)
  }
  return ChunkSegment.from((number) => taken.get(number) ?? new Uint8Array())
}

function splitKeys(keys: Buffer): string[] {
  return Array.from({ length: keys.length / keyBytes }, (_, at) =>
    keys.toString('latin1', at * keyBytes, (at + 1) * keyBytes),
  )
}

// What stands in which section of a segment.

export const segmentKind: SectionKind = { magic: 'SLsg', version: 1 }

/** Numbers of sections; the three of a list of strings follow each other. */
const sections = {
  /** 16 bytes a blob. */
  blobKeys: 0,
  /** Two words a blob and two behind the last: its first chunk, its language. */
  blobs: 1,
  /** Six words a chunk: first line, last line, count of words, and name, scope and kind of its symbol. */
  chunks: 2,
  /** 16 bytes a chunk. */
  hashes: 3,
  /** Word → chunk (as a step from the one before) and how often, in turn. */
  words: 4,
  /** Name of a definition → 2 × chunk, plus 1 when the chunk is that definition rather than holds it. */
  names: 7,
  /** Lower-case name, and the stem of each word of it → places in `names`. */
  nameWords: 10,
  /** Names, scopes, kinds and languages as the words above point to them; lists are empty. 0 stands for none. */
  notes: 13,
} as const

export const chunkWords = 6

/** What is known of one chunk besides its words and names; strings are null when there is no symbol. */
export type ChunkRow = {
  startLine: number
  endLine: number
  /** How many words it has. */
  length: number
  name: string | null
  scope: string | null
  kind: string | null
}
