/** Strings in order, each with a list of numbers: a dictionary and its postings, looked up without being unpacked. */
import { ByteWriter, bytesOfWords, readNumbers, wordsOfBytes } from './byte-writer.ts'

/** Three sections: offsets of strings and lists, the strings, the lists. */
export type StringListSections = readonly [Uint8Array, Uint8Array, Uint8Array]

/** `lists` hold whole numbers from 0 up; any order, kept. Strings are ordered by code units. */
export function encodeStringLists(lists: ReadonlyMap<string, readonly number[]>): StringListSections {
  const strings = [...lists.keys()].sort()
  const offsets = new Uint32Array((strings.length + 1) * 2)
  const text = new ByteWriter()
  const numbers = new ByteWriter()
  const encoder = new TextEncoder()
  for (const [at, string] of strings.entries()) {
    offsets[at * 2] = text.length
    offsets[at * 2 + 1] = numbers.length
    text.writeBytes(encoder.encode(string))
    for (const number of lists.get(string) ?? []) numbers.writeNumber(number)
  }
  offsets[strings.length * 2] = text.length
  offsets[strings.length * 2 + 1] = numbers.length
  return [bytesOfWords(offsets), text.finish(), numbers.finish()]
}

export class StringLists {
  readonly size: number
  private readonly offsets: Uint32Array
  private readonly text: Buffer
  private readonly numbers: Uint8Array

  constructor([offsets, text, numbers]: StringListSections) {
    this.offsets = wordsOfBytes(offsets)
    this.text = Buffer.from(text.buffer, text.byteOffset, text.byteLength)
    this.numbers = numbers
    this.size = Math.max(0, (this.offsets.length >> 1) - 1)
  }

  /** The list of a string; empty when it is not there. */
  listOf(string: string): readonly number[] {
    const at = this.find(string)
    return at < 0 ? [] : this.listAt(at)
  }

  /** Its place in the order, or −1. */
  find(string: string): number {
    let low = 0
    let high = this.size - 1
    while (low <= high) {
      const middle = (low + high) >> 1
      const here = this.stringAt(middle)
      if (here === string) return middle
      if (here < string) low = middle + 1
      else high = middle - 1
    }
    return -1
  }

  stringAt(at: number): string {
    return this.text.toString('utf8', this.offsets[at * 2], this.offsets[at * 2 + 2])
  }

  listAt(at: number): readonly number[] {
    return readNumbers(this.numbers.subarray(this.offsets[at * 2 + 1], this.offsets[at * 2 + 3]))
  }
}
