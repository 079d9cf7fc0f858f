/** All segments of one tree as one index: its chunks are documents, numbered in order of path and line. */
import type { PostingList, Postings } from '../../lexical/bm25.ts'
import { rarityOf } from '../../lexical/bm25.ts'
import type { ChunkNote } from '../contract.ts'
import type { ChunkRow } from '../segment/layout.ts'
import type { Segment } from '../segment/segment.ts'
import type { PathWords, TreeFiles } from './tree-file.ts'

/** Words whose lists are kept at hand for the next query. */
const listsAtHand = 20_000

const dead = -1

/** The documents of one segment in this tree. */
type Part = {
  segment: Segment
  /** Per chunk its document in the first file that has it, or `dead`. */
  documents: Int32Array
  /** Steps from the first to the further files with the same blob, by chunk. */
  copies: Map<number, number[]>
}

export class TreeIndex implements Postings {
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

  /** `segments` are those that `tree` names, in the same order. */
  constructor({ files, limits }: TreeFiles, paths: PathWords, segments: readonly Segment[]) {
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
    return rarityOf(this.postingsOf(word).documents.length, this.size)
  }

  postingsOf(word: string): PostingList {
    const known = this.lists.get(word)
    if (known) return known
    const documents: number[] = []
    const counts: number[] = []
    for (const part of this.parts) {
      const list = part.segment.words.listOf(word)
      let chunk = 0
      for (let at = 0; at < list.length; at += 2) {
        chunk += list[at] ?? 0
        for (const document of documentsOf(part, chunk)) {
          documents.push(document)
          counts.push(list[at + 1] ?? 0)
        }
      }
    }
    this.addPaths(word, documents, counts)
    if (this.lists.size >= listsAtHand) this.lists.clear()
    const list = { documents, counts }
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
    segment: Segment
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
        else part.copies.set(chunk, [...(part.copies.get(chunk) ?? []), document])
        const length = part.segment.lengthAt(chunk) + (this.paths.lengths[file] ?? 0)
        this.lengths[document] = length
        total += length
      }
    }
    return total
  }

  /** The words of a path are words of each of its chunks. */
  private addPaths(word: string, documents: number[], counts: number[]): void {
    const files = this.paths.tokens.listOf(word)
    if (files.length === 0) return
    const places = new Map(documents.map((document, at) => [document, at]))
    for (let at = 0; at < files.length; at += 2) {
      const { from, to } = this.documentsOfFile(files[at] ?? 0)
      for (let document = from; document < to; document++) {
        const place = places.get(document)
        const count = files[at + 1] ?? 0
        if (place !== undefined) counts[place] = (counts[place] ?? 0) + count
        else {
          documents.push(document)
          counts.push(count)
        }
      }
    }
  }
}

/** Every document that is this chunk; none when no file of the tree has it. */
export function documentsOf({ documents, copies }: Part, chunk: number): readonly number[] {
  const first = documents[chunk] ?? dead
  if (first === dead) return []
  const more = copies.get(chunk)
  return more ? [first, ...more] : [first]
}
