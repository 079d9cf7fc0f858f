/** One byte sequence per value, whatever order its keys came in. */
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { canonicalJson, sha256, updateCanonically } from '../../src/base/canonical-json.ts'
import { Random } from '../helpers/random.ts'

test.each([
  [
    {
      b: 1,
      a: [
        { d: 1, c: undefined },
        { c: 2, d: 1 },
      ],
    },
    { a: [{ d: 1 }, { d: 1, c: 2 }], b: 1 },
    '{"a":[{"d":1},{"c":2,"d":1}],"b":1}',
  ],
  [{ z: { y: { x: null, w: 0 } } }, { z: { y: { w: 0, x: null } } }, '{"z":{"y":{"w":0,"x":null}}}'],
  [[undefined, { b: 1, a: undefined }], [null, { b: 1 }], '[null,{"b":1}]'],
  ['é', 'é', '"é"'],
])('%j', (one, other, json) => {
  expect(canonicalJson(one)).toBe(json)
  expect(canonicalJson(other)).toBe(json)
})

test('what says itself how it is written, and names that an object has anyway', () => {
  const when = new Date(0)
  expect(canonicalJson({ when, constructor: 1, a: { toJSON: () => ({ d: 1, c: 2 }) } })).toBe(
    '{"a":{"c":2,"d":1},"constructor":1,"when":"1970-01-01T00:00:00.000Z"}',
  )
})

const names = ['a', 'b', 'B', '_', 'é', 'ﬀ', '\ud83d\ude00', '', 'constructor', 'a"b']
const leaves = [null, 0, -1.5, '', 'ü"\u2028', true, undefined, [], {}, new Date(0)]

/** A value in another order of its keys, wherever it has some. */
function draw(random: Random, depth: number): [value: unknown, same: unknown] {
  if (depth === 0 || random.chance(0.2)) {
    const leaf = leaves[random.between(0, leaves.length - 1)]
    return [leaf, leaf]
  }
  const inner = () => draw(random, depth - 1)
  if (random.chance(0.4)) {
    const items = Array.from({ length: random.between(0, 4) }, inner)
    return [items.map(([one]) => one), items.map(([, other]) => other)]
  }
  const entries = random
    .shuffled(names)
    .slice(random.between(0, 9))
    .map((name) => [name, inner()] as const)
  return [
    Object.fromEntries(entries.map(([name, [one]]) => [name, one])),
    Object.fromEntries(random.shuffled(entries).map(([name, [, other]]) => [name, other])),
  ]
}

test('whole or in pieces, in whatever order, one value has one hash', () => {
  const random = new Random(20261313)
  for (let round = 0; round < 100; round++) {
    const [value, same] = draw(random, 5)
    const whole = { value }
    const json = canonicalJson(whole)
    expect(canonicalJson({ value: same })).toBe(json)
    const hash = createHash('sha256')
    updateCanonically(hash, { value: same })
    expect(hash.digest('hex')).toBe(sha256(json))
  }
  const numbered = createHash('sha256')
  updateCanonically(numbered, { b: 1, 10: 2, 9: 3 })
  expect(numbered.digest('hex')).toBe(sha256(canonicalJson({ b: 1, 10: 2, 9: 3 })))
})
