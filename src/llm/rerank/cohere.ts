/** Cohere: `/v2/rerank`. */
import { z } from 'zod'
import { cohereDefaults } from '../embedding/cohere.ts'
import { rerankerOver } from './remote-reranker.ts'

export const cohereReranker = rerankerOver({
  kind: 'cohere',
  defaults: cohereDefaults,
  answer: z.object({
    results: z.array(z.object({ index: z.number(), relevance_score: z.number() })),
  }),
  optionsOf: (most) => ({ top_n: most }),
  rowsOf: ({ results }) => results,
  // It bills searches, not tokens.
  tokensOf: () => 0,
})
