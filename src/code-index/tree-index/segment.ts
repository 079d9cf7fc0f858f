/** One immutable file of words: for each, the units that hold it. Built from a collector, asked by the bytes of a word. */
import type { Unit, UnitState } from './contract.ts'
import { appendPostings, readPostings } from './posting-bytes.ts'
import { bytesOf, numbersOf, sealFile, unsealFile } from './sealed-file.ts'
import { hashOfWord } from './word-collector.ts'

const kind = 'segment'
/** Numbers kept of each unit: state and language, bytes, symbols, references. */
const columns = 4

type About = { states: string[]; languages: string[]; idBytes: number }

/** Words in the order of their hashes, then their bytes, with postings in the order of their units. */
export type WordList = {
  hashes: Uint32Array
  word(at: number): Uint8Array
  /** Unit, shifted by two, and the flags. */
  postings(at: number): Uint32Array
}

export function encodeSegment(units: readonly Unit[], words: WordList): Buffer {
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
  return sealFile(kind, about, {
    ids: Buffer.from(units.map(({ blob }) => blob).join(''), 'hex'),
    units: bytesOf(numbers),
    ...wordSections(words),
  })
}

function wordSections({ hashes, word, postings }: WordList): Record<string, Uint8Array> {
  const nameEnds = new Uint32Array(hashes.length)
  const postingEnds = new Uint32Array(hashes.length)
  const names: Uint8Array[] = []
  const bytes: number[] = []
  const chunks: Uint8Array[] = []
  let nameEnd = 0
  let done = 0
  for (let at = 0; at < hashes.length; at++) {
    const name = word(at)
    names.push(name)
    nameEnd += name.length
    nameEnds[at] = nameEnd
    appendPostings(bytes, postings(at))
    postingEnds[at] = done + bytes.length
    if (bytes.length < 1 << 16) continue
    chunks.push(Uint8Array.from(bytes))
    done += bytes.length
    bytes.length = 0
  }
  return {
    hashes: bytesOf(hashes),
    nameEnds: bytesOf(nameEnds),
    postingEnds: bytesOf(postingEnds),
    names: Buffer.concat(names),
    postings: Buffer.concat([...chunks, Uint8Array.from(bytes)]),
  }
}

export class Segment implements WordList {
  readonly unitCount: number
  readonly hashes: Uint32Array
  private readonly about: About
  private readonly ids: Buffer
  private readonly numbers: Uint32Array
  private readonly nameEnds: Uint32Array
  private readonly postingEnds: Uint32Array
  private readonly names: Uint8Array
  private readonly postingBytes: Uint8Array
  /** Unit number + 1 by the beginning of its id; 0 is free. */
  private byId: Uint32Array | null = null

  private constructor(about: About, sections: Readonly<Record<string, Uint8Array>>) {
    const empty = new Uint8Array()
    this.about = about
    const ids = sections.ids ?? empty
    this.ids = Buffer.from(ids.buffer, ids.byteOffset, ids.byteLength)
    this.numbers = numbersOf(sections.units)
    this.hashes = numbersOf(sections.hashes)
    this.nameEnds = numbersOf(sections.nameEnds)
    this.postingEnds = numbersOf(sections.postingEnds)
    this.names = sections.names ?? empty
    this.postingBytes = sections.postings ?? empty
    this.unitCount = this.numbers.length / columns
  }

  /** Null when the bytes are no whole segment. */
  static open(bytes: Buffer): Segment | null {
    const file = unsealFile(kind, bytes)
    return file && new Segment(file.about as About, file.sections)
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
    for (let at = this.firstWith(hash); this.hashes[at] === hash; at++) {
      if (Buffer.compare(this.word(at), word) === 0) return this.postings(at)
    }
    return null
  }

  word(at: number): Uint8Array {
    return this.names.subarray(at === 0 ? 0 : this.nameEnds[at - 1], this.nameEnds[at])
  }

  postings(at: number): Uint32Array {
    return readPostings(
      this.postingBytes,
      at === 0 ? 0 : (this.postingEnds[at - 1] ?? 0),
      this.postingEnds[at] ?? 0,
    )
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

export function unitKey({ blob, language }: Pick<Unit, 'blob' | 'language'>): string {
  return `${blob} ${language}`
}

/** The word as it is filed, and its hash. */
export function filedWord(word: string): { bytes: Buffer; hash: number } {
  const bytes = Buffer.from(word)
  return { bytes, hash: hashOfWord(bytes, 0, bytes.length) }
}
