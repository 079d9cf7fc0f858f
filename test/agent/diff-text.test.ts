/** Of a long line that changed, a model sees where it changed. */
import { expect, test } from 'vitest'
import { cutLine, numberedLines, taggedLines, widestLine } from '../../src/agent/diff-text.ts'
import type { DiffLine } from '../../src/domain/change-set.ts'
import { lineHash } from '../../src/domain/line-tag.ts'

const removed = (old: number, text: string): DiffLine => line('removed', old, null, text)
const added = (now: number, text: string): DiffLine => line('added', null, now, text)
const line = (kind: DiffLine['kind'], old: number | null, now: number | null, text: string): DiffLine => ({
  kind,
  old,
  new: now,
  text,
  hash: lineHash(text),
})

const constants = (last: string) =>
  `<DefineConstants>${Array.from({ length: 200 }, (_, at) => `HAVE_${at};`).join('')}${last}</DefineConstants>`

test('a line that fits is shown as it is, with its tag or its number', () => {
  const lines = [removed(3, 'let a = 1\r'), added(4, 'let a = 2')]
  expect(taggedLines(lines)).toEqual([
    `[O3#${lineHash('let a = 1\r')}] -let a = 1`,
    `[L4#${lineHash('let a = 2')}] +let a = 2`,
  ])
  expect(numberedLines(lines)).toEqual(['- 3: let a = 1', '+ 4: let a = 2'])
})

test('the end of a long line is shown when it is what changed, on both sides', () => {
  const [old = '', now = ''] = numberedLines([
    removed(37, constants('TRACE')),
    added(37, constants('TRACE;SIGNED')),
  ])
  expect(old).toContain('HAVE_199;TRACE</DefineConstants>')
  expect(now).toContain('HAVE_199;TRACE;SIGNED</DefineConstants>')
  for (const text of [old, now]) {
    expect(text).toMatch(/^[-+] 37: <DefineConstants>HAVE_0;.* \(\d+ characters cut\) /)
    expect(text.length).toBeLessThan(widestLine + 60)
  }
})

test('what is shown besides the marks is in the line word for word', () => {
  const whole = constants('TRACE;SIGNED')
  const [, now = ''] = numberedLines([removed(1, constants('TRACE')), added(1, whole)])
  const [first = '', second = ''] = now.replace('+ 1: ', '').split(/ \(\d+ characters cut\) /)
  expect(whole.startsWith(first)).toBe(true)
  expect(whole.endsWith(second)).toBe(true)
})

test('each of several long lines is held against the one in its place, also when all that was removed comes first', () => {
  const lines = [
    removed(1, constants('A')),
    removed(2, constants('B')),
    added(1, constants('A1')),
    line('context', 9, 9, ''),
    added(2, constants('B2')),
  ]
  const shown = numberedLines(lines)
  expect(shown[2]).toContain('HAVE_199;A1<')
  expect(shown[4]).toContain('HAVE_199;B2<')
})

test('a long line that is new, or that changed in its beginning, is shown from its beginning', () => {
  const whole = constants('A')
  expect(numberedLines([added(1, whole)])).toEqual([`+ 1: ${cutLine(whole)}`])
  const [, now] = numberedLines([removed(1, whole), added(1, `<!-- x -->${whole}`)])
  expect(now).toBe(`+ 1: ${cutLine(`<!-- x -->${whole}`)}`)
})
