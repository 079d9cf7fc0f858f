/** `sightline search` with the operator's embedder and reranker, and with a disk that is full. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fakeEmbedding, fakeKey } from '../helpers/fakes/embedding.ts'
import type { HttpServer } from '../helpers/fakes/server.ts'
import { createRepo, type TestRepo, temporaryFolder } from '../helpers/git-repo.ts'
import { type CliResult, entry, run, sightline } from '../helpers/sightline.ts'

function shop(): TestRepo {
  const repo = createRepo()
  repo.commit({
    'price.py': 'def parse_price(text):\n    return int(text)\n',
    'cart.py': 'def acquire(item):\n    order = place(item)\n    return order\n',
    'README.md': 'A shop.\n',
  })
  return repo
}

function settingsFor(embedder: HttpServer, reranker: HttpServer): string {
  const path = join(temporaryFolder(), 'settings.yaml')
  writeFileSync(
    path,
    [
      'embedding:',
      '  kind: openai',
      '  model: code-1',
      `  baseUrl: ${embedder.url}`,
      '  keyFrom: SHOP_KEY',
      'rerank:',
      '  kind: cohere',
      '  model: rerank-1',
      `  baseUrl: ${reranker.url}`,
      '  keyFrom: SHOP_KEY',
      '',
    ].join('\n'),
  )
  return path
}

test('the embedder and the reranker of the settings are asked, each chunk once; --lexical asks nobody', async () => {
  const synonyms = { purchase: 'acquire' }
  const [embedder, reranker] = [
    await fakeEmbedding({ kind: 'openai', dimensions: 128, synonyms }),
    await fakeEmbedding({ kind: 'cohere', dimensions: 128, synonyms }),
  ]
  const repo = shop()
  const env = {
    SIGHTLINE_SETTINGS: settingsFor(embedder, reranker),
    SHOP_KEY: fakeKey,
    XDG_CACHE_HOME: temporaryFolder(),
  }
  const ask = (...args: string[]): Promise<CliResult> =>
    sightline(['search', ...args], { cwd: repo.path, env })
  const found = await ask('purchase', '--debug')
  expect([found.code, found.stderr]).toEqual([0, ''])
  expect(found.stdout).toMatch(/^cart\.py:1-3 {2}function acquire {2}\S+ = meaning #1$/m)
  expect(found.stdout).toContain('reranked by cohere/rerank-1')
  expect(found.stdout).toContain('Meaning: 3 of 3 chunks are embedded by openai at http://127.0.0.1')
  expect([embedder.requests.length, reranker.requests.length]).toEqual([2, 1])
  const again = await ask('acquire')
  expect(again.stdout).toContain('Meaning: 3 of 3 chunks are embedded')
  expect(embedder.requests.length).toBe(3)
  const lexical = await ask('acquire', '--lexical')
  expect(lexical.stdout).toContain('no embedder is configured')
  const json = JSON.parse((await ask('purchase', '--json')).stdout)
  expect(json.meaning).toMatchObject({
    calls: 0,
    cache: { hits: 1, reused: { query: 'purchase', cosine: 1 } },
  })
  expect([embedder.requests.length, reranker.requests.length]).toEqual([3, 2])
  const noKey = await sightline(['search', 'price'], { cwd: repo.path, env: { ...env, SHOP_KEY: '' } })
  expect(noKey.code).toBe(0)
  expect(noKey.stdout).toContain('what is configured could not be used')
  expect(noKey.stdout).toContain('Note: OpenAI needs a key: set SHOP_KEY')
})

test('a disk that takes no more: the answer is whole, and says that the index was not kept', async () => {
  const repo = createRepo()
  repo.commit(
    Object.fromEntries(
      Array.from({ length: 12 }, (_, at) => [
        `file${at}.txt`,
        `${Array.from({ length: 300 }, (__, word) => `word${at}x${(word * 7919 + at) % 10_007}`).join(' ')}\n`,
      ]),
    ),
  )
  const env = { XDG_CACHE_HOME: temporaryFolder() }
  const command = `ulimit -f 16; exec "$0" "$1" search word3x3 --limit 1`
  const full = await run('sh', ['-c', command, process.execPath, entry], { cwd: repo.path, env })
  expect([full.code, full.stderr]).toEqual([0, ''])
  expect(full.stdout.split('\n')[0]).toBe('file3.txt:1-1')
  expect(full.stdout).toContain('could not be saved to disk')
  const free = await sightline(['search', 'word3x3', '--limit', '1'], { cwd: repo.path, env })
  expect(free.stdout.split('\n')[0]).toBe('file3.txt:1-1')
  expect(free.stdout).not.toContain('could not be saved')
})
