/** One byte sequence per value, whatever order its keys came in. */
import { expect, test } from 'vitest'
import { canonicalJson } from '../../src/base/canonical-json.ts'

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
