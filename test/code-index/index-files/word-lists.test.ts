/** Words with their lists of numbers: every word is found with its own list, and no other word is. */
import { expect, test } from 'vitest'
import {
  encodeWords,
  hashOfWord,
  WordLists,
  wordTable,
} from '../../../src/code-index/index-files/word-lists.ts'

function through(lists: ReadonlyMap<string, readonly number[]>, prefix?: string): WordLists {
  return new WordLists(encodeWords(wordTable(lists), prefix), prefix)
}

test('lists of any length come back, numbers of any size in their order', () => {
  const lists = new Map<string, number[]>([
    ['', []],
    ['naïve', [0, 127, 128, 16_383, 16_384, 2 ** 31, 2 ** 32 - 1, 3, 3]],
    ['日本', [1]],
    ['a b\n', Array.from({ length: 5_000 }, (_, at) => (at * 7_919) % 100_003)],
  ])
  const read = through(lists, 'some.')
  expect(read.size).toBe(4)
  for (const [word, numbers] of lists) expect([...read.listOf(word)], word).toEqual(numbers)
  expect([...read.listOf('absent')]).toEqual([])
  expect(through(new Map()).size).toBe(0)
})

test('words whose hashes meet are told apart, and places follow the words of the table', () => {
  const meeting = ['costarring', 'liquid']
  const [one = 0, other = 1] = meeting.map((word) => hashOfWord(Buffer.from(word), 0, word.length))
  expect(one).toBe(other)
  const lists = new Map([...meeting, 'x', 'y'].map((word, at) => [word, [at]] as const))
  const table = wordTable(lists)
  const read = new WordLists(encodeWords(table))
  expect(table.words.map((_, at) => read.text(at))).toEqual(table.words)
  for (const [word, numbers] of lists) expect([...read.listOf(word)]).toEqual(numbers)
})
