/** Manifests through writing and reading, whole and as differences; and the order of paths that git has. */
import { expect, test } from 'vitest'
import {
  applyDifference,
  comparePaths,
  decodeManifest,
  encodeDifference,
  encodeWhole,
  noPlace,
} from '../../../src/code-index/tree-index/manifest.ts'
import type { TreeEntry } from '../../../src/domain/snapshot.ts'
import { Random } from '../../helpers/random.ts'

const id = (number: number): string => number.toString(16).padStart(40, '0')

function entry(path: string, number: number, size: number | null = number): TreeEntry {
  return { path, mode: '100644', blob: id(number), size }
}

const whole = {
  tree: id(1),
  segments: [{ name: 'a.words', units: 9 }],
  entries: [entry('a/b', 1), { path: 'a/link', mode: '120000', blob: id(2), size: 4 }, entry('é\n', 3, null)],
  places: Uint32Array.from([0, noPlace, noPlace]),
}

test('a whole manifest comes back as it was; the empty tree too', () => {
  expect(decodeManifest(encodeWhole(whole), () => null)).toEqual({ manifest: whole, difference: null })
  const empty = { tree: id(2), segments: [], entries: [], places: new Uint32Array() }
  expect(decodeManifest(encodeWhole(empty), () => null)?.manifest).toEqual(empty)
})

test('a difference needs the manifest it goes by', () => {
  const difference = { base: id(1), changed: [{ ...entry('a/c', 5), place: 4 }], gone: ['a/link'] }
  const bytes = encodeDifference(id(9), whole.segments, difference)
  expect(decodeManifest(bytes, () => null)).toBeNull()
  const found = decodeManifest(bytes, (tree) => (tree === id(1) ? whole : null))
  expect(found?.manifest.entries.map(({ path }) => path)).toEqual(['a/b', 'a/c', 'é\n'])
  expect([...(found?.manifest.places ?? [])]).toEqual([0, 4, noPlace])
  expect(found?.difference).toEqual(difference)
})

test('paths are in the order of their bytes', () => {
  const paths = ['a', 'a.b', 'a/c', 'a0', 'é', '\uff5e', '😀', 'ab', 'A', 'a\u0001']
  const byBytes = paths.toSorted((one, two) => Buffer.compare(Buffer.from(one), Buffer.from(two)))
  expect(paths.toSorted(comparePaths)).toEqual(byBytes)
})

test('applying a difference is the same as listing anew', () => {
  const random = new Random(3)
  const paths = ['a', 'a.b', 'a/c', 'a/😀', 'a/\uff5e', 'b', 'c/d/e', 'z']
  for (let round = 0; round < 200; round++) {
    const before = new Map(paths.filter(() => random.chance(0.6)).map((path, at) => [path, at]))
    const after = new Map(paths.filter(() => random.chance(0.6)).map((path) => [path, random.between(0, 9)]))
    const listed = (tree: ReadonlyMap<string, number>) =>
      [...tree].map(([path, number]) => entry(path, number)).sort((x, y) => comparePaths(x.path, y.path))
    const placed = (entries: readonly TreeEntry[]) => Uint32Array.from(entries, ({ size }) => size ?? 0)
    const changed = listed(after)
      .filter(({ path, size }) => before.get(path) !== size)
      .map((one) => ({ ...one, place: one.size ?? 0 }))
    const gone = [...before.keys()].filter((path) => !after.has(path))
    const old = listed(before)
    const found = applyDifference(
      { entries: old, places: placed(old) },
      { changed: random.chance(0.5) ? changed : changed.reverse(), gone },
    )
    expect(found.entries).toEqual(listed(after))
    expect([...found.places]).toEqual([...placed(listed(after))])
  }
})
