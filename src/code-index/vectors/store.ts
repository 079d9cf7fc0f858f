/** Vectors of chunks on disk, by embedder and by what was embedded: moves and branches share them. */
import { join } from 'node:path'
import { sha256 } from '../../base/canonical-json.ts'
import { IndexFolder } from '../search/index/folder.ts'
import type { Scaled } from './quantize.ts'
import { encodeVectors, readVectors } from './segment.ts'

export type KeptVectors = {
  /** Null when none of the keys was found. */
  dimensions: number | null
  rows: ReadonlyMap<string, Scaled<Int8Array>>
}

const mostLookedAt = 2_000
/** So many files for one tree are made fewer, each of at most so many rows. */
const mostSmall = 24
const fullSegment = 16_384

export class VectorStore {
  private readonly embedder: string
  private readonly folder: IndexFolder | null
  /** What could not be written is at hand in this process. */
  private readonly inMemory = new Map<string, Scaled<Int8Array>>()
  private dimensions: number | null = null

  /** `embedder` names model, dimensions and all else on which a vector depends. */
  constructor(cacheFolder: string | null, embedder: string) {
    this.embedder = embedder
    this.folder =
      cacheFolder === null
        ? null
        : new IndexFolder(join(cacheFolder, 'vectors-1', sha256(embedder).slice(0, 32)), '.vec')
  }

  /** Rows of one length only: those of another, left by a model that changed, are passed over. */
  load(keys: ReadonlySet<string>): KeptVectors {
    const rows = new Map<string, Scaled<Int8Array>>()
    for (const [key, row] of this.inMemory) if (keys.has(key)) rows.set(key, row)
    let small = 0
    for (const name of this.folder?.names(mostLookedAt) ?? []) {
      if (rows.size === keys.size) break
      const taken = readVectors(
        this.folder?.pathOf(name) ?? '',
        this.embedder,
        (key) => keys.has(key) && !rows.has(key),
        (key, row, dimensions) => {
          this.dimensions ??= dimensions
          if (dimensions === this.dimensions) rows.set(key, row)
        },
      )
      if (!taken) continue
      this.folder?.touch(name)
      if (taken < fullSegment / 2) small++
    }
    if (small > mostSmall) this.merge(rows)
    return { dimensions: rows.size > 0 ? this.dimensions : null, rows }
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
  private merge(rows: ReadonlyMap<string, Scaled<Int8Array>>): void {
    const all = [...rows].sort(([a], [b]) => (a < b ? -1 : 1))
    for (let from = 0; from < all.length; from += fullSegment)
      this.add(new Map(all.slice(from, from + fullSegment)), this.dimensions ?? 0)
    this.folder?.tidy()
  }
}
