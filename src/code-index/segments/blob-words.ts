/**
 * What the indexes of words need of one blob, as bytes: its words as written, its chunks, and the terms of each. With any
 * change of these, or of this format, raise `recordVersion`.
 */
import { hash } from 'node:crypto'
import { wordOf } from '../../base/word-hashes.ts'
import type { SymbolKind } from '../../domain/code-symbol.ts'
import { chunkFile } from '../chunks/chunk-file.ts'
import { type Chunk, defaultChunkLimits } from '../chunks/contract.ts'
import type { ChunkWords, FileFacts, ReadState } from '../contract.ts'
import { ByteReader, ByteWriter, damaged, readWords, StringTable } from '../index-files/bytes.ts'
import { type Word, WordMemory } from './scan-words.ts'

/** What a blob does with a word, beyond holding it somewhere in its text. */
export const flags = { defined: 1, used: 2, both: 3 } as const

/** Bytes of the hash of a chunk. */
export const hashBytes = 16

/** Text without a table that is longer is data: a lock file, a dictionary, a recording. Bytes. */
export const largestText = 256 * 1024

const memory = new WordMemory()
/** Counts blobs, so that what was noted of a word in an earlier one does not count. */
let scanned = 0
/** By number of a term: 1 + its place in the list of the blob's terms, or 0. */
let numbers = new Int32Array(1 << 10)
/** By place in that list: how often the chunk at hand has it. */
let counts = new Uint32Array(1 << 10)
/** The places that the chunk at hand has, and how many they are. */
let places = new Uint32Array(1 << 10)
let touched = 0

const names = new ByteWriter()
const terms = new ByteWriter()
const rows = new ByteWriter()
const times = new ByteWriter()
const strings = new ByteWriter()
const all = new ByteWriter()

type Source = { text: string; state: ReadState; facts: FileFacts | null }

/** Valid until the next call. */
export function encodeWordsOf(source: Source): Buffer {
  memory.forgetIfFull()
  scanned++
  const table = new StringTable()
  const chunks = mayBeCut(source) ? chunkFile('', source.text, source.facts) : []
  const written: Word[] = []
  // The parser may do better next time, so a question must look into what it failed on.
  const first = source.state === 'indexed' || source.state === 'text' ? 0 : flags.both
  const note = (word: Word): void => {
    if (word.seenIn === scanned || !word.isFiled) return
    word.seenIn = scanned
    word.note = first
    written.push(word)
    word.pieces.forEach(note)
  }
  const local: number[] = []
  rows.number(chunks.length)
  for (const chunk of chunks) writeChunk(chunk, table, local, note)
  for (const number of local) numbers[number] = 0
  // Words of what chunks leave out are filed, but not searched for.
  const isWhole = chunks.length > 0 && chunks.every(({ text }) => text.length < defaultChunkLimits.characters)
  if (!isWhole) memory.scan(source.text, note)
  if (source.facts) markWords(source.facts)
  names.number(written.length)
  for (const { text, note: mark } of written) names.number(table.of(text) * 4 + mark)
  terms.number(local.length)
  for (const number of local) terms.number(table.of(memory.term(number)))
  all.number(source.facts?.symbols.length ?? 0)
  all.number(source.facts?.references.length ?? 0)
  all.optional(table.orNull(source.facts?.language ?? null))
  table.write(strings)
  const parts = [names.take(), terms.take(), rows.take(), times.take(), strings.take()]
  for (const part of parts) all.number(part.length)
  for (const part of parts) all.raw(part)
  return all.take()
}

function mayBeCut({ text, state, facts }: Source): boolean {
  return facts !== null || state !== 'text' || Buffer.byteLength(text) <= largestText
}

function writeChunk(chunk: Chunk, table: StringTable, local: number[], note: (word: Word) => void): void {
  const { startLine, endLine, symbol, defines, prefix, text } = chunk
  let length = 0
  touched = 0
  const count = (word: Word): void => {
    length += word.terms.length
    if (memory.termCount > numbers.length) enlarge()
    for (const term of word.terms) {
      if (!numbers[term]) numbers[term] = local.push(term)
      const place = (numbers[term] ?? 1) - 1
      if (counts[place] === 0) places[touched++] = place
      counts[place] = (counts[place] ?? 0) + 1
    }
  }
  memory.scan(prefix, count)
  memory.scan(text, (word) => {
    note(word)
    count(word)
  })
  rows.number(startLine)
  rows.number(endLine - startLine)
  rows.number(length)
  rows.optional(symbol ? table.of(symbol.name) : null)
  if (symbol) {
    rows.number(table.of(symbol.scope))
    rows.number(table.of(symbol.kind))
  }
  rows.number(defines.length)
  for (const name of defines) rows.number(table.of(name))
  // In order as steps, and apart from how often: most of both is then ones, which packs well.
  const order = places.subarray(0, touched).sort()
  rows.number(touched)
  let before = 0
  for (let at = 0; at < touched; at++) {
    const place = order[at] ?? 0
    rows.number(place - before)
    times.number(counts[place] ?? 0)
    counts[place] = 0
    before = place
  }
  rows.raw(shortHash(`${prefix}\n${text}`))
}

/** A blob has no more terms than are remembered. */
function enlarge(): void {
  const size = memory.termCount * 2
  const [larger, more, longer] = [new Int32Array(size), new Uint32Array(size), new Uint32Array(size)]
  larger.set(numbers)
  more.set(counts)
  longer.set(places)
  numbers = larger
  counts = more
  places = longer
}

/** Skips a name that is not a word of the text, such as the title of a test: no question would find it. */
function markWords({ symbols, references, imports }: FileFacts): void {
  const mark = (name: string, flag: number): void => {
    const word = memory.known(wordOf(name))
    if (word?.seenIn === scanned) word.note |= flag
  }
  for (const { name } of symbols) mark(name, flags.defined)
  for (const { name } of references) mark(name, flags.used)
  for (const { imported, local } of imports) {
    mark(imported, flags.used)
    if (local !== null) mark(local, flags.used)
  }
}

export function shortHash(text: string): Buffer {
  return Buffer.from(hash('sha256', text, 'hex').slice(0, hashBytes * 2), 'hex')
}

// What was encoded, read again: by the builders of segments, and by whoever asks about a few files.

export class BlobWords {
  readonly symbolCount: number
  readonly referenceCount: number
  /** Of the facts; null for what is text only. */
  readonly language: string | null
  private readonly names: Buffer
  private readonly terms: Buffer
  private readonly rows: Buffer
  private readonly times: Buffer
  private readonly strings: readonly string[]

  /** Throws when the bytes are not what `encodeWordsOf` made. */
  constructor(bytes: Buffer) {
    const reader = new ByteReader(bytes)
    this.symbolCount = reader.number()
    this.referenceCount = reader.number()
    const language = reader.optional()
    const lengths = Array.from({ length: 5 }, () => reader.number())
    const parts = lengths.map((length) => reader.raw(length))
    const [names = none, terms = none, rows = none, times = none, strings = none] = parts
    this.names = names
    this.terms = terms
    this.rows = rows
    this.times = times
    this.strings = readWords(new ByteReader(strings), strings.length)
    this.language = language === null ? null : this.string(language)
  }

  /** Every word as written, once, with its flags. */
  eachName(take: (word: string, flag: number) => void): void {
    const reader = new ByteReader(this.names)
    for (let left = reader.number(); left > 0; left--) {
      const mark = reader.number()
      take(this.string(Math.floor(mark / 4)), mark % 4)
    }
  }

  /** The terms that the chunks count; a chunk names them by their places in this list. */
  termList(): string[] {
    const reader = new ByteReader(this.terms)
    return Array.from({ length: reader.number() }, () => this.string(reader.number()))
  }

  /** `count` is called for each term of a chunk before `take` gets the chunk. */
  eachChunk(
    count: (term: number, times: number) => void,
    take: (chunk: Omit<ChunkWords, 'terms'>) => void,
  ): void {
    const reader = new ByteReader(this.rows)
    const times = new ByteReader(this.times)
    for (let left = reader.number(); left > 0; left--) {
      const startLine = reader.number()
      const endLine = startLine + reader.number()
      const length = reader.number()
      const symbol = this.readSymbol(reader)
      const defines = Array.from({ length: reader.number() }, () => this.string(reader.number()))
      let term = 0
      for (let terms = reader.number(); terms > 0; terms--) {
        term += reader.number()
        count(term, times.number())
      }
      take({ startLine, endLine, length, symbol, defines, hash: reader.raw(hashBytes) })
    }
  }

  chunks(): ChunkWords[] {
    const terms = this.termList()
    const chunks: ChunkWords[] = []
    let counted = new Map<string, number>()
    this.eachChunk(
      (term, times) => counted.set(terms[term] ?? '', times),
      (chunk) => {
        chunks.push({ ...chunk, terms: counted })
        counted = new Map()
      },
    )
    return chunks
  }

  private readSymbol(reader: ByteReader): ChunkWords['symbol'] {
    const name = reader.optional()
    if (name === null) return null
    const [scope, kind] = [this.string(reader.number()), this.string(reader.number())]
    return { name: this.string(name), scope, kind: kind as SymbolKind }
  }

  private string(number: number): string {
    const string = this.strings[number]
    if (string === undefined) throw damaged()
    return string
  }
}

const none = Buffer.alloc(0)
