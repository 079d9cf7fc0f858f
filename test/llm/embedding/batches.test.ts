/** Texts are cut at whole characters, and calls at both limits. */
import { expect, test } from 'vitest'
import { cutToTokens, estimatedTokens, planBatches } from '../../../src/llm/embedding/embed-all.ts'

test('a text is cut at a whole character', () => {
  expect(cutToTokens('abcdef', 2)).toBe('abcdef')
  expect(cutToTokens('abcdefg', 2)).toBe('abcdef')
  expect(cutToTokens('aaaa名前', 2)).toBe('aaaa')
  expect(cutToTokens('名前', 1)).toBe('名')
  expect(cutToTokens('😀😀', 1)).toBe('')
  expect(estimatedTokens('名前')).toBe(2)
})

test('calls hold at most so many texts and tokens; a text too large for any call goes alone', () => {
  const limits = { inputs: 3, tokens: 10 }
  expect(planBatches([1, 1, 1, 1], limits)).toEqual([
    { from: 0, to: 3 },
    { from: 3, to: 4 },
  ])
  expect(planBatches([6, 4, 1], limits)).toEqual([
    { from: 0, to: 2 },
    { from: 2, to: 3 },
  ])
  expect(planBatches([3, 99, 3], limits)).toEqual([
    { from: 0, to: 1 },
    { from: 1, to: 2 },
    { from: 2, to: 3 },
  ])
  expect(planBatches([], limits)).toEqual([])
})
