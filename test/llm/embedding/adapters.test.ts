/** Every embedder keeps the same promises over the wire of its own provider. */

import { describe, expect, test } from 'vitest'
import { nothingIsSent } from '../../../src/llm/agreement.ts'
import type { Embedder } from '../../../src/llm/embedding/contract.ts'
import { RemoteError } from '../../../src/llm/embedding/endpoint.ts'
import { openEmbedder } from '../../../src/llm/embedding/registry.ts'
import { type FakeEmbedding, fakeEmbedding, fakeKey, wordVector } from '../../helpers/fakes/embedding.ts'
import type { EmbeddingKind } from '../../helpers/fakes/embedding-protocols.ts'
import { type HttpAnswer, type HttpServer, jsonAnswer } from '../../helpers/fakes/server.ts'

const kinds: readonly EmbeddingKind[] = ['openai', 'voyage', 'cohere', 'ollama']
const never = new AbortController().signal

type Opened = { embedder: Embedder; server: HttpServer; waits: number[] }

async function open(
  fake: FakeEmbedding,
  extra: {
    key?: string
    model?: string
    dimensions?: number
    prefixes?: { document: string; query: string }
  } = {},
): Promise<Opened> {
  const server = await fakeEmbedding(fake)
  const waits: number[] = []
  const { key = fakeKey, model = 'embed-1', ...rest } = extra
  const embedder = openEmbedder(
    { kind: fake.kind, model, baseUrl: server.url, keyFrom: 'TEST_KEY', ...rest },
    {
      environment: { TEST_KEY: key },
      agreed: nothingIsSent,
      fetch,
      random: () => 0,
      wait: async (ms) => void waits.push(ms),
    },
  )
  if (!embedder) throw new Error('no embedder')
  return { embedder, server, waits }
}

async function problemOf(embedder: Embedder, texts = ['one']): Promise<RemoteError> {
  const error = await embedder.embed(texts, 'document', never).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(RemoteError)
  return error as RemoteError
}

function bodyOf(server: HttpServer, at = 0): Record<string, unknown> {
  return server.requests[at]?.body as Record<string, unknown>
}

describe.each(kinds)('%s', (kind) => {
  test('gives one row a text, in order, and says what it took', async () => {
    const { embedder, server } = await open({ kind })
    const texts = ['open the file', 'close the door', 'größe 名前']
    const { rows, usage } = await embedder.embed(texts, 'document', never)
    expect(rows.map((row) => [...row])).toEqual(
      texts.map((text) => [...Float32Array.from(wordVector(text, 64))]),
    )
    expect(usage.calls).toBe(1)
    expect(usage.tokens).toBeGreaterThan(5)
    expect(server.requests).toHaveLength(1)
    expect(embedder.id).toMatchObject({ model: 'embed-1', dimensions: null, dtype: 'float32' })
  })

  test('no texts, no call', async () => {
    const { embedder, server } = await open({ kind })
    expect(await embedder.embed([], 'query', never)).toEqual({ rows: [], usage: { calls: 0, tokens: 0 } })
    expect(server.requests).toEqual([])
  })

  test('cuts calls by count, and by tokens', async () => {
    const { embedder, server } = await open({ kind })
    const { inputs, tokens } = embedder.limits
    const many = Array.from({ length: inputs + 1 }, (_, at) => `text ${at}`)
    expect((await embedder.embed(many, 'document', never)).rows).toHaveLength(inputs + 1)
    expect(server.requests).toHaveLength(2)
    const long = 'word '.repeat(Math.floor((Math.min(embedder.limits.tokensPerInput, 6_000) * 3) / 5))
    const needed = Math.min(inputs, Math.ceil(tokens / 6_000) + 1)
    const { usage } = await embedder.embed(new Array<string>(needed).fill(long), 'document', never)
    expect(usage.calls).toBeGreaterThan(needed * 6_000 > tokens ? 1 : 0)
  })

  test('asks for the dimensions it was told, and refuses others', async () => {
    const { embedder } = await open({ kind, dimensions: 32 }, { dimensions: 32 })
    expect((await embedder.embed(['x y'], 'query', never)).rows[0]).toHaveLength(32)
    const other = await open(
      { kind, dimensions: 32, script: [(_request, honest) => honest] },
      { dimensions: 48 },
    )
    expect(['refused', 'bad-answer']).toContain((await problemOf(other.embedder)).problem)
  })

  test('waits as it is told after 429, tries again after 500 and a cut line, and then gives up', async () => {
    const busy = jsonAnswer(429, { message: 'slow down' }, { 'retry-after': '3' })
    const broken = jsonAnswer(503, {})
    const { embedder, waits } = await open({
      kind,
      script: [busy, broken, { ...broken, delivery: { kind: 'reset' } }],
    })
    expect((await embedder.embed(['one'], 'document', never)).rows).toHaveLength(1)
    expect(waits).toEqual([3000, 500, 1000])
    const down = await open({ kind, script: Array.from({ length: 9 }, () => broken) })
    expect((await problemOf(down.embedder)).problem).toBe('unreachable')
    expect(down.server.requests).toHaveLength(5)
    const patient = await open({ kind, script: [jsonAnswer(429, {}, { 'retry-after': '3600' })] })
    expect((await problemOf(patient.embedder)).message).toContain('429')
    expect(patient.server.requests).toHaveLength(1)
  })

  test('does not try again when money is gone or the request is refused', async () => {
    const gone = jsonAnswer(429, {
      error: { message: 'You exceeded your current quota', code: 'insufficient_quota' },
    })
    const { embedder, server } = await open({
      kind,
      script: [gone, jsonAnswer(400, { message: 'no such model' })],
    })
    expect((await problemOf(embedder)).problem).toBe('quota')
    expect((await problemOf(embedder)).problem).toBe('refused')
    expect(server.requests).toHaveLength(2)
  })

  test('refuses answers that are short, doubled, no numbers, no JSON, or without end', async () => {
    const [zero, wrong] = [new Array(64).fill(0), ['a']]
    const bodies: unknown[] = [
      {},
      { data: [], embeddings: { float: [] } },
      { data: [{ index: 0, embedding: zero }], embeddings: kind === 'ollama' ? [zero] : { float: [zero] } },
      {
        data: [{ index: 0, embedding: wrong }],
        embeddings: kind === 'ollama' ? [wrong] : { float: [wrong] },
      },
    ]
    for (const body of bodies) {
      const { embedder } = await open({ kind, script: [jsonAnswer(200, body)] })
      expect((await problemOf(embedder)).problem, JSON.stringify(body).slice(0, 60)).toBe('bad-answer')
    }
    const text = { status: 200, headers: {}, frames: [Buffer.from('<html>')] }
    expect((await problemOf((await open({ kind, script: [text] })).embedder)).problem).toBe('bad-answer')
    const endless = { status: 200, headers: {}, frames: [Buffer.alloc(1_000_000, ' ')] }
    const { embedder } = await open({ kind, script: [endless] })
    expect((await problemOf(embedder)).message).toContain('more than')
  })

  test('stops when it is told to, in a call and between two', async () => {
    const stop = new AbortController()
    const stall = (): HttpAnswer => {
      stop.abort(new Error('enough'))
      return { ...jsonAnswer(200, {}), delivery: { kind: 'stall' } }
    }
    const { embedder, server } = await open({ kind, script: [stall] })
    const asked = embedder.embed(['one'], 'document', stop.signal)
    await expect(asked).rejects.toThrow('enough')
    await expect(embedder.embed(['one'], 'document', stop.signal)).rejects.toThrow('enough')
    expect(server.requests).toHaveLength(1)
  })

  test('a redirect is not followed', async () => {
    const elsewhere = { status: 307, headers: { location: 'http://127.0.0.1:1/' }, frames: [] }
    const { embedder } = await open({ kind, script: Array.from({ length: 5 }, () => elsewhere) })
    expect((await problemOf(embedder)).problem).toBe('unreachable')
  })
})

test('an account that pays nothing is told apart from a busy service, in the words of each', async () => {
  for (const [kind, message] of [
    ['voyage', 'You have not yet added your payment method in the billing page.'],
    ['cohere', 'You are using a Trial key, which is limited to 1000 API calls / month.'],
    ['openai', 'You exceeded your current quota, please check your plan and billing details.'],
  ] as const) {
    const { embedder, server } = await open({ kind, script: [jsonAnswer(429, { message })] })
    expect(await problemOf(embedder)).toMatchObject({
      problem: 'quota',
      message: expect.stringMatching(/^\w+ answered 429: You /),
    })
    expect(server.requests).toHaveLength(1)
  }
})

test('a wrong key is refused, and stands in no message', async () => {
  for (const kind of ['openai', 'voyage', 'cohere'] as const) {
    const { embedder } = await open({ kind }, { key: 'sk-secret-wrong-key' })
    const error = await problemOf(embedder)
    expect([error.problem, JSON.stringify([error.message, error.stack])]).toEqual([
      'refused',
      expect.not.stringContaining('sk-secret'),
    ])
  }
})

test('without a key it says which variable to set; an address of one’s own needs none', () => {
  const surroundings = { environment: { EMPTY: '' }, fetch, agreed: nothingIsSent }
  const own = { kind: 'openai', model: 'm', baseUrl: 'http://127.0.0.1:9' } as const
  expect(() => openEmbedder({ kind: 'voyage', model: 'm' }, surroundings)).toThrow('set VOYAGE_API_KEY')
  expect(() => openEmbedder({ ...own, keyFrom: 'EMPTY' }, surroundings)).toThrow('set EMPTY')
  expect(openEmbedder(own, surroundings)?.id.provider).toBe('openai at http://127.0.0.1:9')
  expect(openEmbedder(null, surroundings)).toBeNull()
})

test('rows are taken by their index, whatever their order', async () => {
  const { embedder } = await open({
    kind: 'openai',
    script: [
      (_request, honest) => {
        const body = JSON.parse(Buffer.concat(honest.frames).toString())
        return jsonAnswer(200, { ...body, data: body.data.toReversed() })
      },
    ],
  })
  const { rows } = await embedder.embed(['first one', 'second'], 'document', never)
  expect([...(rows[0] ?? [])]).toEqual([...Float32Array.from(wordVector('first one', 64))])
})

test('documents and queries are told apart in the words of each provider', async () => {
  const seen: Record<string, unknown[]> = {}
  for (const kind of kinds) {
    const { embedder, server } = await open({ kind }, { prefixes: { document: 'd: ', query: 'q: ' } })
    await embedder.embed(['x'], 'document', never)
    await embedder.embed(['x'], 'query', never)
    seen[kind] = [0, 1].map((at) => {
      const { input_type, input, texts } = bodyOf(server, at)
      return [input_type, input ?? texts]
    })
  }
  expect(seen).toEqual({
    openai: [
      [undefined, ['d: x']],
      [undefined, ['q: x']],
    ],
    voyage: [
      ['document', ['d: x']],
      ['query', ['q: x']],
    ],
    cohere: [
      ['search_document', ['d: x']],
      ['search_query', ['q: x']],
    ],
    ollama: [
      [undefined, ['d: x']],
      [undefined, ['q: x']],
    ],
  })
})

test('more tokens than the estimate: calls and texts are halved until they fit', async () => {
  const { embedder, server } = await open({ kind: 'openai' })
  const signs = '{}()'.repeat(5_000)
  const { rows, usage } = await embedder.embed(['short', signs, 'short too'], 'document', never)
  expect(rows).toHaveLength(3)
  expect(usage.calls).toBe(server.requests.length)
  expect(server.requests.length).toBeGreaterThan(3)
  expect([...(rows[2] ?? [])]).toEqual([...Float32Array.from(wordVector('short too', 64))])
})

test('servers that know no base64 may answer with numbers', async () => {
  const { embedder } = await open({
    kind: 'openai',
    script: [(_request, _honest) => jsonAnswer(200, { data: [{ embedding: [1, 2, 3] }] })],
  })
  expect((await embedder.embed(['x'], 'query', never)).rows).toEqual([Float32Array.of(1, 2, 3)])
})
