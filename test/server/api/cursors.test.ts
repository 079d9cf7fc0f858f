import { expect, test } from 'vitest'
import { numberIn, shownBefore } from '../../../src/server/api/cursors.ts'

test('a list begins without a cursor', () => {
  expect(numberIn(undefined)).toBeNull()
  expect(shownBefore(undefined)).toBe(0)
})

test('a cursor is a number of so many digits, and anything else is refused', () => {
  expect(numberIn('999999999999999')).toBe(999_999_999_999_999)
  expect(shownBefore('999999999')).toBe(999_999_999)
  for (const wrong of ['', '-1', '1.5', '1e3', ' 1', 'next', '1000000000000000'])
    expect(() => numberIn(wrong), wrong).toThrow('cursor: is not one of this list')
  expect(() => shownBefore('1000000000')).toThrow('cursor: is not one of this list')
})
