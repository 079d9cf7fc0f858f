/** Words, BM25, fusion, and search over a real tree. */
import { expect, onTestFinished, test } from 'vitest'
import { createFactStore } from '../../../src/code-index/fact-store.ts'
import { Bm25Index } from '../../../src/code-index/lexical/bm25.ts'
import { tokensOf } from '../../../src/code-index/lexical/tokens.ts'
import { fuse } from '../../../src/code-index/search/fuse.ts'
import { type CodeSearch, openCodeSearch } from '../../../src/code-index/search/search.ts'
import type { Files } from '../../helpers/git-repo.ts'
import { snapshotOf } from '../query/open-repo.ts'

async function searchIn(files: Files): Promise<CodeSearch> {
  const store = createFactStore({ cacheFolder: null })
  onTestFinished(() => store.close())
  return openCodeSearch(await snapshotOf(files), store)
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

test('BM25: a rare word beats a common one, a short text a long one, and order breaks ties', () => {
  const index = new Bm25Index()
  for (const text of ['get price', 'get item', 'get item and much else beside it', 'get item'])
    index.add(tokensOf(text))
  expect(index.search(['get', 'price'], 9)[0]?.document).toBe(0)
  expect(index.search(['item'], 9).map(({ document }) => document)).toEqual([1, 3, 2])
  expect(index.search(['item'], 1)).toHaveLength(1)
  expect(index.search(['absent'], 9)).toEqual([])
  expect(new Bm25Index().search(['a'], 1)).toEqual([])
})

test('BM25 scores are those of the formula', () => {
  const index = new Bm25Index()
  index.add(['a', 'a', 'b'])
  index.add(['b'])
  const idf = Math.log(1 + (2 - 1 + 0.5) / (1 + 0.5))
  const expected = (idf * 2 * 2.2) / (2 + 1.2 * (0.25 + (0.75 * 3) / 2))
  expect(index.search(['a', 'a'], 1)[0]?.score).toBeCloseTo(expected, 12)
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
  expect(limits).toEqual([
    '1 large files of data were not searched',
    '1 files are binary or could not be read',
  ])
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
