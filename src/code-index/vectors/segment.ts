/** An immutable file of vectors: keys in order, and for each a scale and a row of 8-bit words. */
import {
  encodeSections,
  readSectionFile,
  type SectionKind,
  type SectionReader,
} from '../search/segment/section-file.ts'
import type { Scaled } from './quantize.ts'

export const vectorKind: SectionKind = { magic: 'SLvc', version: 1 }

export const vectorKeyBytes = 16

const sections = { head: 0, keys: 1, scales: 2, rows: 3 } as const

/** Which vectors these are: rows of different heads are never compared. */
type Head = { embedder: string; dimensions: number }

export function encodeVectors(head: Head, rows: ReadonlyMap<string, Scaled<Int8Array>>): Uint8Array {
  const keys = [...rows.keys()].sort()
  const scales = new Float32Array(keys.length)
  const values = new Int8Array(keys.length * head.dimensions)
  for (const [at, key] of keys.entries()) {
    const row = rows.get(key)
    if (!row) continue
    scales[at] = row.scale
    values.set(row.values, at * head.dimensions)
  }
  return encodeSections(vectorKind, [
    Buffer.from(JSON.stringify(head)),
    Buffer.from(keys.join(''), 'latin1'),
    new Uint8Array(scales.buffer),
    new Uint8Array(values.buffer),
  ])
}

/**
 * Gives each wanted key that the file has to `take`, and says how many. Rows are only read when there is one. Null for a
 * file that is absent, damaged, of another version or of another embedder; `take` has then not been called.
 */
export function readVectors(
  path: string,
  embedder: string,
  isWanted: (key: string) => boolean,
  take: (key: string, row: Scaled<Int8Array>, dimensions: number) => void,
): number | null {
  return readSectionFile(vectorKind, path, (read) => {
    const keys = keysIn(read, embedder)
    if (!keys) return null
    const wanted = keys.names.flatMap((key, at) => (isWanted(key) ? [{ key, at }] : []))
    if (wanted.length === 0) return 0
    const [scales, rows] = [read(sections.scales), read(sections.rows)]
    if (!scales || rows?.length !== keys.names.length * keys.dimensions) return null
    const scale = new Float32Array(scales.buffer, scales.byteOffset, scales.length >> 2)
    const values = new Int8Array(rows.buffer, rows.byteOffset, rows.length)
    for (const { key, at } of wanted) {
      const row = values.subarray(at * keys.dimensions, (at + 1) * keys.dimensions)
      take(key, { values: row, scale: scale[at] ?? 0 }, keys.dimensions)
    }
    return wanted.length
  })
}

function keysIn(read: SectionReader, embedder: string): { names: string[]; dimensions: number } | null {
  const [head, keys] = [read(sections.head), read(sections.keys)]
  if (!head || !keys) return null
  const told: Head = JSON.parse(Buffer.from(head).toString())
  if (told.embedder !== embedder) return null
  const text = Buffer.from(keys).toString('latin1')
  const names = Array.from({ length: text.length / vectorKeyBytes }, (_, at) =>
    text.slice(at * vectorKeyBytes, (at + 1) * vectorKeyBytes),
  )
  return { names, dimensions: told.dimensions }
}
