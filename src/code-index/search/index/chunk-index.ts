/** All segments of one tree as one index: its chunks are documents, numbered in order of path and line. */
import { remembered } from '../../../base/remembered.ts'
import type { WordLists } from '../../index-files/word-lists.ts'
import { type PostingList, type Postings, rarityOf } from '../../lexical/bm25.ts'
import type { ChunkRow, ChunkSegment } from '../../segments/chunk-segment.ts'
import type { ChunkNote } from '../contract.ts'
import type { PathWords, TreeFiles } from './tree-file.ts'

/** Words whose lists are kept at hand for the next query; of the others, only how many documents have them. */
const listsAtHand = 500

export class ChunkIndex implements Postings {
  readonly size: number
  readonly totalLength: number
  readonly limits: readonly string[]
  readonly paths: PathWords
  readonly parts: readonly Part[]
  private readonly files: TreeFiles['files']
  /** Per file its first document, and one more behind the last. */
  private readonly starts: Int32Array
  private readonly lengths: Int32Array
  private readonly lists = new Map<string, PostingList>()
  private readonly frequencies = new Map<string, number>()
  private readonly gathered: Gathered

  /** `segments` are those that `tree` names, in the same order. */
  constructor({ files, limits }: TreeFiles, paths: PathWords, segments: readonly ChunkSegment[]) {
    this.files = files
    this.limits = limits
    this.paths = paths
    this.starts = new Int32Array(files.length + 1)
    this.parts = segments.map((segment) => ({
      segment,
      documents: new Int32Array(segment.chunks).fill(dead),
      copies: new Map(),
    }))
    for (const [file, { segment, blob }] of files.entries()) {
      const range = segments[segment]?.chunksOf(blob)
      this.starts[file + 1] = (this.starts[file] ?? 0) + (range ? range.to - range.from : 0)
    }
    this.size = this.starts[files.length] ?? 0
    this.lengths = new Int32Array(this.size)
    this.totalLength = this.place()
    this.gathered = new Gathered(this.parts, paths.tokens, this.starts)
  }

  pathOf(file: number): string {
    return this.files[file]?.path ?? ''
  }

  get fileCount(): number {
    return this.files.length
  }

  lengthOf(document: number): number {
    return this.lengths[document] ?? 0
  }

  rarity(word: string): number {
    let frequency = this.lists.get(word)?.documents.length ?? this.frequencies.get(word)
    if (frequency === undefined) {
      frequency = this.gathered.gather(word)
      this.frequencies.set(word, frequency)
    }
    return rarityOf(frequency, this.size)
  }

  postingsOf(word: string): PostingList {
    const known = this.lists.get(word)
    if (known) return known
    const found = this.gathered.gather(word)
    if (this.lists.size >= listsAtHand) this.lists.clear()
    const list = this.gathered.copy(found)
    this.lists.set(word, list)
    return list
  }

  /** The first document of a file and the one behind its last. */
  documentsOfFile(file: number): { from: number; to: number } {
    return { from: this.starts[file] ?? 0, to: this.starts[file + 1] ?? 0 }
  }

  note(document: number): ChunkNote {
    const { path, segment, row } = this.locate(document)
    const { startLine, endLine, name, scope, kind } = row
    return {
      path: path.path,
      language: segment.languageAt(path.blob),
      startLine,
      endLine,
      symbol: name === null ? null : ({ name, scope: scope ?? '', kind } as ChunkNote['symbol']),
    }
  }

  /** Hash of the chunk's text, language and scope. */
  hashOf(document: number): Uint8Array {
    const { segment, chunk } = this.locate(document)
    return segment.hashAt(chunk)
  }

  private locate(document: number): {
    path: TreeFiles['files'][number]
    segment: ChunkSegment
    chunk: number
    row: ChunkRow
  } {
    const file = this.fileOf(document)
    const path = this.files[file]
    const segment = path && this.parts[path.segment]?.segment
    if (!path || !segment) throw new Error(`no document ${document} in this tree`)
    const chunk = segment.chunksOf(path.blob).from + document - (this.starts[file] ?? 0)
    return { path, segment, chunk, row: segment.rowAt(chunk) }
  }

  /** The last file that begins at or before the document; empty files begin where the next one does. */
  private fileOf(document: number): number {
    let low = 0
    let high = this.files.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.starts[middle] ?? 0) <= document) low = middle
      else high = middle - 1
    }
    return low
  }

  /** Gives each chunk its documents and each document its length; returns the sum of all lengths. */
  private place(): number {
    let total = 0
    for (const [file, { segment: number, blob }] of this.files.entries()) {
      const part = this.parts[number]
      if (!part) continue
      const { from, to } = part.segment.chunksOf(blob)
      const first = this.starts[file] ?? 0
      for (let chunk = from; chunk < to; chunk++) {
        const document = first + chunk - from
        if (part.documents[chunk] === dead) part.documents[chunk] = document
        else remembered(part.copies, chunk, (): number[] => []).push(document)
        const length = part.segment.lengthAt(chunk) + (this.paths.lengths[file] ?? 0)
        this.lengths[document] = length
        total += length
      }
    }
    return total
  }
}

// One segment as a part of a tree: which of its chunks are which documents.

/** Stands for a chunk that no file of the tree has. */
export const dead = -1

/** The documents of one segment in this tree. */
export type Part = {
  segment: ChunkSegment
  /** Per chunk its document in the first file that has it, or `dead`. */
  documents: Int32Array
  /** Steps from the first to the further files with the same blob, by chunk. */
  copies: Map<number, number[]>
}

/** Every document that is this chunk; none when no file of the tree has it. */
export function documentsOf({ documents, copies }: Part, chunk: number): readonly number[] {
  const first = documents[chunk] ?? dead
  if (first === dead) return []
  const more = copies.get(chunk)
  return more ? [first, ...more] : [first]
}

// The documents of a tree that have a word, gathered from all segments and paths without leaving anything to clear up.

class Gathered {
  private readonly parts: readonly Part[]
  private readonly paths: WordLists
  private readonly starts: Int32Array
  private readonly documents: Int32Array
  private readonly counts: Int32Array
  /** Per document its place in `documents`, if `rounds` holds the number of this round. */
  private readonly places: Int32Array
  private readonly rounds: Int32Array
  private round = 0
  private length = 0

  /** `starts`: per file its first document, and one more behind the last. */
  constructor(parts: readonly Part[], paths: WordLists, starts: Int32Array) {
    const size = starts.at(-1) ?? 0
    this.parts = parts
    this.paths = paths
    this.starts = starts
    this.documents = new Int32Array(size)
    this.counts = new Int32Array(size)
    this.places = new Int32Array(size)
    this.rounds = new Int32Array(size)
  }

  /** How many documents have the word; `copy` gives them until the next call. */
  gather(word: string): number {
    this.length = 0
    this.round++
    for (const { segment, documents, copies } of this.parts) {
      const list = segment.words.listOf(word)
      let chunk = 0
      for (let at = 0; at < list.length; at += 2) {
        chunk += list[at] ?? 0
        const count = list[at + 1] ?? 0
        const first = documents[chunk] ?? dead
        if (first === dead) continue
        this.add(first, count)
        if (copies.size > 0) for (const document of copies.get(chunk) ?? []) this.add(document, count)
      }
    }
    // The words of a path are words of each of its chunks.
    const files = this.paths.listOf(word)
    for (let at = 0; at < files.length; at += 2) {
      const file = files[at] ?? 0
      const end = this.starts[file + 1] ?? 0
      for (let document = this.starts[file] ?? 0; document < end; document++)
        this.add(document, files[at + 1] ?? 0)
    }
    return this.length
  }

  copy(length: number): PostingList {
    return { documents: this.documents.slice(0, length), counts: this.counts.slice(0, length) }
  }

  private add(document: number, count: number): void {
    if (this.rounds[document] === this.round) {
      const place = this.places[document] ?? 0
      this.counts[place] = (this.counts[place] ?? 0) + count
      return
    }
    this.rounds[document] = this.round
    this.places[document] = this.length
    this.documents[this.length] = document
    this.counts[this.length++] = count
  }
}
