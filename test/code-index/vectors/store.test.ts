/** Vectors on disk: shared, merged, and never those of another embedder, another length, or of a damaged file. */
import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { quantizeRow, type Scaled } from '../../../src/code-index/vectors/quantize.ts'
import { VectorStore } from '../../../src/code-index/vectors/store.ts'
import { temporaryFolder } from '../../helpers/git-repo.ts'

const keyOf = (number: number): string => String(number).padStart(16, '0')

function row(number: number, dimensions = 8): Scaled<Int8Array> {
  const scaled = quantizeRow(
    Float32Array.from({ length: dimensions }, (_, at) => ((number + at * 7) % 11) + 1),
  )
  if (!scaled) throw new Error('no row')
  return scaled
}

function load(store: VectorStore, numbers: readonly number[]): Map<string, Scaled<Int8Array>> {
  const found = new Map<string, Scaled<Int8Array>>()
  store.load(new Set(numbers.map(keyOf)), (key, { values, scale }) =>
    found.set(key, { values: values.slice(), scale }),
  )
  return found
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.vec'))
    .map((name) => join(folder, name))
}

test('what one process adds another finds, and only under the same embedder', () => {
  const folder = temporaryFolder()
  expect(
    new VectorStore(folder, 'a').add(
      new Map([
        [keyOf(1), row(1)],
        [keyOf(2), row(2)],
      ]),
      8,
    ),
  ).toBe(true)
  expect(load(new VectorStore(folder, 'a'), [1, 2, 3])).toEqual(
    new Map([
      [keyOf(1), row(1)],
      [keyOf(2), row(2)],
    ]),
  )
  expect(load(new VectorStore(folder, 'b'), [1]).size).toBe(0)
})

test('rows of another length are passed over', () => {
  const folder = temporaryFolder()
  new VectorStore(folder, 'a').add(new Map([[keyOf(1), row(1, 8)]]), 8)
  const store = new VectorStore(folder, 'a')
  store.add(new Map([[keyOf(2), row(2, 16)]]), 16)
  expect([...load(store, [1, 2]).keys()]).toEqual([keyOf(2)])
})

test('many small files become few, with the same rows', () => {
  const folder = temporaryFolder()
  const numbers = Array.from({ length: 40 }, (_, at) => at)
  for (const number of numbers) new VectorStore(folder, 'a').add(new Map([[keyOf(number), row(number)]]), 8)
  const small = filesIn(folder)
  const first = load(new VectorStore(folder, 'a'), numbers)
  expect([first.size, filesIn(folder).length]).toEqual([40, 41])
  for (const path of small) truncateSync(path, 10)
  expect(load(new VectorStore(folder, 'a'), numbers)).toEqual(first)
})

test('damaged, torn and newer files are left alone, and the rest is found', () => {
  const folder = temporaryFolder()
  for (const number of [1, 2, 3, 4])
    new VectorStore(folder, 'a').add(new Map([[keyOf(number), row(number)]]), 8)
  const files = filesIn(folder)
  const bytes = files.map((path) => readFileSync(path))
  const [torn = '', flipped = '', newer = ''] = files
  truncateSync(torn, 60)
  const changed = Buffer.from(bytes[1] ?? [])
  changed.writeUInt8(changed.readUInt8(changed.length - 1) ^ 1, changed.length - 1)
  writeFileSync(flipped, changed)
  const later = Buffer.from(bytes[2] ?? [])
  later.writeUInt32LE(99, 4)
  writeFileSync(newer, later)
  expect(load(new VectorStore(folder, 'a'), [1, 2, 3, 4]).size).toBe(1)
  expect(readFileSync(newer)).toEqual(later)
})

test('what cannot be written is at hand in this process', () => {
  const folder = join(temporaryFolder(), 'file')
  writeFileSync(folder, '')
  const store = new VectorStore(folder, 'a')
  expect(store.add(new Map([[keyOf(1), row(1)]]), 8)).toBe(false)
  expect(load(store, [1])).toEqual(new Map([[keyOf(1), row(1)]]))
  expect(load(new VectorStore(folder, 'a'), [1]).size).toBe(0)
})
