/**
 * The inverted index: words in the order of their hashes, each with a list of numbers, looked up without being unpacked.
 * Both the index of names and the search index are made of these; what the numbers mean is up to them.
 */
import { ByteWriter } from './bytes.ts'
import { bytesOf, numbersOf, type Sections } from './section-file.ts'

/** Words by hash, then by bytes. */
export type WordTable = {
  hashes: Uint32Array
  /** UTF-8. */
  word(at: number): Uint8Array
  /** Whole numbers from 0 to 2³² − 1, in any order. */
  numbers(at: number): ArrayLike<number>
}

/** The sections of a table, their names behind the given prefix. */
export function encodeWords({ hashes, word, numbers }: WordTable, prefix = ''): Sections {
  const wordEnds = new Uint32Array(hashes.length)
  const listEnds = new Uint32Array(hashes.length)
  const words = new ByteWriter()
  const lists = new ByteWriter()
  for (let at = 0; at < hashes.length; at++) {
    words.raw(word(at))
    wordEnds[at] = words.length
    const list = numbers(at)
    for (let place = 0; place < list.length; place++) lists.number(list[place] ?? 0)
    listEnds[at] = lists.length
  }
  return {
    [`${prefix}hashes`]: bytesOf(hashes),
    [`${prefix}wordEnds`]: bytesOf(wordEnds),
    [`${prefix}listEnds`]: bytesOf(listEnds),
    [`${prefix}words`]: words.take(),
    [`${prefix}lists`]: lists.take(),
  }
}

/** The table of some lists, and their words in its order. */
export function wordTable(lists: ReadonlyMap<string, readonly number[]>): WordTable & { words: string[] } {
  const entries = [...lists]
    .map(([word, numbers]) => {
      const bytes = Buffer.from(word)
      return { word, bytes, numbers, hash: hashOfWord(bytes, 0, bytes.length) }
    })
    .sort((a, b) => a.hash - b.hash || Buffer.compare(a.bytes, b.bytes))
  const none = new Uint8Array()
  return {
    hashes: Uint32Array.from(entries, ({ hash }) => hash),
    word: (at) => entries[at]?.bytes ?? none,
    numbers: (at) => entries[at]?.numbers ?? [],
    words: entries.map(({ word }) => word),
  }
}

export class WordLists implements WordTable {
  readonly hashes: Uint32Array
  private readonly wordEnds: Uint32Array
  private readonly listEnds: Uint32Array
  private readonly words: Uint8Array
  private readonly lists: Uint8Array

  constructor(sections: Sections, prefix = '') {
    const none = new Uint8Array()
    this.hashes = numbersOf(sections[`${prefix}hashes`])
    this.wordEnds = numbersOf(sections[`${prefix}wordEnds`])
    this.listEnds = numbersOf(sections[`${prefix}listEnds`])
    this.words = sections[`${prefix}words`] ?? none
    this.lists = sections[`${prefix}lists`] ?? none
  }

  get size(): number {
    return this.hashes.length
  }

  /** The place of a word, or −1. */
  find(word: Uint8Array, hash: number): number {
    for (let at = this.firstWith(hash); this.hashes[at] === hash; at++)
      if (Buffer.compare(this.word(at), word) === 0) return at
    return -1
  }

  /** The list of a word; empty when it is not there. */
  listOf(word: string): Uint32Array {
    const bytes = Buffer.from(word)
    const at = this.find(bytes, hashOfWord(bytes, 0, bytes.length))
    return at < 0 ? new Uint32Array() : this.numbers(at)
  }

  word(at: number): Uint8Array {
    return this.words.subarray(at === 0 ? 0 : this.wordEnds[at - 1], this.wordEnds[at])
  }

  text(at: number): string {
    return Buffer.from(this.word(at)).toString('utf8')
  }

  /** A copy that may be changed. */
  numbers(at: number): Uint32Array {
    return readNumbers(this.lists, at === 0 ? 0 : (this.listEnds[at - 1] ?? 0), this.listEnds[at] ?? 0)
  }

  /** The first place in `hashes` that is not below `hash`. */
  private firstWith(hash: number): number {
    let low = 0
    let high = this.hashes.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.hashes[middle] ?? 0) < hash) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** FNV-1a over the bytes, as an unsigned number of 32 bits. */
export function hashOfWord(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193)
  return hash >>> 0
}

/** What `ByteWriter.number` wrote from `start` to `end`. */
function readNumbers(bytes: Uint8Array, start: number, end: number): Uint32Array {
  const found = new Uint32Array(end - start)
  let count = 0
  for (let at = start; at < end; at++) {
    let number = (bytes[at] ?? 0) & 0x7f
    for (let scale = 0x80; (bytes[at] ?? 0) >= 0x80; scale *= 0x80)
      number += ((bytes[++at] ?? 0) & 0x7f) * scale
    found[count++] = number
  }
  return found.subarray(0, count)
}
