/** Voyage AI: `/v1/rerank`. */
import { z } from 'zod'
import { connect, type ProviderDefaults, postJson, type Surroundings } from '../embedding/endpoint.ts'
import {
  type Reranker,
  type RerankerSettings,
  readRerankRows,
  rerankAnswerBytes,
  rerankText,
} from './contract.ts'

const defaults: ProviderDefaults = {
  name: 'Voyage',
  baseUrl: 'https://api.voyageai.com/v1',
  keysFrom: ['VOYAGE_API_KEY'],
}

const Answer = z.object({
  data: z.array(z.object({ index: z.number(), relevance_score: z.number() })),
  usage: z.object({ total_tokens: z.number() }).nullish(),
})

export function voyageReranker(settings: RerankerSettings, surroundings: Surroundings): Reranker {
  const endpoint = connect(defaults, settings, '/rerank', surroundings)
  const { model } = settings
  return {
    name: `voyage/${model}`,
    async rerank(query, documents, most, signal) {
      if (documents.length === 0) return { rows: [], usage: { calls: 0, tokens: 0 } }
      const body = {
        model,
        query,
        documents: documents.map(rerankText),
        top_k: Math.min(most, documents.length),
        return_documents: false,
        truncation: true,
      }
      const { data, usage } = await postJson(endpoint, body, {
        shape: Answer,
        signal,
        largestBytes: rerankAnswerBytes,
      })
      const rows = readRerankRows(defaults.name, data, documents.length, most)
      return { rows, usage: { calls: 1, tokens: usage?.total_tokens ?? 0 } }
    },
  }
}
