/**
 * A service on loopback that embeds and reranks as OpenAI, Voyage, Cohere or Ollama would: it wants the key, keeps their
 * limits, refuses what they refuse in their own words, and gives vectors in which texts with common words are near.
 */
import { onTestFinished } from 'vitest'
import { type EmbeddingKind, embeddingProtocols } from './embedding-protocols.ts'
import { type HttpAnswer, type HttpServer, type ReceivedRequest, serve } from './server.ts'

export type FakeEmbedding = {
  kind: EmbeddingKind
  /** The only key that is accepted; Ollama asks for none. */
  key?: string
  dimensions?: number
  /** Words that mean the same as another one: `{ purchase: 'buy' }`. */
  synonyms?: Readonly<Record<string, string>>
  /** Answers of the next requests, in order, instead of its own; null lets one through. */
  script?: (HttpAnswer | null | ((request: ReceivedRequest, honest: HttpAnswer) => HttpAnswer))[]
}

export const fakeKey = 'test-key-0123456789'

/** Closed when the test ends. */
export async function fakeEmbedding(options: FakeEmbedding): Promise<HttpServer> {
  const { kind, key = fakeKey, dimensions = 64, synonyms = {}, script = [] } = options
  const protocol = embeddingProtocols[kind]
  const service = { key, vectorOf: (text: string) => wordVector(text, dimensions, synonyms), dimensions }
  const server = await serve((request) => {
    const next = script.shift() ?? null
    if (next && typeof next !== 'function') return next
    const honest = protocol(request, service)
    return next ? next(request, honest) : honest
  })
  onTestFinished(() => server.close())
  return server
}

/** Each word adds ±1 to eight of the parts, chosen by its letters. */
export function wordVector(
  text: string,
  dimensions: number,
  synonyms: Readonly<Record<string, string>> = {},
): number[] {
  const vector = new Array<number>(dimensions).fill(0)
  vector[0] = 0.01
  for (const [found] of text.matchAll(/[A-Z]?[a-z]+|[A-Z]+|\d+/g)) {
    const lower = found.toLowerCase()
    let state = 2_166_136_261
    for (const character of synonyms[lower] ?? lower)
      state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 16_777_619) >>> 0
    for (let part = 0; part < 8; part++) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      const at = (state >>> 8) % dimensions
      vector[at] = (vector[at] ?? 0) + ((state >>> 4) % 2 === 0 ? 1 : -1)
    }
  }
  return vector
}
