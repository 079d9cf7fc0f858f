/**
 * Which identifiers a text holds, as numbers: small enough to keep for every file of a large tree, so that one pass over
 * the bytes answers every later question. Of an identifier with `$` the pieces between count too: `$total` is `total` in PHP,
 * in shells and in templates, and code of the JVM calls an inner class `Outer$Inner`.
 */

/**
 * 1 for bytes of an identifier: ASCII letters, digits, `_`, `$`, and every byte beyond ASCII. A zero byte is shown as a
 * character beyond ASCII, and counts as one.
 */
export const wordByte = new Uint8Array(256)
for (let byte = 0; byte < 256; byte++)
  wordByte[byte] = byte === 0 || byte >= 0x80 || /[A-Za-z0-9_$]/.test(String.fromCharCode(byte)) ? 1 : 0

const dollar = 0x24

/** Bits of the second of two hashes that fit into one float behind the 32 of the first. */
const secondBits = 21
const secondMask = 2 ** secondBits - 1
const firstStart = 0x811c9dc5
const firstPrime = 0x01000193
const secondPrime = 0x5bd1e995

/** A name with a mark that is no letter: `#load` of ECMAScript, `r#type` of Rust, `@class` of C#, `open?`, `save!` and `size=` of Ruby. */
const marked = /^(?:#|r#|@)?([\p{L}\p{N}_$]+)[?!=]?$/u

/** The word of a text that a name is found by. */
export function wordOf(name: string): string {
  return marked.exec(name)?.[1] ?? name
}

/** Of the word of a name. 53 bits: among a billion words, two that share one are not to be expected. */
export function hashOfWord(name: string): number {
  const bytes = Buffer.from(wordOf(name))
  return hashOf(bytes, 0, bytes.length)
}

function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let first = firstStart
  let second = 0
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? 0
    first = Math.imul(first ^ byte, firstPrime)
    second = Math.imul(second + byte + 1, secondPrime)
  }
  return joined(first, second)
}

function joined(first: number, second: number): number {
  return (first >>> 0) * 2 ** secondBits + ((second >>> 5) & secondMask)
}

/** Sorted, each once; `holdsWord` asks it. */
export type WordHashes = Float64Array

export function holdsWord(hashes: WordHashes, hash: number): boolean {
  let [low, high] = [0, hashes.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const found = hashes[middle] ?? 0
    if (found === hash) return true
    if (found < hash) low = middle + 1
    else high = middle - 1
  }
  return false
}

/** The tables are shared by all texts of one reader: a round number tells what belongs to the text at hand. */
export class WordReader {
  private table = new Float64Array(1 << 12)
  private rounds = new Uint32Array(1 << 12)
  private round = 0

  /** Of UTF-8 bytes. */
  hashesOf(bytes: Uint8Array): WordHashes {
    this.begin()
    const found: number[] = []
    const end = bytes.length
    for (let at = 0; at < end; at++) {
      let byte = bytes[at] ?? 0
      if (wordByte[byte] === 0) continue
      const start = at
      let first = firstStart
      let second = 0
      let isPlain = true
      for (; at < end && wordByte[byte] === 1; byte = bytes[++at] ?? 0) {
        first = Math.imul(first ^ byte, firstPrime)
        second = Math.imul(second + byte + 1, secondPrime)
        if (byte === dollar) isPlain = false
      }
      this.take(joined(first, second), found)
      if (!isPlain) this.takePieces(bytes, start, at, found)
    }
    return Float64Array.from(found).sort()
  }

  private take(hash: number, found: number[]): void {
    if (this.isNew(hash)) found.push(hash)
    if (found.length * 2 > this.table.length) this.enlarge(found)
  }

  private takePieces(bytes: Uint8Array, start: number, end: number, found: number[]): void {
    let from = start
    for (let at = start; at <= end; at++) {
      if (at < end && bytes[at] !== dollar) continue
      if (at > from) this.take(hashOf(bytes, from, at), found)
      from = at + 1
    }
  }

  private begin(): void {
    this.round++
    if (this.round < 2 ** 32 - 1) return
    this.rounds.fill(0)
    this.round = 1
  }

  private isNew(hash: number): boolean {
    const mask = this.table.length - 1
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      if (this.rounds[slot] !== this.round) {
        this.rounds[slot] = this.round
        this.table[slot] = hash
        return true
      }
      if (this.table[slot] === hash) return false
    }
  }

  private enlarge(found: readonly number[]): void {
    this.table = new Float64Array(this.table.length * 2)
    this.rounds = new Uint32Array(this.table.length)
    for (const hash of found) this.isNew(hash)
  }
}
