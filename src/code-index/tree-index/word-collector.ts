/**
 * Gathers which units hold which words. Words are interned by their bytes, so a text costs one pass and no strings.
 */
import { hashOfWord } from '../index-files/word-lists.ts'
import { longestWordBytes, wordByte } from './segment.ts'

/** What a unit does with a word, beyond holding it somewhere in its text. */
export const flags = { defined: 1, used: 2, both: 3 } as const

export class WordCollector {
  /** Word number + 1 by hash; 0 is free. A power of two. */
  private table = new Uint32Array(1 << 15)
  private pool = Buffer.alloc(1 << 16)
  private readonly hashes = new GrowingNumbers()
  private readonly starts = new GrowingNumbers([0])
  /** By word: the last posting of it + 1. */
  private readonly last = new GrowingNumbers()
  private readonly postingWords = new GrowingNumbers()
  /** Unit number, shifted by two, and the flags. */
  private readonly postings = new GrowingNumbers()

  get wordCount(): number {
    return this.hashes.length
  }

  /** Units are added in ascending order; `marks` must follow before the next unit. */
  addText(unit: number, text: Buffer): void {
    const end = text.length
    for (let at = 0; at < end; at++) {
      if (wordByte[text[at] ?? 0] === 0) continue
      const start = at
      let hash = 0x811c9dc5
      for (let byte = text[at] ?? 0; at < end && wordByte[byte] === 1; byte = text[++at] ?? 0)
        hash = Math.imul(hash ^ byte, 0x01000193)
      if (at - start > longestWordBytes) continue
      const word = this.find(hash >>> 0, text, start, at)
      this.post(word < 0 ? this.add(hash >>> 0, text, start, at) : word, unit)
    }
  }

  /** Flags a word of the unit's text; what is not a word of it is passed over, since no question would find it. */
  mark(unit: number, name: string, flag: number): void {
    const bytes = Buffer.from(name)
    const word = this.find(hashOfWord(bytes, 0, bytes.length), bytes, 0, bytes.length)
    const posting = word < 0 ? 0 : this.last.at(word)
    if (posting === 0 || this.postings.at(posting - 1) >>> 2 !== unit) return
    this.postings.set(posting - 1, this.postings.at(posting - 1) | flag)
  }

  /** Flags every word of the unit: what it does with them is not known. */
  markAll(unit: number, flag: number): void {
    for (let at = this.postings.length - 1; at >= 0 && this.postings.at(at) >>> 2 === unit; at--)
      this.postings.set(at, this.postings.at(at) | flag)
  }

  /** Words by hash, then by bytes; each with its postings (unit, shifted by two, and flags) in ascending order. */
  finish(): { hashes: Uint32Array; word(at: number): Uint8Array; postings(at: number): Uint32Array } {
    const count = this.wordCount
    // A hash and a word number fit exactly into one float; typed arrays sort fast.
    const order = new Float64Array(count)
    for (let word = 0; word < count; word++) order[word] = this.hashes.at(word) * 2 ** 21 + word
    order.sort()
    const sorted = Uint32Array.from(order, (key) => key % 2 ** 21)
    this.settleTies(sorted)
    const ends = new Uint32Array(count + 1)
    for (let at = 0; at < this.postings.length; at++) {
      const slot = this.postingWords.at(at) + 1
      ends[slot] = (ends[slot] ?? 0) + 1
    }
    for (let word = 0; word < count; word++) ends[word + 1] = (ends[word + 1] ?? 0) + (ends[word] ?? 0)
    const grouped = new Uint32Array(this.postings.length)
    const next = ends.slice()
    for (let at = 0; at < this.postings.length; at++) {
      const word = this.postingWords.at(at)
      const slot = next[word] ?? 0
      grouped[slot] = this.postings.at(at)
      next[word] = slot + 1
    }
    return {
      hashes: sorted.map((word) => this.hashes.at(word)),
      word: (at) => this.bytesOf(sorted[at] ?? 0),
      postings: (at) => grouped.subarray(ends[sorted[at] ?? 0], ends[(sorted[at] ?? 0) + 1]),
    }
  }

  private bytesOf(word: number): Buffer {
    return this.pool.subarray(this.starts.at(word), this.starts.at(word + 1))
  }

  private settleTies(sorted: Uint32Array): void {
    for (let at = 0; at + 1 < sorted.length; at++) {
      let end = at + 1
      while (end < sorted.length && this.hashes.at(sorted[end] ?? 0) === this.hashes.at(sorted[at] ?? 0))
        end++
      if (end > at + 1)
        sorted.subarray(at, end).sort((a, b) => Buffer.compare(this.bytesOf(a), this.bytesOf(b)))
      at = end - 1
    }
  }

  private post(word: number, unit: number): void {
    const posting = this.last.at(word)
    if (posting > 0 && this.postings.at(posting - 1) >>> 2 === unit) return
    this.postingWords.push(word)
    this.last.set(word, this.postings.push(unit * 4))
  }

  /** The number of a word, or -1. */
  private find(hash: number, bytes: Uint8Array, start: number, end: number): number {
    const mask = this.table.length - 1
    for (let slot = (hash ^ (hash >>> 15)) & mask; ; slot = (slot + 1) & mask) {
      const word = (this.table[slot] ?? 0) - 1
      if (word < 0) return -1
      if (this.hashes.at(word) === hash && this.isSame(word, bytes, start, end)) return word
    }
  }

  private isSame(word: number, bytes: Uint8Array, start: number, end: number): boolean {
    const from = this.starts.at(word)
    if (this.starts.at(word + 1) - from !== end - start) return false
    for (let at = start; at < end; at++) if (this.pool[from + at - start] !== bytes[at]) return false
    return true
  }

  private add(hash: number, bytes: Uint8Array, start: number, end: number): number {
    const word = this.wordCount
    const from = this.starts.at(word)
    const to = from + end - start
    if (to > this.pool.length) this.pool = Buffer.concat([this.pool], this.pool.length * 2)
    this.pool.set(bytes.subarray(start, end), from)
    this.hashes.push(hash)
    this.starts.push(to)
    this.last.push(0)
    if (this.wordCount * 2 > this.table.length) this.enlarge()
    else this.file(word)
    return word
  }

  private enlarge(): void {
    this.table = new Uint32Array(this.table.length * 2)
    for (let word = 0; word < this.wordCount; word++) this.file(word)
  }

  private file(word: number): void {
    const mask = this.table.length - 1
    const hash = this.hashes.at(word)
    let slot = (hash ^ (hash >>> 15)) & mask
    while (this.table[slot] !== 0) slot = (slot + 1) & mask
    this.table[slot] = word + 1
  }
}

/** Unsigned numbers of 32 bits in a typed array that grows. */
class GrowingNumbers {
  private numbers = new Uint32Array(1024)
  private count = 0

  constructor(first: readonly number[] = []) {
    for (const number of first) this.push(number)
  }

  get length(): number {
    return this.count
  }

  at(index: number): number {
    return this.numbers[index] ?? 0
  }

  set(index: number, number: number): void {
    this.numbers[index] = number
  }

  /** Returns the new length. */
  push(number: number): number {
    if (this.count === this.numbers.length) {
      const larger = new Uint32Array(this.count * 2)
      larger.set(this.numbers)
      this.numbers = larger
    }
    this.numbers[this.count++] = number
    return this.count
  }

  /** A copy of what is in it. */
  toArray(): Uint32Array {
    return this.numbers.slice(0, this.count)
  }
}
