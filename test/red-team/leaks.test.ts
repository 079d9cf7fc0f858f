/** What counts as a leak: pieces of a secret, and no chance likeness of the ids that every output is full of. */
import { expect, test } from 'vitest'
import { leakFinder } from './secrets/leaks.ts'

const value = '1-A0QWERTYUIO-4f1c09a7be2c4-9e31d7'
const slack = { kind: 'Slack app', text: `token: xapp-${value}`, hidden: [value], shown: 0 }
const find = leakFinder([slack])
const leaksIn = (text: string) => [...find(text, { beginnings: true }).values()]

test('ids of runs and UUIDs that have five characters in common by chance are no leak', () => {
  expect(leaksIn('run 20261123-2021c4-9e1352, 0a4d2c4-9e30-4b1c-8d20-5f0c2d4e6b80')).toEqual([])
  expect(leaksIn('blob 7704f1c0977 and 2c4-9e0')).toEqual([])
})

test.each([
  ['a piece with letters that no hash has', 'of QWERT, told'],
  ['five hexadecimal digits that stand alone', 'it ends with 9a7be'],
  ['ten in the middle of others', 'ff09a7be2c4-9e31ff'],
  ['the beginning of the token', 'xapp-1 and no more'],
])('%s is one', (_, text) => expect(leaksIn(text)).toHaveLength(1))
