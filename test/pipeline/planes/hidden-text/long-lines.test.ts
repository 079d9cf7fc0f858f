/** Lines as long as a file may be: the work must grow with the line, or these do not end. */
import { expect, test } from 'vitest'
import { hiddenCharacters } from '../../../../src/pipeline/planes/hidden-text/characters.ts'

const place = { isStart: false, isProse: true }

test.each([
  ['right-to-left overrides', '\u202e'],
  ['form feeds', '\f'],
  ['variation selectors', '\ufe01'],
  ['tag characters', '\u{e0041}'],
  ['zero-width spaces', '\u200b'],
])('100,000 %s are all found', (_, character) => {
  expect(hiddenCharacters(`x${character.repeat(100_000)}`, place)).toHaveLength(100_000)
})
