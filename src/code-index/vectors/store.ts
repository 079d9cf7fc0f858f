/** Vectors of chunks on disk, by embedder and by what was embedded: moves and branches share them. */
import { join } from 'node:path'
import { sha256 } from '../../base/canonical-json.ts'
import { ChunkFolder } from '../search/index/folder.ts'
import {
  encodeSections,
  readSectionFile,
  type SectionKind,
  type SectionReader,
} from '../search/segment/section-file.ts'
import type { Scaled } from './quantize.ts'

/** The row is only good during the call. */
export type TakeRow = (key: string, row: Scaled<Int8Array>, dimensions: number) => void

const mostLookedAt = 2_000
/** So many files for one tree are made fewer, each of at most so many rows. */
const mostSmall = 24
const fullSegment = 16_384

export class VectorStore {
  private readonly embedder: string
  private readonly folder: ChunkFolder | null
  /** What could not be written is at hand in this process. */
  private readonly inMemory = new Map<string, Scaled<Int8Array>>()
  private dimensions: number | null = null

  /** `embedder` names model, dimensions and all else on which a vector depends. */
  constructor(cacheFolder: string | null, embedder: string) {
    this.embedder = embedder
    this.folder =
      cacheFolder === null
        ? null
        : new ChunkFolder(join(cacheFolder, 'vectors-1', sha256(embedder).slice(0, 32)), '.vec')
  }

  /**
   * Gives each kept row of these keys to `take`, in no order. All are of one length: those of another, left by a model
   * that changed, are passed over.
   */
  load(keys: ReadonlySet<string>, take: TakeRow): void {
    const left = new Set(keys)
    const takeOnce: TakeRow = (key, row, dimensions) => {
      this.dimensions ??= dimensions
      if (dimensions !== this.dimensions || !left.delete(key)) return
      take(key, row, dimensions)
    }
    for (const [key, row] of this.inMemory) takeOnce(key, row, row.values.length)
    const small: string[] = []
    for (const name of this.folder?.names(mostLookedAt) ?? []) {
      if (left.size === 0) break
      const taken = this.readFile(name, left, takeOnce)
      if (taken > 0) this.folder?.touch(name)
      if (taken > 0 && taken < fullSegment / 2) small.push(name)
    }
    if (small.length > mostSmall) this.merge(small, keys)
  }

  /** False when the rows could not be written: they are at hand until the process ends. */
  add(rows: ReadonlyMap<string, Scaled<Int8Array>>, dimensions: number): boolean {
    if (rows.size === 0) return true
    this.dimensions ??= dimensions
    const written = this.folder?.add(encodeVectors({ embedder: this.embedder, dimensions }, rows)) ?? null
    if (written !== null) return true
    for (const [key, row] of rows) this.inMemory.set(key, row)
    return this.folder === null
  }

  /** The files that were merged are used no more, and forgotten in time. */
  private merge(names: readonly string[], keys: ReadonlySet<string>): void {
    let rows = new Map<string, Scaled<Int8Array>>()
    const done = new Set<string>()
    for (const [at, name] of names.entries()) {
      this.readFile(name, keys, (key, { values, scale }, dimensions) => {
        if (dimensions === this.dimensions && !done.has(key)) rows.set(key, { values: values.slice(), scale })
        done.add(key)
      })
      if (rows.size < fullSegment && at < names.length - 1) continue
      this.add(rows, this.dimensions ?? 0)
      rows = new Map()
    }
    this.folder?.tidy()
  }

  private readFile(name: string, wanted: ReadonlySet<string>, take: TakeRow): number {
    const path = this.folder?.pathOf(name) ?? ''
    return readVectors(path, this.embedder, (key) => wanted.has(key), take) ?? 0
  }
}

// An immutable file of vectors: keys in order, and for each a scale and a row of 8-bit words.

const vectorKind: SectionKind = { magic: 'SLvc', version: 1 }

const vectorKeyBytes = 16

const sections = { head: 0, keys: 1, scales: 2, rows: 3 } as const

/** Which vectors these are: rows of different heads are never compared. */
type Head = { embedder: string; dimensions: number }

function encodeVectors(head: Head, rows: ReadonlyMap<string, Scaled<Int8Array>>): Uint8Array {
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
function readVectors(
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
