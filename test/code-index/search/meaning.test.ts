/** Search by meaning over a real tree, with an embedder on the wire. */

import { expect, onTestFinished, test } from 'vitest'
import { type CodeSearch, openCodeSearch, type SearchOptions } from '../../../src/code-index/search/search.ts'
import type { RepoSnapshot } from '../../../src/domain/snapshot.ts'
import { nothingIsSent } from '../../../src/llm/agreement.ts'
import type { Embedder } from '../../../src/llm/embedding/contract.ts'
import { openEmbedder } from '../../../src/llm/embedding/registry.ts'
import type { Reranker } from '../../../src/llm/rerank/contract.ts'
import { openReranker } from '../../../src/llm/rerank/registry.ts'
import { type FakeEmbedding, fakeEmbedding, fakeKey } from '../../helpers/fakes/embedding.ts'
import { type HttpServer, jsonAnswer } from '../../helpers/fakes/server.ts'
import { type Files, temporaryFolder } from '../../helpers/git-repo.ts'
import { memorySnapshot } from '../../helpers/in-memory/change.ts'
import { sharedFacts } from '../../helpers/shared-facts.ts'

const secret = `${'ghp_'}x7Kq9ZpLm2Rt5VwYb8Nc3Hd6Jf1Gs4Aq0Ee2`

const shop: Files = {
  'src/buy.ts':
    'export function acquire(item: string): string {\n  const order = place(item)\n  return order\n}\n',
  'src/price.ts': 'export function parsePrice(text: string): number {\n  return Number(text)\n}\n',
  'src/login.py': `def connect(host):\n    token = "${secret}"\n    return open_session(host, token)\n`,
  'docs/notes.md': '# Notes\n\nNothing of interest.\n',
}

const synonyms = { obtain: 'acquire', purchase: 'acquire', goods: 'item' }

type Opened = { search: CodeSearch; server: HttpServer; embedder: Embedder }

async function embedderOn(
  fake: Partial<FakeEmbedding> = {},
): Promise<{ embedder: Embedder; server: HttpServer }> {
  const server = await fakeEmbedding({ kind: 'voyage', dimensions: 128, synonyms, ...fake })
  const embedder = openEmbedder(
    { kind: fake.kind ?? 'voyage', model: 'code-1', baseUrl: server.url, keyFrom: 'KEY' },
    { environment: { KEY: fakeKey }, fetch, wait: async () => undefined, agreed: nothingIsSent },
  )
  if (!embedder) throw new Error('no embedder')
  return { embedder, server }
}

async function searchIn(snapshot: RepoSnapshot, options: SearchOptions): Promise<CodeSearch> {
  const store = sharedFacts()
  onTestFinished(() => store.close())
  return openCodeSearch(snapshot, store, options)
}

async function open(
  files: Files,
  fake: Partial<FakeEmbedding> = {},
  options: SearchOptions = {},
): Promise<Opened> {
  const { embedder, server } = await embedderOn(fake)
  return { search: await searchIn(memorySnapshot(files), { embedder, ...options }), server, embedder }
}

function sent(server: HttpServer): string[] {
  return server.requests.flatMap(({ body }) => (body as { input?: string[] }).input ?? [])
}

test('what has no word in common is found by its meaning', async () => {
  const { search } = await open(shop)
  const { hits, mode, meaning, stages } = await search.search('purchase some goods', 3)
  expect(hits[0]).toMatchObject({ path: 'src/buy.ts', ranks: { meaning: 1 } })
  expect(stages.words).toEqual([])
  expect(mode).toContain('meaning by voyage at http://127.0.0.1')
  expect(meaning).toMatchObject({ chunks: 4, embedded: 4, calls: 2 })
})

test('chunks leave with their place, language and scope, and without secrets', async () => {
  const { search, server } = await open(shop)
  await search.search(`where is ${secret} used`, 3)
  const texts = sent(server)
  expect(texts).toHaveLength(5)
  expect(texts.find((text) => text.includes('def connect'))).toMatch(
    /^src\/login\.py \(python\) function connect\n/,
  )
  expect(texts.join()).toContain('ghp_')
  expect(texts.join()).not.toContain(secret)
})

test('a thousand lines with twelve methods are twelve texts with their scope, and the head of the class', async () => {
  const method = (number: number): string =>
    `  step${number}(): number {\n${Array.from({ length: 80 }, (_, at) => `    this.value += ${at}\n`).join('')}    return ${number}\n  }\n`
  const text = `export class Machine {\n${Array.from({ length: 12 }, (_, at) => method(at)).join('\n')}}\n`
  expect(text.split('\n').length).toBeGreaterThan(995)
  const { search, server } = await open({ 'a/b/c/machine.ts': text })
  await search.search('step', 3)
  const headings = sent(server).map((one) => one.split('\n')[0])
  expect(headings.slice(0, -1).sort()).toEqual(
    [
      'c/machine.ts (typescript) class Machine',
      ...Array.from({ length: 12 }, (_, at) => `c/machine.ts (typescript) method Machine.step${at}`),
    ].sort(),
  )
})

test('vectors are shared by moves, branches and processes; only what is new is sent', async () => {
  const cacheFolder = temporaryFolder()
  const { embedder, server } = await embedderOn()
  await (await searchIn(memorySnapshot(shop), { embedder, cacheFolder })).search('obtain', 3)
  expect(sent(server)).toHaveLength(5)
  const moved: Files = {
    'lib/deep/src/buy.ts': shop['src/buy.ts'] ?? '',
    'src/price.ts': shop['src/price.ts'] ?? '',
    'src/new.py': 'def fresh():\n    return 1\n',
  }
  await (await searchIn(memorySnapshot(moved), { embedder, cacheFolder })).search('something else', 3)
  expect(
    sent(server)
      .slice(5)
      .map((text) => text.split('\n')[0]),
  ).toEqual(['src/new.py (python) function fresh', 'something else'])
})

test('calls are bounded, the best of the words first; the next search goes on', async () => {
  const many: Files = Object.fromEntries(
    Array.from({ length: 250 }, (_, at) => [`m/file${at}.py`, `def work${at}(x):\n    return x + ${at}\n`]),
  )
  const { search, server } = await open(many, { kind: 'cohere' }, { mostEmbeddingCalls: 1 })
  const first = await search.search('work200', 3)
  expect(first.meaning).toMatchObject({ chunks: 250, embedded: 96, calls: 2 })
  expect(first.limits.join()).toContain('154 of 250 chunks are not embedded yet')
  expect(server.requests[0]?.body).toMatchObject({ texts: { 0: expect.stringContaining('work200') } })
  expect((await search.search('work', 3)).meaning?.embedded).toBe(192)
  const last = await search.search('x', 3)
  expect([last.meaning?.embedded, last.limits]).toEqual([250, []])
})

test('a nearly equal query is answered as the earlier one; another name is another question', async () => {
  const cacheFolder = temporaryFolder()
  const snapshot = memorySnapshot(shop)
  const { embedder, server } = await embedderOn()
  const first = await (await searchIn(snapshot, { embedder, cacheFolder })).search('obtain the goods', 3)
  expect(first.meaning?.cache).toEqual({ hits: 0, reused: null })
  const calls = server.requests.length
  const search = await searchIn(snapshot, { embedder, cacheFolder })
  const same = await search.search('acquire the item', 3)
  expect(same.meaning?.cache).toEqual({ hits: 1, reused: { query: 'obtain the goods', cosine: 1 } })
  expect(same.hits.map(({ path }) => path)).toEqual(first.hits.map(({ path }) => path))
  expect(server.requests.length).toBe(calls + 1)
  const exact = await search.search('obtain the goods', 3)
  expect([exact.meaning?.cache.hits, exact.meaning?.calls]).toEqual([2, 0])
  expect((await search.search('parse a number', 3)).meaning?.cache.reused).toBeNull()
  expect((await search.search('parsePrice', 3)).meaning?.cache.reused).toBeNull()
  expect((await search.search('parse_price', 3)).meaning?.cache.reused).toBeNull()
  expect((await search.search('acquire the item', 9)).meaning?.cache.reused).toBeNull()
})

test('an embedder that fails leaves the other lists, and says why', async () => {
  const down = Array.from({ length: 20 }, () => jsonAnswer(503, {}))
  const { search } = await open(shop, { script: down })
  const { hits, mode, limits, stages } = await search.search('parse price', 3)
  expect([hits[0]?.path, stages.meaning]).toEqual(['src/price.ts', []])
  expect(mode).toContain('the embedder could not be used')
  expect(limits.join()).toContain('meaning could not be compared in full: Voyage answered 503')
  const again = await (await open(shop, { key: 'another' })).search.search('parse price', 3)
  expect([again.hits[0]?.path, again.limits.join().includes(fakeKey)]).toEqual(['src/price.ts', false])
})

test('a reranker decides the order; one that fails leaves it as it was', async () => {
  const server = await fakeEmbedding({
    kind: 'cohere',
    dimensions: 256,
    synonyms,
    script: [null, jsonAnswer(200, { results: [{ index: 77, relevance_score: 1 }] })],
  })
  const reranker: Reranker | null = openReranker(
    { kind: 'cohere', model: 'rerank-1', baseUrl: server.url, keyFrom: 'KEY' },
    { environment: { KEY: fakeKey }, fetch, wait: async () => undefined, agreed: nothingIsSent },
  )
  const files = { ...shop, 'a.md': 'text order order order\n', 'b.md': 'obtain\n' }
  const search = await searchIn(memorySnapshot(files), { reranker })
  const plain = await (await searchIn(memorySnapshot(files), {})).search('order obtain', 2)
  const ordered = await search.search('order obtain', 2)
  expect(ordered.reranked).toMatchObject({ by: 'cohere/rerank-1', calls: 1 })
  expect(ordered.hits.map(({ path }) => path)).toEqual(ordered.reranked?.rows.map(({ path }) => path))
  expect(ordered.hits.map(({ path }) => path)).not.toEqual(plain.hits.map(({ path }) => path))
  const failed = await search.search('order obtain', 2)
  expect(failed.reranked?.by).toBe('structure')
  expect(failed.hits).toEqual(plain.hits)
  expect(failed.limits.join()).toContain('could not be reranked')
})
