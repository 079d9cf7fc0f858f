/**
 * What all embedders share: prefixes, texts cut to what a model takes, calls one after the other, smaller calls when one
 * was too long, and vectors checked.
 */
import { count as counted } from '../../base/count.ts'
import type { EmbeddingSettings } from '../../config/settings/embedding.ts'
import type { Embedded, Embedder, EmbedderId, EmbedderLimits, InputType } from './contract.ts'
import { RemoteError } from './endpoint.ts'

/** One call; rows checked, in order. `tokens` null when the provider does not say. */
export type CallProvider = (
  texts: readonly string[],
  input: InputType,
  signal: AbortSignal,
) => Promise<{ rows: Float32Array[]; tokens: number | null }>

/** A text of odd characters has more tokens than the estimate: it is halved so often. */
const mostHalvings = 3

export function embedderOf(id: EmbedderId, limits: EmbedderLimits, call: CallProvider): Embedder {
  const callFor = async (
    texts: readonly string[],
    input: InputType,
    signal: AbortSignal,
    halvings = 0,
  ): Promise<Embedded> => {
    try {
      const { rows, tokens } = await call(texts, input, signal)
      return { rows, usage: { calls: 1, tokens: tokens ?? sum(texts.map(estimatedTokens)) } }
    } catch (error) {
      if (!(error instanceof RemoteError) || error.problem !== 'too-long') throw error
      if (texts.length > 1) {
        const half = Math.ceil(texts.length / 2)
        const first = await callFor(texts.slice(0, half), input, signal)
        return join([first, await callFor(texts.slice(half), input, signal)], 1)
      }
      const [text = ''] = texts
      if (halvings === mostHalvings) throw error
      return join(
        [await callFor([cutToTokens(text, estimatedTokens(text) / 2)], input, signal, halvings + 1)],
        1,
      )
    }
  }
  return {
    id,
    limits,
    async embed(texts, input, signal) {
      const sent = texts.map((text) => cutToTokens(`${id.prefixes[input]}${text}`, limits.tokensPerInput))
      const parts: Embedded[] = []
      for (const { from, to } of planBatches(sent.map(estimatedTokens), limits))
        parts.push(await callFor(sent.slice(from, to), input, signal))
      const all = join(parts, 0)
      if (new Set(all.rows.map(({ length }) => length)).size > 1)
        throw new RemoteError('bad-answer', `${id.provider} answered with vectors of different lengths`)
      return all
    },
  }
}

/** `more`: calls that failed on the way. */
function join(parts: readonly Embedded[], more: number): Embedded {
  return {
    rows: parts.flatMap(({ rows }) => rows),
    usage: {
      calls: sum(parts.map(({ usage }) => usage.calls)) + more,
      tokens: sum(parts.map(({ usage }) => usage.tokens)),
    },
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

export type EmbedderSettings = NonNullable<EmbeddingSettings>

export function idOf(provider: string, { model, dimensions, prefixes }: EmbedderSettings): EmbedderId {
  return {
    provider,
    model,
    dimensions: dimensions ?? null,
    dtype: 'float32',
    prefixes: { document: prefixes?.document ?? '', query: prefixes?.query ?? '' },
  }
}

/** The most that an honest answer to so many texts can have: 4,096 numbers each, written out. */
export function answerBytes(texts: number): number {
  return 64 * 1024 + texts * 4_096 * 24
}

/** For the id of an embedder: the same model elsewhere may be another one. */
export function providerName(kind: string, baseUrl: string | undefined): string {
  return baseUrl === undefined ? kind : `${kind} at ${baseUrl}`
}

/** One vector as a provider writes it: numbers, or base64 of 32-bit floats. `index` is the position of its text, if it says. */
export type WrittenRow = { index?: number; vector: unknown }

/**
 * The vectors of an answer: as many as texts, in their order, all of one length (`dimensions`, or that of the first), and
 * numbers throughout. Throws `RemoteError` with `bad-answer`.
 */
export function readRows(
  name: string,
  written: readonly WrittenRow[],
  count: number,
  dimensions: number | null,
): Float32Array[] {
  if (written.length !== count)
    throw bad(name, `${counted(written.length, 'vector')} for ${counted(count, 'text')}`)
  const rows = new Map<number, Float32Array>()
  for (const [at, { index = at, vector }] of written.entries()) {
    const row = toFloats(vector)
    if (!row) throw bad(name, 'something that is not a vector')
    if (!Number.isInteger(index) || index < 0 || index >= count || rows.has(index))
      throw bad(name, 'vectors for other texts than it was given')
    rows.set(index, row)
  }
  const length = dimensions ?? rows.get(0)?.length ?? 0
  const ordered = Array.from({ length: count }, (_, at) => rows.get(at) ?? new Float32Array())
  for (const row of ordered) {
    if (row.length !== length)
      throw bad(name, `a vector of ${counted(row.length, 'dimension')} instead of ${length}`)
    if (!row.some((part) => part !== 0) || !row.every(Number.isFinite))
      throw bad(name, 'a vector without a direction')
  }
  return ordered
}

function toFloats(vector: unknown): Float32Array | null {
  if (typeof vector === 'string') {
    const bytes = Buffer.from(vector, 'base64')
    if (bytes.length === 0 || bytes.length % 4 !== 0) return null
    return Float32Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4))
  }
  if (!Array.isArray(vector) || vector.length === 0) return null
  return vector.every((part) => typeof part === 'number') ? Float32Array.from(vector) : null
}

function bad(name: string, what: string): RemoteError {
  return new RemoteError('bad-answer', `${name} answered with ${what}`)
}

/** Code has about three bytes of UTF-8 to a token; a little more than that is halved until it fits (see `embedderOf`). */
const bytesPerToken = 3

export function estimatedTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken)
}

/** The beginning that has at most so many tokens by the estimate; never half a character. */
export function cutToTokens(text: string, tokens: number): string {
  const bytes = Buffer.from(text)
  let end = Math.floor(tokens) * bytesPerToken
  if (bytes.length <= end) return text
  // The bytes of a character after its first one begin with the bits 10.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return bytes.toString('utf8', 0, end)
}

/** First and last (not included) place of each call, in order. A text alone may be larger than the limit of a call. */
export function planBatches(
  tokens: readonly number[],
  { inputs, tokens: most }: Pick<EmbedderLimits, 'inputs' | 'tokens'>,
): { from: number; to: number }[] {
  const batches: { from: number; to: number }[] = []
  let from = 0
  let sum = 0
  for (const [at, count] of tokens.entries()) {
    if (at > from && (at - from >= inputs || sum + count > most)) {
      batches.push({ from, to: at })
      from = at
      sum = 0
    }
    sum += count
  }
  if (from < tokens.length) batches.push({ from, to: tokens.length })
  return batches
}
