/** The last steps before the reader: safe text, safe JSON, and the exit code. */
import { expect, test } from 'vitest'
import { asciiJson, escapeJsonText } from '../../src/cli/output/ascii-json.ts'
import { exitCodeOf } from '../../src/cli/output/exit-code.ts'
import { keepColors } from '../../src/cli/output/keep-colors.ts'
import type { Review } from '../../src/index.ts'

test('colours pass, everything else that a terminal obeys does not', () => {
  expect(keepColors('\u001b[1;31mred\u001b[0m\ttab\nline')).toBe('\u001b[1;31mred\u001b[0m\ttab\nline')
  expect(keepColors('\u001b]0;title\u0007\u001b[2J\u001b[H\u009b31m\rgone\b')).toBe(']0;title[2J[H31mgone')
  expect(keepColors('\u0007[31mno escape before it')).toBe('[31mno escape before it')
})

test('JSON stays the same value and holds no hidden character', () => {
  const value = { text: 'a\u0007\u009b\u202e\u2028\u{e0041}é🔴', list: [1, null] }
  for (const json of [asciiJson(value), escapeJsonText(JSON.stringify(value, null, 2))]) {
    expect(JSON.parse(json)).toEqual(value)
    expect(json.replaceAll('\n', '')).toMatch(/^[^\p{Cc}\p{Cf}\u2028]+$/u)
    expect(json).toContain('é🔴')
  }
})

type Part = { severity: 'critical' | 'high' | 'medium' | 'low'; preExisting?: boolean }

function code(
  findings: Part[],
  complete: boolean,
  failOn: 'high' | 'low' | 'never',
  requireComplete = false,
) {
  const all = findings.map(({ severity, preExisting = false }) => ({ severity, preExisting }))
  // Only these parts of a review count for its exit code.
  return exitCodeOf({ findings: all, coverage: { complete } } as Pick<Review, 'findings' | 'coverage'>, {
    failOn,
    requireComplete,
  })
}

test('the exit code follows from severity, coverage and what was asked', () => {
  expect(code([], true, 'high')).toBe(0)
  expect(code([{ severity: 'medium' }], true, 'high')).toBe(0)
  expect(code([{ severity: 'high' }], true, 'high')).toBe(1)
  expect(code([{ severity: 'critical' }], true, 'high')).toBe(1)
  expect(code([{ severity: 'critical' }], true, 'never')).toBe(0)
  expect(code([{ severity: 'critical', preExisting: true }], true, 'low')).toBe(0)
  expect(code([], false, 'high')).toBe(0)
  expect(code([], false, 'high', true)).toBe(4)
  expect(code([{ severity: 'high' }], false, 'high', true)).toBe(1)
})
