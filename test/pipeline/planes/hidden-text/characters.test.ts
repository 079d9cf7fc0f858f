import { describe, expect, test } from 'vitest'
import { hiddenCharacters, mixedScriptWords } from '../../../../src/pipeline/planes/hidden-text/characters.ts'

const kindsOf = (line: string, isFirstLine = false) =>
  hiddenCharacters(line, isFirstLine).map(({ kind }) => kind)

describe('sees', () => {
  test.each([
    [
      'a comment that runs backwards',
      '/*\u202e } \u2066if (admin)\u2069 \u2066 begin */',
      ['bidi', 'bidi', 'bidi', 'bidi'],
    ],
    ['a name with a character of no width', 'is\u200bAdmin', ['zero-width']],
    ['tag characters behind plain text', 'ok\u{e0041}\u{e0042}', ['tag', 'tag']],
    ['a run of variation selectors', 'a\u{1f600}\ufe0f\ufe01\ufe02', ['selector', 'selector']],
    ['a selector behind a letter', 'x\ufe01', ['selector']],
    ['an escape sequence', 'log("\u001b[2K")', ['control']],
    ['a soft hyphen', 'pass\u00adword', ['zero-width']],
    ['a byte order mark in the middle', 'a\ufeffb', ['zero-width']],
  ])('%s', (_name, line, kinds) => {
    expect(kindsOf(line)).toEqual(kinds)
  })

  test('where it stands', () => {
    expect(hiddenCharacters('\u{1f600}a\u200bb', false)).toEqual([
      { offset: 3, character: '\u200b', kind: 'zero-width' },
    ])
  })
})

describe('leaves alone', () => {
  test.each([
    ['plain code', 'const a = 1\t// fine'],
    ['accents and other scripts', 'Grüße, 你好, привет, γειά'],
    ['families and flags', '👨‍👩‍👧‍👦 🏳️‍🌈 ❤️ 1️⃣ 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'],
    ['Persian with a joiner', 'می\u200cخواهم'],
    ['Devanagari with a joiner', 'क्\u200dष'],
    ['marks among Hebrew', 'שלום \u200f(abc)'],
    ['a page break on a line of its own', '\u000c'],
  ])('%s', (_name, line) => {
    expect(kindsOf(line)).toEqual([])
  })

  test('a byte order mark at the start of a file', () => {
    expect(kindsOf('\ufeffimport x', true)).toEqual([])
    expect(kindsOf('\ufeffimport x', false)).toEqual(['zero-width'])
  })
})

describe('look-alikes', () => {
  test('a Latin name with a Cyrillic letter', () => {
    expect(mixedScriptWords('if (sc\u043epe) is\u0410dmin()')).toEqual(['sc\u043epe', 'is\u0410dmin'])
  })

  test.each(['привет мир', 'Δx + µs', 'scope', 'переменная_x', 'test_тест'])('%s is not one', (line) => {
    expect(mixedScriptWords(line)).toEqual([])
  })
})
