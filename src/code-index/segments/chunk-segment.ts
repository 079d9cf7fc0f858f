/** An immutable part of the search index: some blobs, their chunks, and lists from words and names to chunks. */
import {
  bufferOf,
  decodeFile,
  type FileKind,
  numbersOf,
  openFile,
  type SectionFile,
  type Sections,
} from '../index-files/section-file.ts'
import { WordLists } from '../index-files/word-lists.ts'
import { hashBytes } from './blob-words.ts'

/**
 * The sections: `keys`, 16 bytes a blob; `blobs`, two numbers a blob and two behind the last (its first chunk, its
 * language); `chunks`, six numbers a chunk (first line, last line, count of words, and name, scope and kind of its
 * symbol); `hashes`, 16 bytes a chunk; `noteEnds` and `notes`, the names, scopes, kinds and languages that the numbers
 * above stand for, 0 for none. And three tables: `words.`, word → chunk (as a step from the one before) and how often, in
 * turn; `names.`, name of a definition → 2 × chunk, plus 1 when the chunk is that definition rather than holds it;
 * `nameWords.`, lower-case name, and the stem of each word of it → places in `names.`.
 */
export const segmentKind: FileKind = { magic: 'SLsg', version: 2, packed: true }

/** Numbers of one chunk. */
export const chunkNumbers = 6

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

export type SegmentContents = { keys: readonly string[]; chunks: number }

export class ChunkSegment {
  readonly blobs: number
  readonly chunks: number
  readonly words: WordLists
  readonly names: WordLists
  readonly nameWords: WordLists
  private readonly keys: Buffer
  private readonly blobRows: Uint32Array
  private readonly chunkRows: Uint32Array
  private readonly hashes: Uint8Array
  private readonly noteEnds: Uint32Array
  private readonly notes: Buffer

  private constructor(sections: Sections) {
    const bytes = (name: string): Buffer => bufferOf(sections[name] ?? new Uint8Array())
    this.keys = bytes('keys')
    this.blobRows = numbersOf(sections.blobs)
    this.chunkRows = numbersOf(sections.chunks)
    this.hashes = bytes('hashes')
    this.words = new WordLists(sections, 'words.')
    this.names = new WordLists(sections, 'names.')
    this.nameWords = new WordLists(sections, 'nameWords.')
    this.noteEnds = numbersOf(sections.noteEnds)
    this.notes = bytes('notes')
    this.blobs = this.keys.length / hashBytes
    this.chunks = this.chunkRows.length / chunkNumbers
  }

  /** Null for a file that is absent, damaged or of another version. */
  static open(path: string): ChunkSegment | null {
    return openFile(segmentKind, path, ChunkSegment.from)
  }

  static of(bytes: Uint8Array): ChunkSegment | null {
    const file = decodeFile(segmentKind, bytes)
    return file && ChunkSegment.from(file)
  }

  /** The keys of the blobs in order, and how many chunks there are; null as with `open`. What else it has is not read. */
  static contentsOf(path: string): SegmentContents | null {
    return openFile(segmentKind, path, readContents)
  }

  static contentsIn(bytes: Uint8Array): SegmentContents | null {
    const file = decodeFile(segmentKind, bytes)
    return file && readContents(file)
  }

  private static from(this: void, file: SectionFile<unknown>): ChunkSegment | null {
    const sections = file.readAll()
    return sections && new ChunkSegment(sections)
  }

  keyAt(place: number): string {
    return this.keys.toString('latin1', place * hashBytes, (place + 1) * hashBytes)
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
      chunk * chunkNumbers,
      (chunk + 1) * chunkNumbers,
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
    return this.chunkRows[chunk * chunkNumbers + 2] ?? 0
  }

  hashAt(chunk: number): Uint8Array {
    return this.hashes.subarray(chunk * hashBytes, (chunk + 1) * hashBytes)
  }

  eachWord(take: (word: string, postings: Uint32Array) => void): void {
    for (let at = 0; at < this.words.size; at++) take(this.words.text(at), this.words.numbers(at))
  }

  eachName(take: (name: string, marks: Uint32Array) => void): void {
    for (let at = 0; at < this.names.size; at++) take(this.names.text(at), this.names.numbers(at))
  }

  private noteAt(number: number | undefined): string | null {
    if (!number) return null
    return this.notes.toString(
      'utf8',
      number === 1 ? 0 : this.noteEnds[number - 2],
      this.noteEnds[number - 1],
    )
  }
}

function readContents(file: SectionFile<unknown>): SegmentContents | null {
  const [keys, chunks] = [file.read('keys'), file.read('chunks')]
  return keys && chunks && { keys: splitKeys(bufferOf(keys)), chunks: chunks.length / (4 * chunkNumbers) }
}

function splitKeys(keys: Buffer): string[] {
  return Array.from({ length: keys.length / hashBytes }, (_, at) =>
    keys.toString('latin1', at * hashBytes, (at + 1) * hashBytes),
  )
}
