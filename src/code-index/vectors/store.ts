/** Vectors of chunks on disk, by embedder and by what was embedded: moves and branches share them. */
import { join } from 'node:path'
import { sha256 } from '../../base/canonical-json.ts'
import { IndexFolder, nameFor, removeOldVersions } from '../index-files/index-folder.ts'
import { bufferOf, encodeFile, type FileKind, openFile } from '../index-files/section-file.ts'
import type { Scaled } from './quantize.ts'

/** The row is only good during the call. */
export type TakeRow = (key: string, row: Scaled<Int8Array>, dimensions: number) => void

/** Raise it when rows or keys change their meaning. */
const versionFolder = 'vectors-2'
const ending = '.vec'

const mostLookedAt = 2_000
/** So many files for one tree are made fewer, each of at most so many rows. */
const mostSmall = 24
const fullSegment = 16_384

export class VectorStore {
  private readonly embedder: string
  private readonly cacheFolder: string | null
  private readonly folder: IndexFolder | null
  /** What could not be written is at hand in this process. */
  private readonly inMemory = new Map<string, Scaled<Int8Array>>()
  private dimensions: number | null = null

  /** `embedder` names model, dimensions and all else on which a vector depends. */
  constructor(cacheFolder: string | null, embedder: string) {
    this.embedder = embedder
    this.cacheFolder = cacheFolder
    this.folder =
      cacheFolder === null
        ? null
        : new IndexFolder(join(cacheFolder, versionFolder, sha256(embedder).slice(0, 32)))
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
    for (const { name } of this.folder?.list(ending).slice(0, mostLookedAt) ?? []) {
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
    const bytes = encodeVectors({ embedder: this.embedder, dimensions }, rows)
    if (this.folder?.write(nameFor(bytes, ending), bytes) === null) return true
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
    this.folder?.removeUnused(ending)
    if (this.cacheFolder !== null) removeOldVersions(this.cacheFolder, 'vectors-', versionFolder)
  }

  private readFile(name: string, wanted: ReadonlySet<string>, take: TakeRow): number {
    const path = this.folder?.pathOf(name) ?? ''
    return readVectors(path, this.embedder, (key) => wanted.has(key), take) ?? 0
  }
}

// An immutable file of vectors: keys in order, and for each a scale and a row of 8-bit words.

const vectorKind: FileKind = { magic: 'SLvc', version: 2, packed: true }

const vectorKeyBytes = 16

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
  return encodeFile(vectorKind, head, {
    keys: Buffer.from(keys.join(''), 'latin1'),
    scales: new Uint8Array(scales.buffer),
    rows: new Uint8Array(values.buffer),
  })
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
  return openFile<Head, number>(vectorKind, path, ({ about, read }) => {
    const keys = about.embedder === embedder ? read('keys') : null
    if (!keys) return null
    const names = splitKeys(bufferOf(keys).toString('latin1'))
    const wanted = names.flatMap((key, at) => (isWanted(key) ? [{ key, at }] : []))
    if (wanted.length === 0) return 0
    const { dimensions } = about
    const [scales, rows] = [read('scales'), read('rows')]
    if (!scales || rows?.length !== names.length * dimensions) return null
    const scale = new Float32Array(scales.buffer, scales.byteOffset, scales.length >> 2)
    const values = new Int8Array(rows.buffer, rows.byteOffset, rows.length)
    for (const { key, at } of wanted) {
      const row = values.subarray(at * dimensions, (at + 1) * dimensions)
      take(key, { values: row, scale: scale[at] ?? 0 }, dimensions)
    }
    return wanted.length
  })
}

function splitKeys(text: string): string[] {
  return Array.from({ length: text.length / vectorKeyBytes }, (_, at) =>
    text.slice(at * vectorKeyBytes, (at + 1) * vectorKeyBytes),
  )
}
