/**
 * Facts as bytes: what children send, what memory keeps, what the pack on disk holds. A record is a few parts, packed
 * together; each part is read when it is asked for.
 */
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { FileFacts } from '../contract.ts'
import { ByteReader, ByteWriter, damaged } from './bytes.ts'
import { readReferences, referenceColumns, writeReferences } from './columns.ts'
import { readLists, writeLists } from './lists.ts'
import { readSymbols, writeSymbols } from './symbols.ts'
import { readWords, WordList } from './words.ts'

/** Part of every cache key: raise it whenever extraction or this format changes what a file yields. */
export const recordVersion = 6

const quickly = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
/** Far more than a file we read can yield. */
const largestRecord = 2 ** 28

const head = new ByteWriter()
const list = new ByteWriter()

export function encodeFacts(facts: FileFacts): Uint8Array {
  const words = new WordList()
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
  return zstdCompressSync(Buffer.concat([head.take(), ...parts]), quickly)
}

/** Throws when the bytes are not what `encodeFacts` made. Each list is made when it is first looked at. */
export function decodeFacts(record: Uint8Array): FileFacts {
  const reader = new ByteReader(zstdDecompressSync(record, { maxOutputLength: largestRecord }))
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
