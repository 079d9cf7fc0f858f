/**
 * The container of every index file: named sections of bytes, each checked by itself, so that a reader takes only what it
 * needs. A file that is torn, damaged, foreign or of another version reads as absent.
 *
 * Layout: magic (4 bytes), version, length and checksum of the head (32 bits each); the head as JSON; then the sections,
 * each at a multiple of eight.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib'

export type FileKind = {
  /** Four ASCII letters. */
  magic: string
  /** Raise it when sections change in name or meaning: older files are then ignored and built again. */
  version: number
  /** Compresses sections that shrink by it: smaller on disk, slower to open. */
  packed: boolean
}

export type Sections = Readonly<Record<string, Uint8Array>>

export type SectionFile<About> = {
  about: About
  /** Null when there is no such section, or it is damaged. The memory starts at a multiple of eight. */
  read(name: string): Uint8Array | null
  /** Every section; null when one of them is damaged. */
  readAll(): Sections | null
}

type Row = { name: string; stored: number; raw: number; sum: number }
type Head<About> = { about: About; sections: readonly Row[] }

const headStart = 16
const alignment = 8

/** `about` is anything JSON can hold. The same content gives the same bytes. */
export function encodeFile({ magic, version, packed }: FileKind, about: unknown, sections: Sections): Buffer {
  const rows: Row[] = []
  const parts: Uint8Array[] = []
  for (const [name, bytes] of Object.entries(sections)) {
    const shrunk = packed ? zstdCompressSync(bytes) : bytes
    const stored = shrunk.length < bytes.length * 0.9 ? shrunk : bytes
    rows.push({ name, stored: stored.length, raw: bytes.length, sum: crc32(stored) })
    parts.push(stored, padding(stored.length))
  }
  const head: Head<unknown> = { about, sections: rows }
  const json = Buffer.from(JSON.stringify(head))
  const start = Buffer.alloc(headStart)
  start.write(magic, 0, 4, 'latin1')
  start.writeUInt32LE(version, 4)
  start.writeUInt32LE(json.length, 8)
  start.writeUInt32LE(crc32(json), 12)
  return Buffer.concat([start, json, padding(json.length), ...parts])
}

/** Reads a file that is in memory. `About` is what the writer of this kind gave. */
export function decodeFile<About>(kind: FileKind, bytes: Uint8Array): SectionFile<About> | null {
  return fileFrom(kind, bytes.length, (offset, length) => bytes.subarray(offset, offset + length))
}

/** Opens a file, lets `use` read sections of it, and closes it. Null as well when it cannot be read. */
export function openFile<About, Value>(
  kind: FileKind,
  path: string,
  use: (file: SectionFile<About>) => Value | null,
): Value | null {
  let handle: number
  try {
    handle = openSync(path, 'r')
  } catch {
    return null
  }
  try {
    const file = fileFrom<About>(kind, fstatSync(handle).size, (offset, length) => {
      const bytes = Buffer.allocUnsafeSlow(length)
      return readSync(handle, bytes, 0, length, offset) === length ? bytes : null
    })
    return file && use(file)
  } catch {
    return null
  } finally {
    closeSync(handle)
  }
}

function fileFrom<About>(
  { magic, version }: FileKind,
  size: number,
  take: (offset: number, length: number) => Uint8Array | null,
): SectionFile<About> | null {
  const start = size < headStart ? null : take(0, headStart)
  if (!start || Buffer.from(start.subarray(0, 4)).toString('latin1') !== magic) return null
  const numbers = new DataView(start.buffer, start.byteOffset, start.byteLength)
  const length = numbers.getUint32(8, true)
  if (numbers.getUint32(4, true) !== version || headStart + length > size) return null
  const json = take(headStart, length)
  if (!json || crc32(json) !== numbers.getUint32(12, true)) return null
  // The checksum shows that we wrote it, so it has our shape.
  const { about, sections } = JSON.parse(Buffer.from(json).toString('utf8')) as Head<About>
  const rows = new Map<string, Row & { offset: number }>()
  let offset = headStart + aligned(length)
  for (const row of sections) {
    rows.set(row.name, { ...row, offset })
    offset += aligned(row.stored)
  }
  const read = (name: string): Uint8Array | null => {
    const row = rows.get(name)
    const stored = row && row.offset + row.stored <= size ? take(row.offset, row.stored) : null
    if (!row || !stored || crc32(stored) !== row.sum) return null
    if (row.stored === row.raw) return atStart(stored)
    return atStart(zstdDecompressSync(stored, { maxOutputLength: Math.max(1, row.raw) }))
  }
  return {
    about,
    read,
    readAll() {
      const all: Record<string, Uint8Array> = {}
      for (const name of rows.keys()) {
        const section = read(name)
        if (!section) return null
        all[name] = section
      }
      return all
    },
  }
}

/** A section as unsigned numbers of 32 bits; empty when there is none. */
export function numbersOf(bytes: Uint8Array | null | undefined): Uint32Array {
  if (!bytes) return new Uint32Array()
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2)
}

/** The bytes of numbers, to be a section. */
export function bytesOf(numbers: Uint32Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)
}

/** The same memory as a `Buffer`. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Numbers of any width can only be read where they are aligned; a file in a shared buffer may not be. */
function atStart(bytes: Uint8Array): Uint8Array {
  return bytes.byteOffset % alignment === 0 ? bytes : Uint8Array.from(bytes)
}

function aligned(length: number): number {
  return Math.ceil(length / alignment) * alignment
}

function padding(length: number): Uint8Array {
  return new Uint8Array(aligned(length) - length)
}
