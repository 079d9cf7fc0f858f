/** The kernel is what its text says, and gives the same numbers as plain JavaScript. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { assembleKernel, kernelConstant, kernelConstantPath } from '../../../scripts/kernel-bytes.ts'
import { openRowMemory, strideOf, VectorMatrix } from '../../../src/code-index/vectors/matrix.ts'
import { cosine, quantizeQuery, quantizeRow } from '../../../src/code-index/vectors/quantize.ts'
import { Random } from '../../helpers/random.ts'

test('the committed bytes are those of dots.wat', async () => {
  expect(readFileSync(kernelConstantPath, 'utf8')).toBe(kernelConstant(await assembleKernel()))
})

function randomVector(random: Random, dimensions: number): Float32Array {
  return Float32Array.from({ length: dimensions }, () => random.between(0, 2_000) - 1_000)
}

test.each([1, 8, 31, 32, 33, 100, 512, 1_000, 4_096])(
  '%i dimensions: both ways give the same dots',
  (dimensions) => {
    const random = new Random(dimensions)
    const count = 37
    const [wasm, plain] = (['wasm', 'javascript'] as const).map((kind) =>
      openRowMemory(count, dimensions, kind),
    )
    if (!wasm || !plain) throw new Error('no memory')
    const stride = strideOf(dimensions)
    for (let row = 0; row < count; row++)
      for (let at = 0; at < dimensions; at++) {
        const value = row === 0 ? 127 : row === 1 ? -127 : random.between(0, 254) - 127
        wasm.rows[row * stride + at] = value
        plain.rows[row * stride + at] = value
      }
    const query = Int16Array.from({ length: dimensions }, (_, at) =>
      at % 7 === 0 ? 2_047 : random.between(0, 4_094) - 2_047,
    )
    const [fast, slow] = [[...wasm.dots(query)], [...plain.dots(query)]]
    expect(fast).toEqual(slow)
    // The largest there is still fits.
    const full = new Int16Array(dimensions).fill(2_047)
    expect(wasm.dots(full)[0]).toBe(dimensions * 127 * 2_047)
    expect(wasm.dots(full)[1]).toBe(-dimensions * 127 * 2_047)
  },
)

test('cosines of whole numbers are near those of the vectors', () => {
  const random = new Random(3)
  const vectors = Array.from({ length: 200 }, () => randomVector(random, 256))
  const query = randomVector(random, 256)
  const [wasm, plain] = (['wasm', 'javascript'] as const).map((kind) => {
    const matrix = new VectorMatrix(vectors.length, 256, kind)
    for (const [row, vector] of vectors.entries()) {
      const scaled = quantizeRow(vector)
      if (scaled) matrix.set(row, scaled)
    }
    return [...(matrix.similarities(query) ?? [])]
  })
  expect(wasm).toEqual(plain)
  for (const [row, vector] of vectors.entries())
    expect(Math.abs((wasm?.[row] ?? 9) - cosine(vector, query))).toBeLessThan(0.01)
})

test('what has no direction is refused; rows that were not set are like nothing', () => {
  expect(quantizeRow([])).toBeNull()
  expect(quantizeRow([0, 0])).toBeNull()
  expect(quantizeRow([1, Number.NaN])).toBeNull()
  expect(quantizeQuery([1, Number.POSITIVE_INFINITY])).toBeNull()
  const matrix = new VectorMatrix(2, 3)
  matrix.set(1, quantizeRow([1, 2, 3]) ?? { values: new Int8Array(), scale: 0 })
  expect(matrix.similarities([1, 2])).toBeNull()
  const [none = 9, same = 9] = matrix.similarities([2, 4, 6]) ?? []
  expect(none).toBe(0)
  expect(same).toBeCloseTo(1, 2)
})
