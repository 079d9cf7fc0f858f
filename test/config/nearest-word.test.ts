import { expect, test } from 'vitest'
import { editDistance, nearestWord } from '../../src/config/nearest-word.ts'

test('the distance counts letters inserted, deleted, replaced and swapped', () => {
  expect(editDistance('', 'abc')).toBe(3)
  expect(editDistance('kitten', 'sitting')).toBe(3)
  expect(editDistance('falion', 'failon')).toBe(1)
  expect(editDistance('same', 'same')).toBe(0)
})

test('the nearest word is told only when it is near', () => {
  expect(nearestWord('reveiw', ['demo', 'review'])).toBe('review')
  expect(nearestWord('FAILON', ['failOn'])).toBe('failOn')
  expect(nearestWord('banana', ['demo', 'review'])).toBeNull()
  expect(nearestWord('x'.repeat(100_000), ['review'])).toBeNull()
})
