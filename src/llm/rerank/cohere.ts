/** Cohere: `/v2/rerank`. */
import { z } from 'zod'
import { cohereDefaults } from '../embedding/cohere.ts'
import { connect, type Surroundings } from '../embedding/connection.ts'
import { postJson } from '../embedding/post-json.ts'
import { parseAnswer } from '../embedding/provider-parts.ts'
import type { Reranker } from './contract.ts'
import { type RerankerSettings, rerankAnswerBytes } from './provider-parts.ts'
import { readRerankRows, rerankText } from './rows.ts'

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
      const answer = await postJson(endpoint, body, { signal, largestBytes: rerankAnswerBytes })
      const { results } = parseAnswer(cohereDefaults.name, Answer, answer)
      const rows = readRerankRows(cohereDefaults.name, results, documents.length, most)
      // It bills searches, not tokens.
      return { rows, usage: { calls: 1, tokens: 0 } }
    },
  }
}
