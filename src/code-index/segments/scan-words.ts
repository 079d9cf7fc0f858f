/**
 * Splits text into words, once for both indexes: the words as written, for the index of names, and the terms that search
 * counts. What a word comes to is remembered, since code repeats its words.
 */
import { wordByte } from '../../base/word-hashes.ts'
import { termsOf } from '../lexical/terms.ts'

/** Longer ones are data (a hash, an encoded image) and are never asked for. UTF-8 bytes. */
export const longestWordBytes = 200

/** A run of bytes of an identifier: ASCII letters, digits, `_`, `$`, and everything beyond ASCII. */
export type Word = {
  text: string
  /** Numbers of its terms, repeated ones included; `WordMemory.term` has them in letters. */
  terms: readonly number[]
  /** Between its `$`, if it has some; they are filed too (`src/base/word-hashes.ts` says why). */
  pieces: readonly Word[]
  /** False for one that is too long. */
  isFiled: boolean
  /** For whoever scans: what it last saw the word in, and what it noted of it. */
  seenIn: number
  note: number
}

/** Words and terms that are remembered; with more of them all are forgotten. */
const mostRemembered = 60_000

export class WordMemory {
  private words = new Map<string, Word>()
  private terms: string[] = []
  private numbers = new Map<string, number>()

  get termCount(): number {
    return this.terms.length
  }

  term(number: number): string {
    return this.terms[number] ?? ''
  }

  /** To be called between texts: numbers given before mean nothing afterwards when it answers true. */
  forgetIfFull(): boolean {
    if (this.words.size < mostRemembered) return false
    this.words = new Map()
    this.terms = []
    this.numbers = new Map()
    return true
  }

  /** A word that was scanned since the memory was emptied. */
  known(text: string): Word | undefined {
    return this.words.get(text)
  }

  /** Calls `take` with each word of a text, in order. */
  scan(text: string, take: (word: Word) => void): void {
    const end = text.length
    for (let at = 0; at < end; at++) {
      if (!isPartOfWord(text.charCodeAt(at))) continue
      const start = at++
      while (at < end && isPartOfWord(text.charCodeAt(at))) at++
      const written = text.slice(start, at)
      take(this.words.get(written) ?? this.learn(written))
    }
  }

  private learn(slice: string): Word {
    const isFiled = slice.length * 3 <= longestWordBytes || Buffer.byteLength(slice) <= longestWordBytes
    const text = isFiled ? copied(slice) : slice
    const numbers = termsOf(text).map((term) => this.numberOf(term))
    const pieces = text.includes('$')
      ? text.split('$').flatMap((piece) => (piece === '' ? [] : (this.words.get(piece) ?? this.learn(piece))))
      : []
    const word: Word = { text, terms: numbers, pieces, isFiled, seenIn: -1, note: 0 }
    if (isFiled) this.words.set(text, word)
    return word
  }

  private numberOf(term: string): number {
    const known = this.numbers.get(term)
    if (known !== undefined) return known
    this.numbers.set(term, this.terms.length)
    return this.terms.push(term) - 1
  }
}

function isPartOfWord(unit: number): boolean {
  return unit >= 128 || wordByte[unit] === 1
}

/** A slice of a text would keep all of the text in memory. */
function copied(slice: string): string {
  const encoding = /[\u0100-\uffff]/.test(slice) ? 'utf16le' : 'latin1'
  return Buffer.from(slice, encoding).toString(encoding)
}
