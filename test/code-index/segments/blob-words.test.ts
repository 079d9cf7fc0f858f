/** What a blob says, beside the plainest way to cut it and count its terms. */
import { expect, test } from 'vitest'
import { decodeRecord, encodeRecord } from '../../../src/code-index/cache/record.ts'
import { chunkFile } from '../../../src/code-index/chunks/chunk-file.ts'
import { languages } from '../../../src/code-index/languages/registry.ts'
import { termsOf } from '../../../src/code-index/lexical/terms.ts'
import { readerOf } from '../../../src/code-index/parsing/parse-file.ts'
import { BlobWords, encodeWordsOf, flags } from '../../../src/code-index/segments/blob-words.ts'
import { Random } from '../../helpers/random.ts'
import { fixture } from '../read-facts.ts'

function plainTerms(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const term of termsOf(text)) counts.set(term, (counts.get(term) ?? 0) + 1)
  return counts
}

test('the terms and chunks of each language, counted as one would without short cuts', async () => {
  for (const name of ['sample.ts', 'sample.py', 'sample.go', 'Sample.java', 'sample.rb']) {
    const [, ending = ''] = name.split('.')
    const language = { ts: 'typescript', py: 'python', go: 'go', java: 'java', rb: 'ruby' }[ending] ?? ''
    const table = languages.get(language)
    if (!table) throw new Error(language)
    const text = fixture(name)
    const facts = (await readerOf(table)).read(text, '', () => true)
    const words = new BlobWords(Buffer.from(encodeWordsOf({ text, state: 'indexed', facts })))
    const expected = chunkFile('', text, facts).map((chunk) => {
      const terms = plainTerms(`${chunk.prefix} ${chunk.text}`)
      const { startLine, endLine, symbol, defines } = chunk
      const length = [...terms.values()].reduce((sum, count) => sum + count, 0)
      return { startLine, endLine, symbol, defines, terms, length }
    })
    expect(words.chunks().map(({ hash: _, ...chunk }) => chunk)).toEqual(expected)
    expect(words.language).toBe(language)
    expect(words.symbolCount).toBe(facts?.symbols.length)
    const marked = new Map<string, number>()
    words.eachName((word, flag) => marked.set(word, flag))
    for (const symbol of facts?.symbols ?? [])
      if (marked.has(symbol.name)) expect((marked.get(symbol.name) ?? 0) & flags.defined).toBe(flags.defined)
  }
})

test('random text in many scripts: terms as of the whole text, and every blob by itself', () => {
  const random = new Random(3)
  const pieces = [
    'readFile2',
    'HTMLParser',
    'parsing',
    'naïveÄpfel',
    '日本語',
    '“quoted”',
    '$x_',
    'Z'.repeat(90),
    ' ',
    '\n',
    '-',
    '.',
    'É'.repeat(120),
    '😀x',
  ]
  for (let round = 0; round < 200; round++) {
    const text = Array.from({ length: random.between(1, 40) }, () => random.pick(pieces)).join('')
    const words = new BlobWords(Buffer.from(encodeWordsOf({ text, state: 'text', facts: null })))
    const terms = new Map<string, number>()
    for (const chunk of words.chunks())
      for (const [term, count] of chunk.terms) terms.set(term, (terms.get(term) ?? 0) + count)
    const expected = plainTerms(
      chunkFile('', text, null)
        .map(({ prefix, text: body }) => `${prefix}\n${body}`)
        .join('\n'),
    )
    expect(terms).toEqual(expected)
  }
})

test('a large file of data has names and no chunks; words past the end of a long chunk are filed', () => {
  const data = new BlobWords(
    Buffer.from(encodeWordsOf({ text: 'lock_entry\n'.repeat(30_000), state: 'text', facts: null })),
  )
  const long = new BlobWords(
    Buffer.from(encodeWordsOf({ text: `${'a '.repeat(30_000)} hidden_end`, state: 'text', facts: null })),
  )
  const namesOf = (words: BlobWords): string[] => {
    const names: string[] = []
    words.eachName((word) => names.push(word))
    return names
  }
  expect([data.chunks(), namesOf(data)]).toEqual([[], ['lock_entry']])
  expect(namesOf(long)).toEqual(['a', 'hidden_end'])
  expect(long.chunks()[0]?.terms.has('hidden_end')).toBe(false)
})

test('a record gives back state, facts and words; of a failed file every word may be anything', () => {
  const words = Buffer.from(encodeWordsOf({ text: 'alpha beta', state: 'crash', facts: null }))
  const record = encodeRecord('crash', null, words)
  const decoded = decodeRecord(record)
  expect([decoded.state, decoded.facts]).toEqual(['crash', null])
  const marks: number[] = []
  new BlobWords(decoded.words).eachName((_, flag) => marks.push(flag))
  expect(marks).toEqual([flags.both, flags.both])
  expect(() => decodeRecord(record.subarray(0, record.length - 3))).toThrow()
})
