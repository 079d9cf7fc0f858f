/** Vectors as whole numbers: made one long, then scaled so that their largest part fills the range. */

/** Parts of a row lie within ±127. */
const largestInRow = 127
/** Of a query within ±2,047: 4,096 products with a row still fit into 32 bits. */
const largestInQuery = 2_047

/** The share that one step of the whole numbers is of the vector of length one. */
export type Scaled<Values> = { values: Values; scale: number }

/** Null for a vector that is empty, all zeros, or holds what is no number. */
export function quantizeRow(vector: ArrayLike<number>): Scaled<Int8Array> | null {
  const factors = factorsOf(vector, largestInRow)
  return factors && { values: Int8Array.from(vector, factors.toWhole), scale: factors.scale }
}

export function quantizeQuery(vector: ArrayLike<number>): Scaled<Int16Array> | null {
  const factors = factorsOf(vector, largestInQuery)
  return factors && { values: Int16Array.from(vector, factors.toWhole), scale: factors.scale }
}

/** Cosine of the angle between two vectors; 0 when either has no direction. */
export function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let dot = 0
  let squaresA = 0
  let squaresB = 0
  for (let at = 0; at < Math.min(a.length, b.length); at++) {
    dot += (a[at] ?? 0) * (b[at] ?? 0)
    squaresA += (a[at] ?? 0) ** 2
    squaresB += (b[at] ?? 0) ** 2
  }
  const lengths = Math.sqrt(squaresA) * Math.sqrt(squaresB)
  return lengths > 0 && a.length === b.length ? dot / lengths : 0
}

type Factors = { toWhole: (part: number) => number; scale: number }

function factorsOf(vector: ArrayLike<number>, range: number): Factors | null {
  let squares = 0
  let largest = 0
  for (let at = 0; at < vector.length; at++) {
    const part = vector[at] ?? 0
    squares += part * part
    largest = Math.max(largest, Math.abs(part))
  }
  const length = Math.sqrt(squares)
  if (!(length > 0) || !Number.isFinite(length) || !(largest > 0)) return null
  // A single precision scale, as it is kept.
  const toWhole = range / largest
  return { toWhole: (part) => Math.round(part * toWhole), scale: Math.fround(largest / length / range) }
}
