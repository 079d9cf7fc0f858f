/** The documents of a tree that have a word, gathered from all segments and paths without leaving anything to clear up. */
import type { PostingList } from '../../lexical/bm25.ts'
import type { StringLists } from '../segment/string-lists.ts'
import { dead, type Part } from './part.ts'

export class Gathered {
  private readonly parts: readonly Part[]
  private readonly paths: StringLists
  private readonly starts: Int32Array
  private readonly documents: Int32Array
  private readonly counts: Int32Array
  /** Per document its place in `documents`, if `rounds` holds the number of this round. */
  private readonly places: Int32Array
  private readonly rounds: Int32Array
  private round = 0
  private length = 0

  /** `starts`: per file its first document, and one more behind the last. */
  constructor(parts: readonly Part[], paths: StringLists, starts: Int32Array) {
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
