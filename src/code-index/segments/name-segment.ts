/** One immutable file of words: for each, the units that hold it. Built from a collector, asked by the bytes of a word. */

import { wordByte, wordOf } from '../../base/word-hashes.ts'
import type { ReadState } from '../contract.ts'
import {
  bufferOf,
  bytesOf,
  decodeFile,
  encodeFile,
  type FileKind,
  numbersOf,
  type Sections,
} from '../index-files/section-file.ts'
import { encodeWords, hashOfWord, WordLists } from '../index-files/word-lists.ts'
import { longestWordBytes } from './scan-words.ts'

/** What became of a blob; one that is not text has no words. */
export type UnitState = ReadState | 'not text'

/** One blob read as one language: its key is `blobKey`. */
export type Unit = {
  blob: string
  /** See `unitLanguage`. */
  language: string
  state: UnitState
  bytes: number
  symbols: number
  references: number
}

const kind: FileKind = { magic: 'SLws', version: 2, packed: false }
/** Numbers kept of each unit: state and language, bytes, symbols, references. */
const columns = 4

type About = { states: string[]; languages: string[]; idBytes: number }

/** Words in the order of their hashes, then their bytes, with postings in the order of their units. */
export type FiledWords = {
  hashes: Uint32Array
  word(at: number): Uint8Array
  /** Unit, shifted by two, and the flags. */
  postings(at: number): Uint32Array
}

export function encodeSegment(units: readonly Unit[], words: FiledWords): Buffer {
  const states = [...new Set(units.map(({ state }) => state))]
  const languages = [...new Set(units.map(({ language }) => language))]
  const about: About = { states, languages, idBytes: (units[0]?.blob.length ?? 0) / 2 }
  const stateNumbers = new Map(states.map((state, number) => [state, number]))
  const languageNumbers = new Map(languages.map((language, number) => [language, number]))
  const numbers = new Uint32Array(units.length * columns)
  for (const [at, { state, language, bytes, symbols, references }] of units.entries())
    numbers.set(
      [
        (stateNumbers.get(state) ?? 0) * 65_536 + (languageNumbers.get(language) ?? 0),
        Math.min(bytes, 0xffffffff),
        symbols,
        references,
      ],
      at * columns,
    )
  return encodeFile(kind, about, {
    ids: Buffer.from(units.map(({ blob }) => blob).join(''), 'hex'),
    units: bytesOf(numbers),
    ...encodeWords({
      hashes: words.hashes,
      word: (at) => words.word(at),
      numbers: (at) => asSteps(words.postings(at)),
    }),
  })
}

/** Each posting as the step from the unit before it, with its flags: small numbers take fewer bytes. */
function asSteps(postings: Uint32Array): Uint32Array {
  let before = 0
  return postings.map((posting) => {
    const unit = posting >>> 2
    const step = (unit - before) * 4 + (posting & 3)
    before = unit
    return step
  })
}

/** In place. */
function fromSteps(steps: Uint32Array): Uint32Array {
  let unit = 0
  for (let at = 0; at < steps.length; at++) {
    const step = steps[at] ?? 0
    unit += step >>> 2
    steps[at] = unit * 4 + (step & 3)
  }
  return steps
}

export class NameSegment implements FiledWords {
  readonly unitCount: number
  /** The whole file. */
  readonly bytes: Uint8Array
  private readonly about: About
  private readonly ids: Buffer
  private readonly numbers: Uint32Array
  private readonly words: WordLists
  /** Unit number + 1 by the beginning of its id; 0 is free. */
  private byId: Uint32Array | null = null

  private constructor(bytes: Uint8Array, about: About, sections: Sections) {
    this.bytes = bytes
    this.about = about
    this.ids = bufferOf(sections.ids ?? new Uint8Array())
    this.numbers = numbersOf(sections.units)
    this.words = new WordLists(sections)
    this.unitCount = this.numbers.length / columns
  }

  /** Null when the bytes are no whole segment. */
  static open(bytes: Uint8Array): NameSegment | null {
    const file = decodeFile<About>(kind, bytes)
    const sections = file?.readAll()
    return file && sections ? new NameSegment(bytes, file.about, sections) : null
  }

  get hashes(): Uint32Array {
    return this.words.hashes
  }

  unit(at: number): Unit {
    const first = at * columns
    return {
      blob: this.blobOf(at),
      language: this.languageOf(at),
      state: (this.about.states[(this.numbers[first] ?? 0) >>> 16] ?? 'text') as UnitState,
      bytes: this.numbers[first + 1] ?? 0,
      symbols: this.numbers[first + 2] ?? 0,
      references: this.numbers[first + 3] ?? 0,
    }
  }

  /** The number of a unit, or -1. */
  find({ blob, language }: Pick<Unit, 'blob' | 'language'>): number {
    this.byId ??= this.fileById()
    const mask = this.byId.length - 1
    for (let slot = Number.parseInt(blob.slice(0, 8), 16) & mask; ; slot = (slot + 1) & mask) {
      const at = (this.byId[slot] ?? 0) - 1
      if (at < 0) return -1
      if (this.blobOf(at) === blob && this.languageOf(at) === language) return at
    }
  }

  /** The units that hold a word, ascending; unit, shifted by two, and the flags. */
  postingsOf(word: Uint8Array, hash: number): Uint32Array | null {
    const at = this.words.find(word, hash)
    return at < 0 ? null : this.postings(at)
  }

  word(at: number): Uint8Array {
    return this.words.word(at)
  }

  postings(at: number): Uint32Array {
    return fromSteps(this.words.numbers(at))
  }

  private blobOf(at: number): string {
    const { idBytes } = this.about
    return this.ids.toString('hex', at * idBytes, (at + 1) * idBytes)
  }

  private languageOf(at: number): string {
    return this.about.languages[(this.numbers[at * columns] ?? 0) & 0xffff] ?? ''
  }

  private fileById(): Uint32Array {
    const table = new Uint32Array(2 ** Math.ceil(Math.log2(this.unitCount * 2 + 2)))
    const mask = table.length - 1
    for (let at = 0; at < this.unitCount; at++) {
      let slot = this.ids.readUInt32BE(at * this.about.idBytes) & mask
      while (table[slot] !== 0) slot = (slot + 1) & mask
      table[slot] = at + 1
    }
    return table
  }
}

/** The word that a name is filed under, and its hash. */
export function filedWord(name: string): { bytes: Buffer; hash: number } {
  const bytes = Buffer.from(wordOf(name))
  return { bytes, hash: hashOfWord(bytes, 0, bytes.length) }
}

/** True when all of `word` is one identifier. */
export function isOneWord(word: Uint8Array): boolean {
  return word.length > 0 && word.every((byte) => wordByte[byte] === 1)
}

export function isFiled(word: Uint8Array): boolean {
  return word.length <= longestWordBytes && isOneWord(word)
}
