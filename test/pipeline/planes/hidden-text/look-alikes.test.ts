/** Names that pass for Latin ones. */
import { expect, test } from 'vitest'
import { lookAlikes, spellOut } from '../../../../src/pipeline/planes/hidden-text/look-alikes.ts'

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
