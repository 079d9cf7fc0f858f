/** Words, BM25, fusion, and search over a real tree. */
import { expect, onTestFinished, test } from 'vitest'
import { bestRows, type Postings, type Scored, searchWords } from '../../../src/code-index/lexical/bm25.ts'
import { stemsOf, termsOf, tokensOf } from '../../../src/code-index/lexical/terms.ts'
import { fuse } from '../../../src/code-index/search/fuse.ts'
import { type CodeSearch, openCodeSearch } from '../../../src/code-index/search/search.ts'
import type { Files } from '../../helpers/git-repo.ts'
import { memorySnapshot } from '../../helpers/in-memory/change.ts'
import { Random } from '../../helpers/random.ts'
import { sharedFacts } from '../../helpers/shared-facts.ts'

async function searchIn(files: Files): Promise<CodeSearch> {
  const store = sharedFacts()
  onTestFinished(() => store.close())
  return openCodeSearch(memorySnapshot(files), store)
}

const shop: Files = {
  'src/prices.ts': `import { round } from './numbers.ts'

/** Reads a price in any currency. */
export function parsePrice(text: string): number {
  return round(Number(text.replace(',', '.')))
}

export function formatPrice(value: number): string {
  return value.toFixed(2)
}
`,
  'src/numbers.ts': 'export function round(value: number): number {\n  return Math.round(value)\n}\n',
  'src/cart/discount.py': 'def apply_discount(total, percent):\n    return total * (100 - percent) / 100\n',
  'docs/prices.md': '# Prices\n\nA price is a number with two places. Parsing is lenient.\n',
  'deploy.tf': 'resource "price_server" "one" {}\n',
}

test.each([
  ['readFile_v2', ['readfile_v2', 'read', 'file']],
  ['HTTPServer2 x', ['httpserver2', 'http', 'server', 'x']],
  ['a-b.c', ['a', 'b', 'c']],
  ['Größe überPrüfen 名前', ['größe', 'überprüfen', 'über', 'prüfen', '名前']],
  ['__init__ $el', ['__init__', '$el']],
  ['x'.repeat(81), []],
])('tokens of %s', (text, tokens) => {
  expect(tokensOf(text)).toEqual(tokens)
})

test('stems stand beside words', () => {
  expect(termsOf('parsing parsedFiles')).toEqual([
    'parsing',
    'parsedfiles',
    'parsed',
    'files',
    'pars',
    'pars',
    'fil',
  ])
  expect(stemsOf('parser_of_uses')).toEqual(['pars', 'of', 'uses'])
})

/** Documents in memory, numbered from 0. */
function postingsOf(documents: readonly (readonly string[])[]): Postings {
  return {
    size: documents.length,
    totalLength: documents.flat().length,
    lengthOf: (document) => documents[document]?.length ?? 0,
    postingsOf: (word) => {
      const found = documents.flatMap((words, document) => {
        const count = words.filter((one) => one === word).length
        return count > 0 ? [{ document, count }] : []
      })
      return { documents: found.map(({ document }) => document), counts: found.map(({ count }) => count) }
    },
  }
}

test('BM25: a rare word beats a common one, a short text a long one, and order breaks ties', () => {
  const texts = ['get price', 'get item', 'get item and much else beside it', 'get item']
  const postings = postingsOf(texts.map(tokensOf))
  expect(searchWords(postings, ['get', 'price'], 9)[0]?.document).toBe(0)
  expect(searchWords(postings, ['item'], 9).map(({ document }) => document)).toEqual([1, 3, 2])
  expect(searchWords(postings, ['item'], 1)).toHaveLength(1)
  expect(searchWords(postings, ['absent'], 9)).toEqual([])
  expect(searchWords(postingsOf([]), ['a'], 1)).toEqual([])
})

test('BM25 scores are those of the formula', () => {
  const postings = postingsOf([['a', 'a', 'b'], ['b']])
  const idf = Math.log(1 + (2 - 1 + 0.5) / (1 + 0.5))
  const expected = (idf * 2 * 2.2) / (2 + 1.2 * (0.25 + (0.75 * 3) / 2))
  expect(searchWords(postings, ['a', 'a'], 1)[0]?.score).toBeCloseTo(expected, 12)
})

test('the best rows are those of a full sort', () => {
  const random = new Random(5)
  const scores = Float64Array.from({ length: 5_000 }, () => random.between(0, 300))
  const sorted: Scored[] = [...scores]
    .map((score, document) => ({ document, score }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.document - b.document)
  for (const limit of [0, 1, 40, 4_000, 9_000])
    expect(bestRows(scores, limit)).toEqual(sorted.slice(0, limit))
})

test('what the words name comes before what only mentions them, and a test later', async () => {
  const { search } = await searchIn({
    'src/reading.py':
      'def close():\n    # parses the header line, the header line of a file\n    return 1\n\n\ndef parse_header(line):\n    return line\n',
    'tests/test_reading.py':
      'def check_header_parsing(line):\n    # parses the header line\n    return line\n',
    'notes.md': 'Parses the header line of a file.\n',
  })
  const { hits, reranked, fused } = await search('parses a header', 4)
  expect(hits[0]).toMatchObject({ path: 'src/reading.py', symbol: { name: 'parse_header' } })
  expect(reranked).toMatchObject({ by: 'structure', calls: 0 })
  expect(reranked?.rows.map(({ path }) => path)).not.toEqual(fused.map(({ path }) => path))
  const asked = await search('test that parses a header', 4)
  expect(asked.hits[0]?.path).toBe('tests/test_reading.py')
})

test('fusion: two good ranks beat one best; equal scores share a rank', () => {
  const fused = fuse([
    { name: 'words', weight: 1, rows: [1, 2, 3].map((document, at) => ({ document, score: 9 - at })) },
    { name: 'names', weight: 1, rows: [4, 2, 5].map((document) => ({ document, score: 1 })) },
  ])
  expect(fused[0]).toEqual({ document: 2, score: 1 / 62 + 1 / 61, ranks: { words: 2, names: 1 } })
  expect(fused.slice(1).map(({ document }) => document)).toEqual([1, 4, 5, 3])
})

test('a description finds the function, a name finds its definition first', async () => {
  const { search } = await searchIn(shop)
  const described = await search('read a price in a currency', 3)
  expect(described.hits[0]).toMatchObject({
    path: 'src/prices.ts',
    symbol: { name: 'parsePrice' },
    line: 3,
  })
  const named = await search('apply_discount', 1)
  expect(named.hits).toMatchObject([{ path: 'src/cart/discount.py', ranks: { words: 1, names: 1 } }])
  const inCamelCase = await search('applyDiscount', 1)
  expect(inCamelCase.hits[0]?.path).toBe('src/cart/discount.py')
})

test('text of other languages is found too; every answer says how it was searched', async () => {
  const { search } = await searchIn({
    ...shop,
    'big.json': `"${'price '.repeat(60_000)}"`,
    'x.bin': new Uint8Array(9),
  })
  const { hits, mode, searched, limits, stages } = await search('price_server', 5)
  expect(hits[0]).toMatchObject({ path: 'deploy.tf', language: null, symbol: null })
  expect(mode).toContain('no embedder')
  expect(searched.files).toBe(5)
  expect(limits).toEqual(['1 large file of data was not searched', '1 file is binary or could not be read'])
  expect(stages.words[0]).toMatchObject({ path: 'deploy.tf', startLine: 1 })
  expect(stages.paths).toEqual([])
  const byPath = await search('docs prices', 1)
  expect(byPath.hits[0]).toMatchObject({ path: 'docs/prices.md', ranks: { paths: 1 } })
})

test('nothing found is no evidence; odd queries do no harm', async () => {
  const { search } = await searchIn(shop)
  expect((await search('zebra', 5)).emptiness).toMatchObject({ isEvidence: false })
  for (const query of ['', '((((', '\u0000', '__proto__ constructor', 'a'.repeat(100_000)])
    expect((await search(query, 5)).hits.length).toBeLessThan(6)
})

test('the same tree and query give the same bytes', async () => {
  const [one, other] = [await searchIn(shop), await searchIn(shop)]
  for (const query of ['price', 'round value', 'number places'])
    expect(JSON.stringify(await one.search(query, 9))).toBe(JSON.stringify(await other.search(query, 9)))
})
