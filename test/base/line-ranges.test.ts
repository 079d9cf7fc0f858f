/** The last of many ranges that a line is in, against a search of all of them. */
import { expect, test } from 'vitest'
import { type LineRange, lastAround } from '../../src/base/line-ranges.ts'
import { Random } from '../helpers/random.ts'

test('of random ranges, nested, overlapping and out of bounds, the same as by a search', () => {
  const random = new Random(34)
  for (let round = 0; round < 300; round++) {
    const lineCount = random.between(0, 30)
    const ranges = Array.from({ length: random.between(0, 12) }, (): LineRange => {
      const startLine = random.between(1, 32)
      return { startLine, endLine: startLine + random.between(-1, 12) }
    })
    const find = lastAround(ranges, lineCount)
    for (let line = 1; line <= lineCount; line++)
      expect(find(line)).toBe(
        ranges.findLastIndex(({ startLine, endLine }) => startLine <= line && line <= endLine),
      )
  }
})
