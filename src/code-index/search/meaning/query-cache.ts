/** Earlier queries on one index: one that means nearly the same is answered as the earlier one was. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import { IndexFolder } from '../../index-files/index-folder.ts'
import { cosine } from '../../vectors/quantize.ts'
import type { Fused } from '../fuse.ts'

/** Nearer than this (cosine) is the same question. */
export const sameQuestion = 0.95

const mostEntries = 200

const Entry = z.object({
  query: z.string(),
  /** Names written out in it, in order: another name is another question, however near. */
  names: z.array(z.string()),
  /** 32-bit floats in base64. */
  vector: z.string(),
  limit: z.number(),
  order: z.array(
    z.object({ document: z.number(), score: z.number(), ranks: z.record(z.string(), z.number()) }),
  ),
  /** How often it was reused. */
  hits: z.number(),
})
type Entry = z.infer<typeof Entry>

export type CacheHit = { query: string; cosine: number; order: Fused[] }

export class QueryCache {
  private readonly folder: IndexFolder | null
  private readonly name: string
  private entries: Entry[]

  /** `index` names all that an answer depends on besides the query. */
  constructor(cacheFolder: string | null, index: readonly string[]) {
    this.folder = cacheFolder === null ? null : new IndexFolder(join(cacheFolder, 'queries-1'))
    this.name = `${createHash('sha256').update(JSON.stringify(index)).digest('hex').slice(0, 32)}.json`
    this.entries = this.read()
  }

  /** How often an answer on this index was reused. */
  get hits(): number {
    return this.entries.reduce((sum, { hits }) => sum + hits, 0)
  }

  /** The vector of exactly this query, if it was asked before. */
  vectorOf(query: string): Float32Array | null {
    const found = this.entries.find((entry) => entry.query === query)
    return found ? toFloats(found.vector) : null
  }

  /** The nearest earlier query that has at least so many hits to show; counted. */
  find(vector: Float32Array, names: readonly string[], limit: number): CacheHit | null {
    let best: { entry: Entry; near: number } | null = null
    for (const entry of this.entries) {
      if (entry.limit < limit || entry.names.join('\0') !== names.join('\0')) continue
      const near = cosine(vector, toFloats(entry.vector))
      if (near > sameQuestion && near > (best?.near ?? 0)) best = { entry, near }
    }
    if (!best) return null
    best.entry.hits++
    this.write()
    return { query: best.entry.query, cosine: best.near, order: best.entry.order }
  }

  add(entry: {
    query: string
    names: readonly string[]
    vector: Float32Array
    limit: number
    order: readonly Fused[]
  }): void {
    const { buffer, byteOffset, byteLength } = entry.vector
    const vector = Buffer.from(buffer, byteOffset, byteLength).toString('base64')
    this.entries = [
      ...this.entries.filter(({ query }) => query !== entry.query),
      { ...entry, names: [...entry.names], order: [...entry.order], vector, hits: 0 },
    ].slice(-mostEntries)
    this.write()
  }

  private read(): Entry[] {
    if (!this.folder) return []
    try {
      return z.array(Entry).parse(JSON.parse(this.folder.read(this.name)?.toString('utf8') ?? '[]'))
    } catch {
      return []
    }
  }

  /** Two processes that write at once: one's queries are asked again some day. */
  private write(): void {
    this.folder?.write(this.name, Buffer.from(JSON.stringify(this.entries)))
    this.folder?.removeUnused('.json')
  }
}

function toFloats(base64: string): Float32Array {
  const bytes = Uint8Array.from(Buffer.from(base64, 'base64'))
  return new Float32Array(bytes.buffer, 0, bytes.length >> 2)
}
