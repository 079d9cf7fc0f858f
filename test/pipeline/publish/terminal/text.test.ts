/** Lines break between words, and never inside one. */
import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import { clip, columns, createPaint, wrapProse } from '../../../../src/pipeline/publish/terminal/text.ts'
import { Random } from '../../../helpers/random.ts'

const paint = createPaint(false)
const wrap = (text: string, width: number) => wrapProse(text, width, '  ', paint)

test('what touches code stays with it', () => {
  expect(wrap("The change to `parser`'s list, of (`one`), is new", 20)).toEqual([
    '  The change to',
    "  parser's list, of",
    '  (one), is new',
  ])
})

test('code of several words keeps its backticks', () => {
  expect(wrap('test `reads it all` changed, `parse` too', 80)).toEqual([
    '  test `reads it all` changed, parse too',
  ])
})

test('no word is ever broken, whatever the width and the code in it', () => {
  const random = new Random(12)
  const pieces = ['word', '`code`', "'s", ', ', ' ', '(', ')', '…', 'longer-word', '` two words `', '. ']
  for (let round = 0; round < 500; round++) {
    const text = Array.from({ length: 30 }, () => pieces[random.between(0, pieces.length - 1)]).join('')
    const lines = wrap(text, 24)
    const words = (one: string) => one.replaceAll('`', '').split(/\s+/).filter(Boolean)
    expect(lines.flatMap(words), text).toEqual(words(text))
  }
})

test.each([
  ['✅', 2],
  ['👨‍👩‍👧', 2],
  ['🇩🇪', 2],
  ['漢字', 4],
  ['e\u0301', 1],
  ['\u001b[31mred\u001b[0m', 3],
])('%s takes %i columns', (text, wanted) => expect(columns(text)).toBe(wanted))

test('what is measured without a table is as wide as by the table, alone and beside anything', () => {
  const all = [0, 0x100, 0x200, 0x2000, 0x2100].flatMap((from) =>
    Array.from({ length: 0x100 }, (_, at) => String.fromCodePoint(from + at)),
  )
  const differs = all.filter((one) =>
    [one, `a${one}\u00e9`].some((text) => columns(text) !== stringWidth(text)),
  )
  expect(differs).toEqual([])
})

test('an emoji of several characters is never cut in two', () => {
  expect(clip('a👨‍👩‍👧bcdef', 5)).toBe('a👨‍👩‍👧b…')
})

test('a number keeps its unit', () => {
  expect(wrap('reviewed all files in 6.0 s and 12 steps', 27)).toEqual([
    '  reviewed all files in',
    '  6.0 s and 12 steps',
  ])
})

test('very many spaces, or characters without width, are wrapped', () => {
  expect(wrap(`a${' '.repeat(1_000_000)}b`, 20)).toHaveLength(2)
  expect(wrap(`${'\u0301 '.repeat(20_000)}b`, 20).length).toBeGreaterThan(1)
})
