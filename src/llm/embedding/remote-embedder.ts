/** An embedder over HTTP: connecting, calling and reading are the same for all providers; what a call and its answer say is not. */
import type { z } from 'zod'
import type { Embedder, EmbedderLimits, InputType } from './contract.ts'
import {
  answerBytes,
  type EmbedderSettings,
  embedderOf,
  idOf,
  providerName,
  readRows,
  type WrittenRow,
} from './embed-all.ts'
import { connect, type ProviderDefaults, postJson, type Surroundings } from './endpoint.ts'

export type EmbeddingApi<Answer> = {
  kind: EmbedderSettings['kind']
  defaults: ProviderDefaults
  /** Below the base address. */
  path: string
  limits: EmbedderLimits
  answer: z.ZodType<Answer>
  bodyOf(
    texts: readonly string[],
    input: InputType,
    settings: Pick<EmbedderSettings, 'model' | 'dimensions'>,
  ): object
  vectorsOf(answer: Answer): readonly WrittenRow[]
  /** Null when the provider does not say. */
  tokensOf(answer: Answer): number | null
}

export type OpenEmbedder = (settings: EmbedderSettings, surroundings: Surroundings) => Embedder

/** The embedder throws `RemoteError` with `no-key` when it is opened. */
export function embedderOver<Answer>(api: EmbeddingApi<Answer>): OpenEmbedder {
  const { kind, defaults, path, limits, answer: shape } = api
  return (settings, surroundings) => {
    const endpoint = connect(defaults, settings, path, surroundings)
    const id = idOf(providerName(kind, settings.baseUrl), settings)
    return embedderOf(id, limits, async (texts, input, signal) => {
      const largestBytes = answerBytes(texts.length)
      const answer = await postJson(endpoint, api.bodyOf(texts, input, settings), {
        shape,
        signal,
        largestBytes,
      })
      return {
        rows: readRows(defaults.name, api.vectorsOf(answer), texts.length, settings.dimensions ?? null),
        tokens: api.tokensOf(answer),
      }
    })
  }
}
