/** Checks the vectors of an answer: as many as texts, in their order, all of one length, and numbers throughout. */
import { count as counted } from '../../base/count.ts'
import { RemoteError } from './remote-error.ts'

/** One vector as a provider writes it: numbers, or base64 of 32-bit floats. `index` is its text's place, if it says. */
export type WrittenRow = { index?: number; vector: unknown }

/** Throws `RemoteError` with `bad-answer`. `dimensions` null takes the length of the first. */
export function readRows(
  name: string,
  written: readonly WrittenRow[],
  count: number,
  dimensions: number | null,
): Float32Array[] {
  if (written.length !== count)
    throw bad(name, `${counted(written.length, 'vector')} for ${counted(count, 'text')}`)
  const rows = new Map<number, Float32Array>()
  for (const [at, { index = at, vector }] of written.entries()) {
    const row = toFloats(vector)
    if (!row) throw bad(name, 'something that is not a vector')
    if (!Number.isInteger(index) || index < 0 || index >= count || rows.has(index))
      throw bad(name, 'vectors whose places are not those of the texts')
    rows.set(index, row)
  }
  const length = dimensions ?? rows.get(0)?.length ?? 0
  const ordered = Array.from({ length: count }, (_, at) => rows.get(at) ?? new Float32Array())
  for (const row of ordered) {
    if (row.length !== length)
      throw bad(name, `a vector of ${counted(row.length, 'dimension')} instead of ${length}`)
    if (!row.some((part) => part !== 0) || !row.every(Number.isFinite))
      throw bad(name, 'a vector without a direction')
  }
  return ordered
}

function toFloats(vector: unknown): Float32Array | null {
  if (typeof vector === 'string') {
    const bytes = Buffer.from(vector, 'base64')
    if (bytes.length === 0 || bytes.length % 4 !== 0) return null
    return Float32Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4))
  }
  if (!Array.isArray(vector) || vector.length === 0) return null
  return vector.every((part) => typeof part === 'number') ? Float32Array.from(vector) : null
}

function bad(name: string, what: string): RemoteError {
  return new RemoteError('bad-answer', `${name} answered with ${what}`)
}
