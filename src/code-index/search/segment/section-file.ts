/**
 * One immutable file of several sections, each compressed and checked by itself, so that a reader takes only what it
 * needs. Whatever is torn, damaged or of another version is refused as a whole.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib'

export type SectionKind = {
  /** Four letters. */
  magic: string
  version: number
}

/** Gives section `number`; null when it is damaged. */
export type SectionReader = (number: number) => Uint8Array | null

/** Header: magic, version, count, check of the table; then per section: offset, stored, raw, check of what is stored. */
const headerBytes = 16
const rowBytes = 16
const mostSections = 64
/** No section of ours is larger; a damaged table must not ask for the memory of the machine. */
const largestSection = 2 ** 31 - 1

export function encodeSections({ magic, version }: SectionKind, sections: readonly Uint8Array[]): Uint8Array {
  const stored = sections.map((section) => {
    const packed = zstdCompressSync(section)
    return packed.length < section.length * 0.9 ? packed : section
  })
  const head = Buffer.alloc(headerBytes + sections.length * rowBytes)
  let offset = head.length
  for (const [number, bytes] of stored.entries()) {
    const row = headerBytes + number * rowBytes
    head.writeUInt32LE(offset, row)
    head.writeUInt32LE(bytes.length, row + 4)
    head.writeUInt32LE(sections[number]?.length ?? 0, row + 8)
    head.writeUInt32LE(crc32(bytes), row + 12)
    offset += bytes.length
  }
  head.write(magic, 0, 4, 'latin1')
  head.writeUInt32LE(version, 4)
  head.writeUInt32LE(sections.length, 8)
  head.writeUInt32LE(crc32(head.subarray(headerBytes)), 12)
  return Buffer.concat([head, ...stored])
}

/** Reads sections out of memory; null when these are not such bytes. */
export function decodeSections(kind: SectionKind, bytes: Uint8Array): SectionReader | null {
  return readerOf(kind, bytes.length, (offset, length) => bytes.subarray(offset, offset + length))
}

/** Opens a file, lets `use` read sections of it, and closes it. Null when it is no such file, or cannot be read. */
export function readSectionFile<Value>(
  kind: SectionKind,
  path: string,
  use: (read: SectionReader) => Value | null,
): Value | null {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch {
    return null
  }
  try {
    const reader = readerOf(kind, fstatSync(file).size, (offset, length) => {
      const bytes = Buffer.allocUnsafe(length)
      return readSync(file, bytes, 0, length, offset) === length ? bytes : null
    })
    return reader && use(reader)
  } catch {
    return null
  } finally {
    closeSync(file)
  }
}

function readerOf(
  { magic, version }: SectionKind,
  size: number,
  take: (offset: number, length: number) => Uint8Array | null,
): SectionReader | null {
  const first = size >= headerBytes ? take(0, headerBytes) : null
  if (!first) return null
  const header = view(first)
  const count = header.getUint32(8, true)
  const isOurs =
    Buffer.from(first).toString('latin1', 0, 4) === magic && header.getUint32(4, true) === version
  if (!isOurs || count > mostSections || headerBytes + count * rowBytes > size) return null
  const rows = take(headerBytes, count * rowBytes)
  if (!rows || crc32(rows) !== header.getUint32(12, true)) return null
  const table = view(rows)
  return (number) => {
    if (number < 0 || number >= count) return null
    const at = number * rowBytes
    const [offset, stored, raw] = [0, 4, 8].map((place) => table.getUint32(at + place, true)) as [
      number,
      number,
      number,
    ]
    if (offset + stored > size || raw > largestSection) return null
    const bytes = take(offset, stored)
    if (!bytes || crc32(bytes) !== table.getUint32(at + 12, true)) return null
    return aligned(stored === raw ? bytes : unpack(bytes, raw))
  }
}

function unpack(bytes: Uint8Array, raw: number): Uint8Array {
  return zstdDecompressSync(bytes, { maxOutputLength: Math.max(1, raw) })
}

/** At the start of memory of its own, so that it can be looked at as words of any width. */
function aligned(bytes: Uint8Array): Uint8Array {
  return bytes.byteOffset % 8 === 0 ? bytes : Uint8Array.from(bytes)
}

function view(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
