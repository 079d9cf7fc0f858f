/** Which values are filled in by hand. They are put together at run time, so that no scanner takes this file for a leak. */
import { expect, test } from 'vitest'
import { isMadeUp, isPlaceholder, looksLikePassword } from '../../../src/base/secrets/placeholder.ts'

const slack = 'xoxb-'
const hub = 'ghp_'

test.each([
  ['the key of a manual', `${hub}1234567890abcdefghijklmnopqrstuvwxyz`],
  ['a form of Slack that was typed', `${slack}1234567890-1234567890123-abcdefghijklmnopqrstuvwx`],
  ['crosses', `${hub}${'x'.repeat(36)}`],
  ['one character again and again', `${hub}${'7'.repeat(36)}`],
])('%s is made up', (_name, value) => {
  expect(isMadeUp(value)).toBe(true)
})

test.each([
  ['an id that counts up beside a random part', `${slack}1234567890-4938271650193-kJ8dQz2LmN0pRt5VxYc7Wf3B`],
  ['a random token', `${hub}kJ8dQz2LmN0pRt5VxYc7Wf3BhT6sGa9EoUi1`],
])('%s is not', (_name, value) => {
  expect(isMadeUp(value)).toBe(false)
})

test.each([
  ['credentialsJSON:ce6ff00a-dc06-4b9b-aa1f-7b01bea2eb2f', true],
  ['vault:kv/shop#key-8dQz2LmN0pRt', true],
  ['ce6ff00a-dc06-4b9b-aa1f-7b01bea2eb2f', false],
])('a name that a store of secrets has for one stands for another value: %s', (value, stands) => {
  expect(isPlaceholder(value)).toBe(stands)
})

test.each([
  ['required|string|min:8|confirmed', false],
  ['bail|required|different:old_password2', false],
  ['required|min_length[8]|matches[again]', false],
  ['required|regex:/^(?=.*[0-9])(?=.*[a-z]).+$/|confirmed', false],
  ['horses|2hay!x', true],
  ['hay:9|Horses!', true],
  [`a|b:${'kJ8dQz2LmN0p'}${'Rt5VxYc7Wf3BhT6sGa9EoUi1'}`, true],
])('rules of a form are no password: %s', (value, isOne) => {
  expect(looksLikePassword(value)).toBe(isOne)
})
