/**
 * Latent semantic analysis over the words of one tree: words that stand in the same chunks come near each other. A
 * truncated decomposition by random projection and a few rounds of refinement; the same tree gives the same vectors.
 */
import type { Embedder } from '../../src/llm/embedding/contract.ts'
import { featuresOf } from './local-embedders.ts'

/** `chunks`: all texts of the tree. Words of one chunk only, and of more than a fifth of all, do not count. */
export function latentEmbedder(chunks: readonly string[], dimensions: number, rounds = 3): Embedder {
  const rows = chunks.map((text) => featuresOf(text, false))
  const frequency = new Map<string, number>()
  for (const row of rows) for (const word of row.keys()) frequency.set(word, (frequency.get(word) ?? 0) + 1)
  const kept = [...frequency].filter(([, count]) => count > 1 && count < rows.length / 5)
  const numbers = new Map(kept.map(([word], number) => [word, number]))
  const idf = Float64Array.from(kept, ([, count]) => Math.log(rows.length / count))
  const sparse = rows.map((row) => sparseRow(row, numbers, idf))
  let words = randomMatrix(kept.length, dimensions)
  for (let round = 0; round < rounds; round++) {
    const documents = sparse.map((row) => project(row, words, dimensions))
    orthogonalise(documents, dimensions)
    words = kept.map(() => new Float32Array(dimensions))
    for (const [at, row] of sparse.entries())
      for (const { word, weight } of row) addTo(words[word], documents[at], weight)
    orthogonalise(words, dimensions)
  }
  return {
    id: {
      provider: 'local',
      model: 'latent',
      dimensions,
      dtype: 'float32',
      prefixes: { document: '', query: '' },
    },
    limits: { inputs: 1_000, tokens: 1e9, tokensPerInput: 1e6 },
    async embed(texts) {
      const vectors = texts.map((text) =>
        project(sparseRow(featuresOf(text, false), numbers, idf), words, dimensions),
      )
      for (const vector of vectors) if (!vector.some((part) => part !== 0)) vector[0] = 1e-6
      return { rows: vectors, usage: { calls: 1, tokens: 0 } }
    },
  }
}

type Sparse = { word: number; weight: number }[]

function sparseRow(
  row: ReadonlyMap<string, number>,
  numbers: ReadonlyMap<string, number>,
  idf: Float64Array,
): Sparse {
  const found: Sparse = []
  let squares = 0
  for (const [word, count] of row) {
    const number = numbers.get(word)
    if (number === undefined) continue
    const weight = (1 + Math.log(count)) * (idf[number] ?? 0)
    squares += weight ** 2
    found.push({ word: number, weight })
  }
  const length = Math.sqrt(squares) || 1
  return found.map(({ word, weight }) => ({ word, weight: weight / length }))
}

function project(row: Sparse, words: readonly Float32Array[], dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions)
  for (const { word, weight } of row) addTo(vector, words[word], weight)
  return vector
}

function addTo(target: Float32Array | undefined, source: Float32Array | undefined, weight: number): void {
  if (!target || !source) return
  for (let at = 0; at < target.length; at++) target[at] = (target[at] ?? 0) + weight * (source[at] ?? 0)
}

/** Gram-Schmidt over columns, in place. */
function orthogonalise(rows: readonly Float32Array[], dimensions: number): void {
  for (let column = 0; column < dimensions; column++) {
    for (let before = 0; before < column; before++) {
      let dot = 0
      for (const row of rows) dot += (row[column] ?? 0) * (row[before] ?? 0)
      for (const row of rows) row[column] = (row[column] ?? 0) - dot * (row[before] ?? 0)
    }
    let squares = 0
    for (const row of rows) squares += (row[column] ?? 0) ** 2
    const length = Math.sqrt(squares) || 1
    for (const row of rows) row[column] = (row[column] ?? 0) / length
  }
}

function randomMatrix(rows: number, columns: number): Float32Array[] {
  let state = 1
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return (state >>> 8) / 2 ** 24 - 0.5
  }
  return Array.from({ length: rows }, () => Float32Array.from({ length: columns }, next))
}
