/** Gathers a list of numbers for each of many words, in typed arrays, and sorts them into a table for a file. */
import { hashOfWord, type WordTable } from '../index-files/word-lists.ts'

export type CollectedWords = Omit<WordTable, 'numbers'> & {
  numbers(at: number): Uint32Array
  words: readonly string[]
}

/** Words that a collector can number. */
const mostWords = 2 ** 21

export class ListCollector {
  private readonly numbers = new Map<string, number>()
  /** By value added: whose list it goes to. */
  private readonly owners = new GrowingNumbers()
  private readonly values = new GrowingNumbers()

  get wordCount(): number {
    return this.numbers.size
  }

  /** The number of a word; the same for the same word. Throws when there are far too many. */
  numberOf(word: string): number {
    const known = this.numbers.get(word)
    if (known !== undefined) return known
    const number = this.numbers.size
    if (number === mostWords) throw new Error('too many words for one segment')
    this.numbers.set(word, number)
    return number
  }

  /** Puts a whole number from 0 to 2³² − 1 at the end of a word's list. */
  add(word: number, value: number): void {
    this.owners.push(word)
    this.values.push(value)
  }

  /** By hash, then by bytes, as files have them; `words` in the same order. */
  finish(): CollectedWords {
    const unsorted = [...this.numbers.keys()]
    const bytes = unsorted.map((word) => Buffer.from(word))
    const hashes = Uint32Array.from(bytes, (word) => hashOfWord(word, 0, word.length))
    // A hash and a number fit exactly into one float; typed arrays sort fast.
    const keys = Float64Array.from(hashes, (hash, number) => hash * mostWords + number).sort()
    const order = Uint32Array.from(keys, (key) => key % mostWords)
    const none = Buffer.alloc(0)
    settleTies(order, hashes, (number) => bytes[number] ?? none)
    const lists = this.grouped()
    return {
      hashes: order.map((number) => hashes[number] ?? 0),
      word: (at) => bytes[order[at] ?? 0] ?? none,
      numbers: (at) => lists(order[at] ?? 0),
      words: Array.from(order, (number) => unsorted[number] ?? ''),
    }
  }

  /** The values of each word together, in the order in which they were added. */
  private grouped(): (word: number) => Uint32Array {
    const ends = new Uint32Array(this.wordCount + 1)
    const { owners, values } = this
    for (let at = 0; at < owners.length; at++) {
      const next = owners.at(at) + 1
      ends[next] = (ends[next] ?? 0) + 1
    }
    for (let word = 0; word < this.wordCount; word++)
      ends[word + 1] = (ends[word + 1] ?? 0) + (ends[word] ?? 0)
    const sorted = new Uint32Array(values.length)
    const next = ends.slice()
    for (let at = 0; at < owners.length; at++) {
      const owner = owners.at(at)
      const slot = next[owner] ?? 0
      sorted[slot] = values.at(at)
      next[owner] = slot + 1
    }
    return (word) => sorted.subarray(ends[word], ends[word + 1])
  }
}

function settleTies(order: Uint32Array, hashes: Uint32Array, bytesOf: (number: number) => Buffer): void {
  for (let at = 0; at + 1 < order.length; at++) {
    let end = at + 1
    while (end < order.length && hashes[order[end] ?? 0] === hashes[order[at] ?? 0]) end++
    if (end > at + 1) order.subarray(at, end).sort((a, b) => Buffer.compare(bytesOf(a), bytesOf(b)))
    at = end - 1
  }
}

/** Unsigned numbers of 32 bits in a typed array that grows. */
class GrowingNumbers {
  private numbers = new Uint32Array(1 << 12)
  private count = 0

  get length(): number {
    return this.count
  }

  at(index: number): number {
    return this.numbers[index] ?? 0
  }

  push(number: number): void {
    if (this.count === this.numbers.length) {
      const larger = new Uint32Array(this.count * 2)
      larger.set(this.numbers)
      this.numbers = larger
    }
    this.numbers[this.count++] = number
  }
}
