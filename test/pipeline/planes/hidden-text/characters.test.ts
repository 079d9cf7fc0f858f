/** Which characters count as hidden, and which are needed to write what people write. */
import { describe, expect, test } from 'vitest'
import {
  hiddenCharacters,
  lookAlikes,
  spellOut,
} from '../../../../src/pipeline/planes/hidden-text/characters.ts'

const code = { isStart: false, isProse: false }
const prose = { isStart: false, isProse: true }

const kindsOf = (line: string, place = code) => hiddenCharacters(line, place).map(({ kind }) => kind)

describe('sees', () => {
  test.each([
    [
      'a comment that runs backwards',
      '/*\u202e } \u2066if (admin)\u2069 \u2066 begin */',
      ['bidi', 'bidi', 'bidi', 'bidi'],
    ],
    ['an isolate in code, next to Hebrew', 'if (x) // שלום \u2067 y \u2069', ['bidi', 'bidi']],
    ['a name with a character of no width', 'is\u200bAdmin', ['zero-width']],
    ['a letter without a shape', 'const \u3164 = 1', ['zero-width']],
    ['tag characters behind plain text', 'ok\u{e0041}\u{e0042}', ['tag', 'tag']],
    ['a run of variation selectors', 'a\u{1f600}\ufe0f\ufe01\ufe02', ['selector', 'selector', 'selector']],
    ['bytes in supplementary selectors', '\u{1f600}\u{e0110}\u{e0120}\u{e0130}', Array(3).fill('selector')],
    ['a rare selector behind a letter', 'x\ufe01', ['selector']],
    ['many selectors behind letters', 'a\ufe0f'.repeat(8), Array(8).fill('selector')],
    ['an escape sequence', 'log("\u001b[2K")', ['control']],
    ['a line separator', 'a\u2028b', ['control']],
    ['a soft hyphen', 'pass\u00adword', ['zero-width']],
    ['a byte order mark in the middle', 'a\ufeffb', ['zero-width']],
  ])('%s', (_name, line, kinds) => {
    expect(kindsOf(line)).toEqual(kinds)
  })

  test('where it stands', () => {
    expect(hiddenCharacters('\u{1f600}a\u200bb', code)).toEqual([
      { offset: 3, character: '\u200b', kind: 'zero-width' },
    ])
  })

  test('an override in prose too, whatever the script', () => {
    expect(kindsOf('שלום \u202eabc\u202c', prose)).toEqual(['bidi', 'bidi'])
    expect(kindsOf('hello \u2067abc\u2069', prose)).toEqual(['bidi', 'bidi'])
  })
})

describe('leaves alone', () => {
  test.each([
    ['plain code', 'const a = 1\t// fine'],
    ['accents and other scripts', 'Grüße, 你好, привет, γειά'],
    ['families and flags', '👨‍👩‍👧‍👦 🏳️‍🌈 ❤️ 1️⃣ 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'],
    ['a selector that strayed', '82°F\ufe0f and ✔\ufe0f\ufe0f'],
    ['a selector of a Chinese glyph', '葛\u{e0100}城'],
    ['Persian with a joiner', 'می\u200cخواهم'],
    ['Devanagari with a joiner', 'क्\u200dष'],
    ['Thai with its word ends', 'ภาษา\u200bไทย'],
    ['marks among Hebrew', 'שלום \u200f(abc)'],
    ['a page break on a line of its own', '\u000c'],
    ['a form feed in the white space of a lexer', "' \\t\u000c'"],
  ])('%s', (_name, line) => {
    expect(kindsOf(line)).toEqual([])
  })

  test('what translations and manuals need, in them only', () => {
    expect(kindsOf('"\u2067שלום\u2069"', prose)).toEqual([])
    expect(kindsOf('Donau\u00addampfschiff', prose)).toEqual([])
    expect(kindsOf('Donau\u00addampfschiff', code)).toEqual(['zero-width'])
  })

  test('a byte order mark at the start of a file', () => {
    expect(kindsOf('\ufeffimport x', { isStart: true, isProse: false })).toEqual([])
    expect(kindsOf('\ufeffimport x')).toEqual(['zero-width'])
  })
})

// The work must grow with the length of a line, or these do not end.
test.each([
  ['right-to-left overrides', '\u202e'],
  ['bells', '\u0007'],
  ['variation selectors', '\ufe01'],
  ['tag characters', '\u{e0041}'],
  ['zero-width spaces', '\u200b'],
])('100,000 %s are all found', (_, character) => {
  expect(hiddenCharacters(`x${character.repeat(100_000)}`, prose)).toHaveLength(100_000)
})

test('a Latin name with a Cyrillic or Greek letter, and which letter it is', () => {
  const found = lookAlikes('if (sc\u043epe) is\u0410dmin(\u03a1ython)')
  expect(found).toEqual(['sc\u043epe', 'is\u0410dmin', '\u03a1ython'])
  expect(found.map(spellOut)).toEqual(['sc⟦U+043E⟧pe', 'is⟦U+0410⟧dmin', '⟦U+03A1⟧ython'])
})

test.each([
  'привет мир',
  'Δx + µs',
  'scope',
  'переменная_x',
  'test_тест',
  '"\\xc2о"',
  '"\\nот"',
  'aаbбcвdгeд',
])('%s is not one', (line) => {
  expect(lookAlikes(line)).toEqual([])
})
