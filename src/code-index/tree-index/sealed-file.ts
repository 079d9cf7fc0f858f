/**
 * Named sections of bytes in one file that tells whether it is whole: a torn, damaged or foreign file is never read.
 * Layout: magic, checksum and length of the head, the head as JSON, then the sections, each at a multiple of eight.
 */
import { crc32 } from 'node:zlib'

export type Sections = Readonly<Record<string, Uint8Array>>

type Head = {
  kind: string
  about: unknown
  sections: readonly { name: string; length: number; sum: number }[]
}

const magic = Buffer.from('SLtree1\n')
const alignment = 8

/** `about` is anything JSON can hold. The same content gives the same bytes. */
export function sealFile(kind: string, about: unknown, sections: Sections): Buffer {
  const names = Object.keys(sections)
  const head: Head = {
    kind,
    about,
    sections: names.map((name) => {
      const bytes = sections[name] ?? new Uint8Array()
      return { name, length: bytes.byteLength, sum: crc32(bytes) }
    }),
  }
  const json = Buffer.from(JSON.stringify(head))
  const numbers = Buffer.alloc(8)
  numbers.writeUInt32LE(crc32(json), 0)
  numbers.writeUInt32LE(json.length, 4)
  const parts: Uint8Array[] = [magic, numbers, json, padding(json.length)]
  for (const name of names) {
    const bytes = sections[name] ?? new Uint8Array()
    parts.push(bytes, padding(bytes.byteLength))
  }
  return Buffer.concat(parts)
}

/** Null when the bytes are not a whole file of this kind. */
export function unsealFile(kind: string, bytes: Buffer): { about: unknown; sections: Sections } | null {
  const start = magic.length + 8
  if (bytes.length < start || !bytes.subarray(0, magic.length).equals(magic)) return null
  const length = bytes.readUInt32LE(magic.length + 4)
  const json = bytes.subarray(start, start + length)
  if (json.length < length || crc32(json) !== bytes.readUInt32LE(magic.length)) return null
  // The checksum says that we wrote it, so it has our shape.
  const head = JSON.parse(json.toString('utf8')) as Head
  if (head.kind !== kind) return null
  const sections: Record<string, Uint8Array> = {}
  let at = start + aligned(length)
  for (const { name, length: size, sum } of head.sections) {
    const section = bytes.subarray(at, at + size)
    if (section.length < size || crc32(section) !== sum) return null
    sections[name] = section
    at += aligned(size)
  }
  return { about: head.about, sections }
}

/** A section as numbers of 32 bits; empty when there is none. */
export function numbersOf(bytes: Uint8Array | undefined): Uint32Array {
  if (!bytes) return new Uint32Array()
  // A file read into the middle of a shared buffer may stand askew.
  const even = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes)
  return new Uint32Array(even.buffer, even.byteOffset, Math.floor(even.byteLength / 4))
}

/** The bytes of numbers, to be a section. */
export function bytesOf(numbers: Uint32Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)
}

function aligned(length: number): number {
  return Math.ceil(length / alignment) * alignment
}

function padding(length: number): Uint8Array {
  return new Uint8Array(aligned(length) - length)
}
