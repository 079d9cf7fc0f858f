/** The sample of the slow suites: by the seed alone, of every kind, and of suites that exist. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../sightline.ts'
import { sampleOf } from './choose.ts'
import { testsOfSlow } from './slow-suites.ts'

const tests = ['a', 'b', 'c'].flatMap((kind) =>
  Array.from({ length: kind === 'c' ? 1 : 6 }, (_, at) => ({ kind, name: `${kind}${at}` })),
)
const namesOf = (most: number, seed: number, of = tests) =>
  [...sampleOf(of, most, seed)].map(({ name }) => name).sort()

test('the same seed chooses the same tests, another one others; none is out of reach', () => {
  expect(namesOf(4, 1)).toEqual(namesOf(4, 1))
  const seen = new Set(Array.from({ length: 50 }, (_, seed) => namesOf(2, seed)).flat())
  expect(seen.size).toBe(tests.length)
})

test('of every kind one before a second of any, and never more than there are', () => {
  for (let seed = 0; seed < 20; seed++) {
    expect(new Set(namesOf(3, seed).map((name) => name[0])).size).toBe(3)
    expect(namesOf(100, seed)).toHaveLength(tests.length)
  }
})

test('a new test takes the place of one at most', () => {
  const more = [...tests, { kind: 'a', name: 'new' }]
  for (let seed = 0; seed < 20; seed++) {
    const before = namesOf(5, seed)
    expect(namesOf(5, seed, more).filter((name) => !before.includes(name)).length).toBeLessThan(2)
  }
})

test('every slow suite that is listed exists', () => {
  expect([...testsOfSlow.keys()].filter((path) => !existsSync(join(root, path)))).toEqual([])
})
