/** Texts of any length, cut for whoever reads them. */
import { expect, test } from 'vitest'
import { cutStrings, cutText } from '../../../src/server/api/views/cut.ts'

test('every text of a value is cut, says how much is left out, and no character is halved', () => {
  const long = `${'x'.repeat(1_000_000)}`
  const cut = cutStrings({ title: long, list: [long, 'short', 7, null], deep: { is: true, text: '' } }, 100)
  const said = `${'x'.repeat(100)} … (999900 more characters are in the record of the run)`
  expect(cut).toEqual({ title: said, list: [said, 'short', 7, null], deep: { is: true, text: '' } })
  expect(cutText('ab😀', 3)).toEqual({ text: 'ab', omitted: 2 })
  expect(cutText('ab😀', 4)).toEqual({ text: 'ab😀', omitted: 0 })
})
