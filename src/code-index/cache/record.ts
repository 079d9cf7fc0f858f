/**
 * What one blob says, as bytes: what children send, what memory keeps, what the pack on disk holds. A record has the state
 * of the blob, its facts and its words; facts are a few parts, each read when it is asked for.
 */
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { FileFacts, ReadState } from '../contract.ts'
import { ByteReader, ByteWriter, damaged, readWords, StringTable } from '../index-files/bytes.ts'
import { readReferences, referenceColumns, writeReferences } from './columns.ts'
import { readSymbols, writeSymbols } from './symbols.ts'

/** Part of every cache key: raise it whenever extraction, words, chunks or a format changes what a file yields. */
export const recordVersion = 24

const quickly = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
/** Far more than a file we read can yield. */
const largestRecord = 2 ** 28

/** Their order is that of the format: new ones go to the end. */
const states: readonly ReadState[] = [
  'indexed',
  'text',
  'too-large',
  'too-deep',
  'minified',
  'timeout',
  'crash',
  'memory',
]

const outer = new ByteWriter()

/** `words`: the bytes of `encodeWordsOf`. The state is in front, so that it is read without unpacking the rest. */
export function encodeRecord(state: ReadState, facts: FileFacts | null, words: Uint8Array): Uint8Array {
  const encoded = facts ? encodeFacts(facts) : new Uint8Array()
  outer.number(encoded.length)
  outer.raw(encoded)
  outer.raw(words)
  return Buffer.concat([Uint8Array.of(states.indexOf(state)), zstdCompressSync(outer.take(), quickly)])
}

/** Null when the bytes are no record. */
export function stateOf(record: Uint8Array): ReadState | null {
  return states[record[0] ?? states.length] ?? null
}

/** Throws when the bytes are not what `encodeRecord` made. */
export function decodeRecord(record: Uint8Array): {
  state: ReadState
  facts: FileFacts | null
  words: Buffer
} {
  const state = stateOf(record)
  if (!state) throw damaged()
  const unpacked = zstdDecompressSync(record.subarray(1), { maxOutputLength: largestRecord })
  const reader = new ByteReader(unpacked)
  const facts = reader.raw(reader.number())
  return { state, facts: facts.length > 0 ? decodeFacts(facts) : null, words: reader.rest() }
}

const head = new ByteWriter()
const list = new ByteWriter()

export function encodeFacts(facts: FileFacts): Buffer {
  const words = new StringTable()
  head.number(words.of(facts.language))
  head.optional(words.orNull(facts.packageName))
  head.number(facts.lineCount)
  head.number(facts.symbols.length)
  head.number(facts.references.length)
  const parts = [
    ...writeSymbols(facts, words),
    ...writeReferences(facts.references, words),
    writeLists(facts, words),
  ]
  words.write(list)
  parts.push(list.take())
  for (const part of parts) head.number(part.length)
  return Buffer.concat([head.take(), ...parts])
}

/** Throws when the bytes are not what `encodeFacts` made. Each list is made when it is first looked at. */
export function decodeFacts(bytes: Buffer): FileFacts {
  const reader = new ByteReader(bytes)
  const language = reader.number()
  const packageName = reader.optional()
  const lineCount = reader.number()
  const [symbolCount, referenceCount] = [reader.number(), reader.number()]
  const lengths = Array.from({ length: partCount }, () => reader.number())
  const parts = lengths.map((length) => reader.raw(length))
  if (reader.rest().length > 0) throw damaged()
  const part = (at: number): ByteReader => new ByteReader(parts[at] ?? Buffer.alloc(0))
  const words = once(() => readWords(part(partCount - 1), parts[partCount - 1]?.length ?? 0))
  const symbols = once(() => readSymbols(symbolCount, part(0), part(1), words()))
  const lists = once(() => readLists(part(partCount - 2), words()))
  const columns = Array.from({ length: referenceColumns }, (_, at) => part(2 + at))
  const references = once(() => readReferences(referenceCount, columns, words()))
  return {
    language: words()[language] ?? '',
    get symbols() {
      return symbols().symbols
    },
    get parents() {
      return symbols().parents
    },
    get references() {
      return references()
    },
    get imports() {
      return lists().imports
    },
    get exports() {
      return lists().exports
    },
    get typedNames() {
      return lists().typedNames
    },
    get supertypes() {
      return lists().supertypes
    },
    packageName: packageName === null ? null : (words()[packageName] ?? ''),
    get otherPackages() {
      return lists().otherPackages
    },
    get errorLines() {
      return lists().errorLines
    },
    lineCount,
  }
}

/** Symbols and their hashes, the columns of references, the short lists, the words. */
const partCount = 2 + referenceColumns + 2

function once<Value extends object>(make: () => Value): () => Value {
  let value: Value | null = null
  return () => {
    value ??= make()
    return value
  }
}

// The short lists of a file's facts as bytes: imports, exports, typed names, supertypes, lines with errors.

const writer = new ByteWriter()

type ShortLists = Pick<
  FileFacts,
  'imports' | 'exports' | 'typedNames' | 'supertypes' | 'errorLines' | 'otherPackages'
>

/** Valid until the next call. */
function writeLists(facts: ShortLists, words: StringTable): Buffer {
  each(facts.imports, ({ line, source, imported, local, reexport, typeOnly }) => {
    writer.number(line * 4 + (reexport ? 2 : 0) + (typeOnly ? 1 : 0))
    writer.number(words.of(source))
    writer.number(words.of(imported))
    writer.optional(words.orNull(local))
  })
  each(facts.exports, ({ exported, local, line }) => {
    writer.number(words.of(exported))
    writer.number(words.of(local))
    writer.number(line)
  })
  each(facts.typedNames, ({ name, type, line, enclosing }) => {
    writer.number(words.of(name))
    writer.number(words.of(type))
    writer.number(line)
    writer.optional(enclosing)
  })
  each(facts.supertypes, ({ symbol, name, line }) => {
    writer.number(symbol)
    writer.number(words.of(name))
    writer.number(line)
  })
  each(facts.errorLines, ({ startLine, endLine }) => {
    writer.number(startLine)
    writer.number(endLine - startLine)
  })
  each(facts.otherPackages, (name) => writer.number(words.of(name)))
  return writer.take()
}

function readLists(reader: ByteReader, words: readonly string[]): ShortLists {
  const word = (): string => words[reader.number()] ?? ''
  const list = <Item>(read: () => Item): Item[] => {
    const items: Item[] = []
    for (let left = reader.number(); left > 0; left--) items.push(read())
    return items
  }
  return {
    imports: list(() => {
      const mark = reader.number()
      const [source, imported, local] = [word(), word(), reader.optional()]
      return {
        line: Math.floor(mark / 4),
        source,
        imported,
        local: local === null ? null : (words[local] ?? ''),
        reexport: (mark & 2) !== 0,
        typeOnly: (mark & 1) !== 0,
      }
    }),
    exports: list(() => ({ exported: word(), local: word(), line: reader.number() })),
    typedNames: list(() => ({
      name: word(),
      type: word(),
      line: reader.number(),
      enclosing: reader.optional(),
    })),
    supertypes: list(() => ({ symbol: reader.number(), name: word(), line: reader.number() })),
    errorLines: list(() => {
      const startLine = reader.number()
      return { startLine, endLine: startLine + reader.number() }
    }),
    otherPackages: list(word),
  }
}

function each<Item>(items: readonly Item[], write: (item: Item) => void): void {
  writer.number(items.length)
  for (const item of items) write(item)
}
