/** A reranker over HTTP: connecting, calling and reading are the same for all providers; what a call and its answer say is not. */
import type { z } from 'zod'
import { connect, type ProviderDefaults, postJson, type Surroundings } from '../embedding/endpoint.ts'
import {
  type Reranker,
  type RerankerSettings,
  readRerankRows,
  rerankAnswerBytes,
  rerankText,
  type WrittenScore,
} from './contract.ts'

export type RerankApi<Answer> = {
  kind: RerankerSettings['kind']
  defaults: ProviderDefaults
  answer: z.ZodType<Answer>
  /** What a call says besides model, query and documents, to get so many rows. */
  optionsOf(most: number): object
  rowsOf(answer: Answer): readonly WrittenScore[]
  tokensOf(answer: Answer): number
}

export type OpenReranker = (settings: RerankerSettings, surroundings: Surroundings) => Reranker

/** The reranker throws `RemoteError` with `no-key` when it is opened. */
export function rerankerOver<Answer>(api: RerankApi<Answer>): OpenReranker {
  const { kind, defaults, answer: shape } = api
  return (settings, surroundings) => {
    const endpoint = connect(defaults, settings, '/rerank', surroundings)
    const { model } = settings
    return {
      name: `${kind}/${model}`,
      async rerank(query, documents, most, signal) {
        if (documents.length === 0) return { rows: [], usage: { calls: 0, tokens: 0 } }
        const body = {
          model,
          query,
          documents: documents.map(rerankText),
          ...api.optionsOf(Math.min(most, documents.length)),
        }
        const answer = await postJson(endpoint, body, { shape, signal, largestBytes: rerankAnswerBytes })
        const rows = readRerankRows(defaults.name, api.rowsOf(answer), documents.length, most)
        return { rows, usage: { calls: 1, tokens: api.tokensOf(answer) } }
      },
    }
  }
}
