/**
 * How long a scan of vectors takes, how much memory they take, and which of the true nearest it finds. Usage:
 * node --expose-gc bench/search/vectors.ts [--count 100000] [--dimensions 512] [--json FILE]. Clustered vectors from a
 * seed; beside the kernel the same in plain JavaScript, and 32-bit floats scanned by brute force.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { bestRows } from '../../src/code-index/lexical/bm25.ts'
import { VectorMatrix } from '../../src/code-index/vectors/matrix.ts'
import { quantizeRow } from '../../src/code-index/vectors/quantize.ts'
import { Random } from '../../test/helpers/random.ts'
import { rounded, at as shareOf } from '../figures.ts'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100000' },
    dimensions: { type: 'string', default: '512' },
    queries: { type: 'string', default: '50' },
    json: { type: 'string' },
  },
})
const [count, dimensions, queries] = [values.count, values.dimensions, values.queries].map(Number) as [
  number,
  number,
  number,
]

const random = new Random(7)
const centres = Array.from({ length: 200 }, () => gaussian(dimensions, 1))
const floats = new Float32Array(count * dimensions)
for (let row = 0; row < count; row++) floats.set(normal(near(row)), row * dimensions)
const asked = Array.from({ length: queries }, (_, at) => normal(near(at * 31)))

/** Found beforehand, so that looking for them does not empty the caches between two scans. */
const truths = asked.map((query) => new Set(bestRows(exact(query), 10).map(({ document }) => document)))

const before = memory()
const wasm = matrix('wasm')
const wasmBytes = memory() - before
const rows = [
  report('int8, WebAssembly', wasmBytes, (query) => wasm.similarities(query) ?? new Float64Array()),
  report('int8, JavaScript', 0, plainScan(matrix('javascript'))),
  report('float32, JavaScript', floats.byteLength, exact),
]
console.table(rows)
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(rows, null, 2)}\n`)

function matrix(kind: 'wasm' | 'javascript'): VectorMatrix {
  const made = new VectorMatrix(count, dimensions, kind)
  for (let row = 0; row < count; row++) {
    const scaled = quantizeRow(floats.subarray(row * dimensions, (row + 1) * dimensions))
    if (scaled) made.set(row, scaled)
  }
  return made
}

function plainScan(plain: VectorMatrix): (query: Float32Array) => Float64Array {
  return (query) => plain.similarities(query) ?? new Float64Array()
}

function report(
  what: string,
  bytes: number,
  scan: (query: Float32Array) => Float64Array,
): Record<string, string | number> {
  const times: number[] = []
  let found = 0
  for (const [at, query] of asked.entries()) {
    const truth = truths[at] ?? new Set()
    const start = performance.now()
    const best = bestRows(scan(query), 10)
    times.push(performance.now() - start)
    found += best.filter(({ document }) => truth.has(document)).length / truth.size
  }
  return {
    what,
    count,
    dimensions,
    'p50 ms': rounded(shareOf(times, 0.5)),
    'p95 ms': rounded(shareOf(times, 0.95)),
    'recall@10': rounded(found / asked.length),
    MB: bytes === 0 ? '' : Math.round(bytes / 1e6),
  }
}

/** Four sums at once, the quickest that plain code does. */
function exact(query: Float32Array): Float64Array {
  const scores = new Float64Array(count)
  for (let row = 0; row < count; row++) {
    const from = row * dimensions
    let [a, b, c, d] = [0, 0, 0, 0]
    for (let at = 0; at < dimensions; at += 4) {
      a += (query[at] ?? 0) * (floats[from + at] ?? 0)
      b += (query[at + 1] ?? 0) * (floats[from + at + 1] ?? 0)
      c += (query[at + 2] ?? 0) * (floats[from + at + 2] ?? 0)
      d += (query[at + 3] ?? 0) * (floats[from + at + 3] ?? 0)
    }
    scores[row] = a + b + c + d
  }
  return scores
}

/** A centre and as much of its own. */
function near(number: number): Float32Array {
  const own = gaussian(dimensions, 1)
  const centre = centres[number % centres.length]
  return own.map((part, at) => part + (centre?.[at] ?? 0))
}

function normal(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector)
  return vector.map((part) => part / length)
}

function gaussian(length: number, spread: number): Float32Array {
  return Float32Array.from(
    { length },
    () => (random.next() + random.next() + random.next() + random.next() - 2) * spread,
  )
}

function memory(): number {
  const collect = Reflect.get(globalThis, 'gc')
  if (typeof collect === 'function') collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
