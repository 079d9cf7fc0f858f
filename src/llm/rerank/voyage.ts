/** Voyage AI: `/v1/rerank`. */
import { z } from 'zod'
import { voyageDefaults } from '../embedding/voyage.ts'
import { rerankerOver } from './remote-reranker.ts'

export const voyageReranker = rerankerOver({
  kind: 'voyage',
  defaults: voyageDefaults,
  answer: z.object({
    data: z.array(z.object({ index: z.number(), relevance_score: z.number() })),
    usage: z.object({ total_tokens: z.number() }).nullish(),
  }),
  optionsOf: (most) => ({ top_k: most, return_documents: false, truncation: true }),
  rowsOf: ({ data }) => data,
  tokensOf: ({ usage }) => usage?.total_tokens ?? 0,
})
