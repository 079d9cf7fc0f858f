/** A block that moves in or out is shown once, with its ends; whatever else changes in it stays. */
import { expect, test } from 'vitest'
import { hunkRows } from './hunk-rows.ts'

const rendered = (before: readonly string[], after: readonly string[], isOpen = false) =>
  hunkRows('a.py', before, after, isOpen)

const body = Array.from({ length: 14 }, (_, at) => (at === 5 ? '' : `step(${at})`))
const indented = (lines: readonly string[], by = '    ') =>
  lines.map((line) => (line === '' ? '' : by + line))

test('of a long block the ends, as they are now; what is around it as ever', () => {
  const { block, rows, shown } = rendered(
    ['begin()', ...body, 'end()'],
    ['begin()', 'if ready:', ...indented(body), 'end()'],
  )
  expect(block).toContain('(lines of which only the indentation changed are shown as they are now)')
  expect(rows).toEqual([
    'L1  begin()',
    'L2 +if ready:',
    'L3 +    step(0)',
    'L4 +    step(1)',
    'L5 +    step(2)',
    '(8 lines of which only the indentation changed, as around them)',
    'L14 +    step(11)',
    'L15 +    step(12)',
    'L16 +    step(13)',
    'L17  end()',
  ])
  // What was left out cannot be cited.
  expect(shown).toHaveLength(9)
})

test.each([
  ['a line that moves farther than its neighbors', '        step(6)', '+        step(6)'],
  ['a line that stays where it was', 'step(6)', ' step(6)'],
])('%s is shown, with the line before it', (_, line, told) => {
  const after = indented(body).map((text) => (text.endsWith('step(6)') ? line : text))
  const { rows } = rendered(['begin()', ...body], ['begin()', ...after])
  expect(rows.map((row) => row.replace(/^\w+ /, ''))).toEqual(expect.arrayContaining([told, '+    step(4)']))
})

test('a line that changes besides is shown before and after', () => {
  const after = indented(body).map((text) => text.replace('step(7)', 'leap(7)'))
  const { rows } = rendered(['begin()', ...body], ['begin()', ...after])
  const texts = rows.map((row) => row.replace(/^\w+ /, ''))
  expect(texts).toEqual(expect.arrayContaining(['-step(7)', '+    leap(7)']))
  expect(texts).not.toContain('-step(6)')
})

test('spaces for tabs are one change at any depth', () => {
  const depths = [1, 2, 3, 2, 2, 3, 4, 3, 2, 1, 1, 2]
  const lines = (indent: string) => depths.map((depth, at) => `${indent.repeat(depth)}step(${at})`)
  const { rows } = rendered(['begin()', ...lines('\t')], ['begin()', ...lines('  ')])
  expect(rows).toContain('(6 lines of which only the indentation changed, as around them)')
})

test('three lines are no block', () => {
  const { block, rows } = rendered(
    ['a', 'one()', 'two()', 'three()'],
    ['a', '  one()', '  two()', '  three()'],
  )
  expect(block).not.toContain('indentation')
  expect(rows).toHaveLength(7)
})

test('that a file does not end with a line feed is said as git says it', () => {
  const { rows } = rendered(['one', 'two'], ['one', 'three'], true)
  expect(rows).toEqual([
    'L1  one',
    'O2 -two',
    '\\ No newline at end of file',
    'L2 +three',
    '\\ No newline at end of file',
  ])
})
