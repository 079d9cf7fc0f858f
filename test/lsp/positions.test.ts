/** Positions as editors count them: the same place in three encodings, and edits that arrive in each of them. */
import { expect, test } from 'vitest'
import { chooseEncoding, Lines, unitsIn } from '../../src/lsp/positions.ts'

const text = 'a\r\n  å𝛼b\nlast'

test('an encoding is the first that both know, and UTF-16 for editors that name none', () => {
  expect(chooseEncoding(['utf-7', 'utf-32', 'utf-8'])).toBe('utf-32')
  expect(chooseEncoding(undefined)).toBe('utf-16')
  expect(chooseEncoding([])).toBe('utf-16')
})

test.each([
  ['utf-8', 8, 9],
  ['utf-16', 5, 6],
  ['utf-32', 4, 5],
] as const)('%s', (encoding, beforeB, end) => {
  const lines = new Lines(text)
  const at = lines.offsetAt({ line: 1, character: beforeB }, encoding)
  expect(text[at]).toBe('b')
  expect(unitsIn(lines.at(1), encoding)).toBe(end)
  expect(lines.rangeOf(2, 2, encoding)).toEqual({
    start: { line: 1, character: 2 },
    end: { line: 1, character: end },
  })
})

test('what lies beyond a line is its end, and beyond the last line that of the text', () => {
  const lines = new Lines(text)
  expect(lines.offsetAt({ line: 0, character: 99 }, 'utf-16')).toBe(1)
  expect(lines.offsetAt({ line: 9, character: 0 }, 'utf-8')).toBe(text.length)
  expect(lines.rangeOf(9, 12, 'utf-16').end).toEqual({ line: 2, character: 4 })
})
