/** The vectors of one tree, ready to be scanned. */
import { openRowMemory, type RowMemory, strideOf } from './kernel/kernel.ts'
import { quantizeQuery, type Scaled } from './quantize.ts'

export class VectorMatrix {
  readonly dimensions: number
  readonly count: number
  private readonly memory: RowMemory
  private readonly scales: Float32Array
  private readonly stride: number

  /** `kind` as in `openRowMemory`. */
  constructor(count: number, dimensions: number, kind?: RowMemory['kind']) {
    this.count = count
    this.dimensions = dimensions
    this.stride = strideOf(dimensions)
    this.scales = new Float32Array(count)
    this.memory = openRowMemory(count, dimensions, kind)
  }

  set(row: number, { values, scale }: Scaled<Int8Array>): void {
    this.memory.rows.set(values.subarray(0, this.dimensions), row * this.stride)
    this.scales[row] = scale
  }

  /** What `set` was given, for writing it elsewhere. */
  rowAt(row: number): Scaled<Int8Array> {
    const from = row * this.stride
    return { values: this.memory.rows.slice(from, from + this.dimensions), scale: this.scales[row] ?? 0 }
  }

  /** The cosine of each row with the query; 0 for rows that were not set. Null when the query has no direction. */
  similarities(query: ArrayLike<number>): Float64Array | null {
    const asked = query.length === this.dimensions ? quantizeQuery(query) : null
    if (!asked) return null
    const dots = this.memory.dots(asked.values)
    const found = new Float64Array(this.count)
    for (let row = 0; row < this.count; row++)
      found[row] = (dots[row] ?? 0) * (this.scales[row] ?? 0) * asked.scale
    return found
  }
}
