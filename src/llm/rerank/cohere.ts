/** Cohere: `/v2/rerank`. */
import { z } from 'zod'
import { cohereDefaults } from '../embedding/cohere.ts'
import { connect, postJson, type Surroundings } from '../embedding/endpoint.ts'
import {
  type Reranker,
  type RerankerSettings,
  readRerankRows,
  rerankAnswerBytes,
  rerankText,
} from './contract.ts'

const Answer = z.object({
  results: z.array(z.object({ index: z.number(), relevance_score: z.number() })),
})

export function cohereReranker(settings: RerankerSettings, surroundings: Surroundings): Reranker {
  const endpoint = connect(cohereDefaults, settings, '/rerank', surroundings)
  const { model } = settings
  return {
    name: `cohere/${model}`,
    async rerank(query, documents, most, signal) {
      if (documents.length === 0) return { rows: [], usage: { calls: 0, tokens: 0 } }
      const body = {
        model,
        query,
        documents: documents.map(rerankText),
        top_n: Math.min(most, documents.length),
      }
      const { results } = await postJson(endpoint, body, {
        shape: Answer,
        signal,
        largestBytes: rerankAnswerBytes,
      })
      const rows = readRerankRows(cohereDefaults.name, results, documents.length, most)
      // It bills searches, not tokens.
      return { rows, usage: { calls: 1, tokens: 0 } }
    },
  }
}
