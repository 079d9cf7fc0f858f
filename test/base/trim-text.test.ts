import { expect, test } from 'vitest'
import { joinLines, trimTrailing } from '../../src/base/trim-text.ts'

test('only the characters asked for are cut, and only at the end', () => {
  expect(trimTrailing('//a/b//', '/')).toBe('//a/b')
  expect(trimTrailing('a\r\n\n', '\r\n')).toBe('a')
  expect(trimTrailing('///', '/')).toBe('')
})

test('lines are joined by one space, whatever stands around their ends', () => {
  expect(joinLines('fix: a\t \n\n   and b')).toBe('fix: a and b')
  expect(joinLines(`fix:${' '.repeat(1_000_000)}x`)).toHaveLength(1_000_005)
})
