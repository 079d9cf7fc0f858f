/** Every reranker keeps the same promises over the wire of its own provider. */

import { describe, expect, test } from 'vitest'
import { nothingIsSent } from '../../../src/llm/agreement.ts'
import { RemoteError } from '../../../src/llm/embedding/endpoint.ts'
import type { Reranker } from '../../../src/llm/rerank/contract.ts'
import { openReranker } from '../../../src/llm/rerank/registry.ts'
import { type FakeEmbedding, fakeEmbedding, fakeKey } from '../../helpers/fakes/embedding.ts'
import { type HttpServer, jsonAnswer } from '../../helpers/fakes/server.ts'

const never = new AbortController().signal
const documents = [
  { heading: 'a.ts', text: 'open a door' },
  { heading: 'b.ts', text: 'parse the price of a cart' },
  { heading: 'c.ts', text: 'parse the file' },
]

async function open(
  kind: 'cohere' | 'voyage',
  fake: Partial<FakeEmbedding> = {},
): Promise<{ reranker: Reranker; server: HttpServer }> {
  const server = await fakeEmbedding({ kind, ...fake })
  const reranker = openReranker(
    { kind, model: 'rerank-1', baseUrl: server.url, keyFrom: 'KEY' },
    { environment: { KEY: fakeKey }, fetch, wait: async () => undefined, agreed: nothingIsSent },
  )
  if (!reranker) throw new Error('no reranker')
  return { reranker, server }
}

describe.each(['cohere', 'voyage'] as const)('%s', (kind) => {
  test('the best come first, at most so many, in one call', async () => {
    const { reranker, server } = await open(kind)
    const { rows, usage } = await reranker.rerank('parse price cart', documents, 2, never)
    expect(rows.map(({ index }) => index)).toEqual([1, 2])
    expect([usage.calls, server.requests.length]).toEqual([1, 1])
    expect(server.requests[0]?.path).toBe(kind === 'cohere' ? '/v2/rerank' : '/v1/rerank')
    expect(server.requests[0]?.body).toMatchObject(kind === 'cohere' ? { top_n: 2 } : { top_k: 2 })
    expect(reranker.name).toBe(`${kind}/rerank-1`)
    expect((await reranker.rerank('x', [], 2, never)).rows).toEqual([])
  })

  test('places it was not given, doubled places and missing ones are refused', async () => {
    const rows = [
      [{ index: 3, relevance_score: 1 }],
      [0, 0].map((index) => ({ index, relevance_score: 1 })),
      [{ index: 0, relevance_score: 1 }],
      [{ index: 0.5, relevance_score: 1 }],
    ]
    for (const list of rows) {
      const { reranker } = await open(kind, { script: [jsonAnswer(200, { results: list, data: list })] })
      const error = await reranker.rerank('q', documents, 2, never).catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(RemoteError)
      expect(error).toMatchObject({ problem: 'bad-answer' })
    }
  })
})

test('none is configured, or its key is missing', () => {
  expect(openReranker(null, { environment: {}, fetch, agreed: nothingIsSent })).toBeNull()
  expect(() =>
    openReranker({ kind: 'cohere', model: 'm' }, { environment: {}, fetch, agreed: nothingIsSent }),
  ).toThrow('CO_API_KEY')
})
