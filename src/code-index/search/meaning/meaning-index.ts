/** The vectors of a tree's chunks: which there are, which are missing, and which are like a query. */
import { bestRows, type Scored } from '../../lexical/bm25.ts'
import { shortHash } from '../../segments/blob-words.ts'
import { VectorMatrix } from '../../vectors/matrix.ts'
import { quantizeRow, type Scaled } from '../../vectors/quantize.ts'
import type { VectorStore } from '../../vectors/store.ts'
import type { ChunkIndex } from '../index/chunk-index.ts'
import { nearPath } from './chunk-texts.ts'

export class MeaningIndex {
  private readonly store: VectorStore
  private readonly keys: readonly string[]
  /** Per document its row; chunks that are alike share one. */
  private readonly rowOf: Int32Array
  private readonly isSet: Uint8Array
  private matrix: VectorMatrix | null = null

  constructor(index: ChunkIndex, store: VectorStore) {
    this.store = store
    const rows = new Map<string, number>()
    this.rowOf = new Int32Array(index.size)
    for (const [document, key] of keysOf(index).entries()) {
      const row = rows.get(key) ?? rows.size
      rows.set(key, row)
      this.rowOf[document] = row
    }
    this.keys = [...rows.keys()]
    this.isSet = new Uint8Array(this.keys.length)
    store.load(new Set(this.keys), (key, row, dimensions) => this.set(rows.get(key) ?? 0, row, dimensions))
  }

  /** Chunks that differ, and how many of them have a vector. */
  get coverage(): { chunks: number; embedded: number } {
    return { chunks: this.keys.length, embedded: this.isSet.reduce((sum, one) => sum + one, 0) }
  }

  /** One document for each chunk without a vector: those of `first` first, then in order. */
  missing(first: readonly number[]): number[] {
    const seen = new Uint8Array(this.keys.length)
    const found: number[] = []
    const visit = (document: number): void => {
      const row = this.rowOf[document] ?? 0
      if (this.isSet[row] === 1 || seen[row] === 1) return
      seen[row] = 1
      found.push(document)
    }
    for (const document of first) visit(document)
    for (let document = 0; document < this.rowOf.length; document++) visit(document)
    return found
  }

  /** Keeps the vectors of these documents. False when they could not be written to disk. */
  add(documents: readonly number[], vectors: readonly Float32Array[]): boolean {
    const rows = new Map<string, Scaled<Int8Array>>()
    for (const [at, document] of documents.entries()) {
      const row = this.rowOf[document] ?? 0
      const scaled = quantizeRow(vectors[at] ?? [])
      if (!scaled) continue
      rows.set(this.keys[row] ?? '', scaled)
      this.set(row, scaled, scaled.values.length)
    }
    return this.store.add(rows, vectors[0]?.length ?? 0)
  }

  /** The nearest documents, best first; scores are cosines above 0. */
  nearest(query: Float32Array, limit: number): Scored[] {
    const similarities = this.matrix?.similarities(query)
    if (!similarities) return []
    return bestRows(
      Float64Array.from(this.rowOf, (row) => similarities[row] ?? 0),
      limit,
    )
  }

  private set(row: number, scaled: Scaled<Int8Array>, dimensions: number): void {
    this.matrix ??= new VectorMatrix(this.keys.length, dimensions)
    if (dimensions !== this.matrix.dimensions) return
    this.matrix.set(row, scaled)
    this.isSet[row] = 1
  }
}

/** What was embedded, in 16 characters: the chunk's own hash, and that of the end of its path. */
function keysOf(index: ChunkIndex): string[] {
  return Array.from({ length: index.fileCount }, (_, file) => file).flatMap((file) => {
    const { from, to } = index.documentsOfFile(file)
    const place = shortHash(nearPath(index.pathOf(file)))
    return Array.from({ length: to - from }, (__, at) => {
      const hash = index.hashOf(from + at)
      return Buffer.from(hash.map((byte, digit) => byte ^ (place[digit] ?? 0))).toString('latin1')
    })
  })
}
