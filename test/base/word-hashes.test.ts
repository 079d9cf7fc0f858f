/** What is kept of a text tells its identifiers, and nothing else. */
import { expect, test } from 'vitest'
import { hashOfWord, holdsWord, WordReader } from '../../src/base/word-hashes.ts'

const text = `export const größe_2 = $fetch(total, \`\${a}\`); // naïve "x-y" 日本 a.total`
const held = ['export', 'const', 'größe_2', '$fetch', 'fetch', 'total', 'a', 'naïve', 'x', 'y', '日本', '$']
const absent = ['', 'tot', 'totals', 'größe', 'x-y', 'a.total', 'Total']

test('every whole identifier is found, and no part of one but those between `$`', () => {
  const hashes = new WordReader().hashesOf(Buffer.from(text))
  expect(held.filter((word) => !holdsWord(hashes, hashOfWord(word)))).toEqual([])
  expect(absent.filter((word) => holdsWord(hashes, hashOfWord(word)))).toEqual([])
})

test('each word once, in order, also when there are more than the table began with', () => {
  const reader = new WordReader()
  const words = Array.from({ length: 9_000 }, (_, at) => `word${at}`)
  const hashes = reader.hashesOf(Buffer.from([...words, ...words].join(' ')))
  expect(hashes.length).toBe(words.length)
  expect([...hashes]).toEqual([...hashes].sort((a, b) => a - b))
  expect(words.every((word) => holdsWord(hashes, hashOfWord(word)))).toBe(true)
  expect([...reader.hashesOf(Buffer.from('one'))]).toEqual([hashOfWord('one')])
})

test('a zero byte belongs to the word around it, as the character that is shown for it does', () => {
  const hashes = new WordReader().hashesOf(Buffer.from('one\0 two'))
  expect(['one', 'two'].map((word) => holdsWord(hashes, hashOfWord(word)))).toEqual([false, true])
})
