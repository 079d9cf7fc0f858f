/** What all embedders do alike: prefixes, cutting, calls one after the other, smaller calls when one was too long. */
import { cutToTokens, estimatedTokens, planBatches } from './batches.ts'
import type { Embedded, Embedder, EmbedderId, EmbedderLimits, InputType } from './contract.ts'
import { RemoteError } from './remote-error.ts'

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
