/** The vectors of one tree, ready to be scanned. */
import { dotsBase64 } from './kernel/dots-bytes.ts'
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

// Dot products of a query with many rows: by WebAssembly where it runs, else the same numbers in plain JavaScript.

/** Rows of 8-bit words in memory that the kernel owns. */
interface RowMemory {
  readonly kind: 'wasm' | 'javascript'
  /** All rows, `stride` bytes each; to be filled by the caller. */
  readonly rows: Int8Array
  /** One dot product per row, valid until the next call. `query` is at most `stride` long. */
  dots(query: Int16Array): Int32Array
}

/** Rows are padded with zeros to a multiple of this, in bytes. */
const step = 32
const pageBytes = 65_536

/** The part of WebAssembly's interface that is used; the libraries of this floor do not know it. */
type Wasm = {
  Module: new (bytes: Uint8Array) => object
  Instance: new (
    module: object,
  ) => {
    exports: {
      memory: { buffer: ArrayBuffer; grow(pages: number): number }
      dots(query: number, rows: number, count: number, stride: number, out: number): void
    }
  }
}

export function strideOf(dimensions: number): number {
  return Math.ceil(dimensions / step) * step
}

/** `kind` is for tests and benches; without it the quickest that runs here is taken. */
export function openRowMemory(count: number, dimensions: number, kind?: RowMemory['kind']): RowMemory {
  const stride = strideOf(dimensions)
  if (kind !== 'javascript') {
    try {
      return wasmMemory(count, stride)
    } catch (error) {
      // No SIMD here, or no memory of that size in one piece.
      if (kind === 'wasm') throw error
    }
  }
  return plainMemory(count, stride)
}

function wasmMemory(count: number, stride: number): RowMemory {
  const { Module, Instance } = Reflect.get(globalThis, 'WebAssembly') as Wasm
  const { memory, dots } = new Instance(new Module(Buffer.from(dotsBase64, 'base64'))).exports
  const outAt = stride * 2
  const rowsAt = outAt + Math.ceil((count * 4) / step) * step
  const pages = Math.ceil((rowsAt + count * stride) / pageBytes)
  if (pages > 1) memory.grow(pages - 1)
  return {
    kind: 'wasm',
    rows: new Int8Array(memory.buffer, rowsAt, count * stride),
    dots(query) {
      const place = new Int16Array(memory.buffer, 0, stride)
      place.fill(0)
      place.set(query)
      dots(0, rowsAt, count, stride, outAt)
      return new Int32Array(memory.buffer, outAt, count)
    },
  }
}

function plainMemory(count: number, stride: number): RowMemory {
  const rows = new Int8Array(count * stride)
  const out = new Int32Array(count)
  return {
    kind: 'javascript',
    rows,
    dots(query) {
      const length = query.length
      for (let row = 0; row < count; row++) {
        const from = row * stride
        let sum = 0
        for (let at = 0; at < length; at++) sum += (query[at] ?? 0) * (rows[from + at] ?? 0)
        out[row] = sum
      }
      return out
    },
  }
}
