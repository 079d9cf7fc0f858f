import { expect, test } from 'vitest'
import { bytesOfLines, linesWithin } from '../../src/base/line-bytes.ts'

test('a line counts in bytes, and its line feed with it', () => {
  expect(bytesOfLines([])).toBe(0)
  expect(bytesOfLines(['ab', '', 'é'])).toBe(3 + 1 + 3)
})

test('the lines that fit are those up to the first that does not', () => {
  const lines = ['ab', '', 'long line', 'c']
  expect(linesWithin(lines, 100)).toEqual(lines)
  expect(linesWithin(lines, bytesOfLines(lines))).toEqual(lines)
  expect(linesWithin(lines, 6)).toEqual(['ab', ''])
  expect(linesWithin(lines, 3)).toEqual(['ab'])
})

test('a first line that is too long leaves nothing', () => {
  expect(linesWithin(['ab', 'c'], 2)).toEqual([])
  expect(linesWithin(['', 'c'], 0)).toEqual([])
  expect(linesWithin(['ab'], -1)).toEqual([])
})
