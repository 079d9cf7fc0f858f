/** Cohere: `/v2/embed`, at most 96 texts a call, rows in the order of the texts. */
import { z } from 'zod'
import type { EmbedderLimits } from './contract.ts'
import type { ProviderDefaults } from './endpoint.ts'
import { embedderOver } from './remote-embedder.ts'

export const cohereDefaults: ProviderDefaults = {
  name: 'Cohere',
  baseUrl: 'https://api.cohere.com/v2',
  keysFrom: ['CO_API_KEY', 'COHERE_API_KEY'],
}

/** As documented: 96 texts; the newest model takes 128,000 tokens, older ones cut by themselves. */
const limits: EmbedderLimits = { inputs: 96, tokens: 96_000, tokensPerInput: 24_000 }

const Answer = z.object({
  embeddings: z.object({ float: z.array(z.unknown()) }),
  meta: z.object({ billed_units: z.object({ input_tokens: z.number().optional() }).nullish() }).nullish(),
})

export const cohereEmbedder = embedderOver({
  kind: 'cohere',
  defaults: cohereDefaults,
  path: '/embed',
  limits,
  answer: Answer,
  bodyOf: (texts, input, { model, dimensions }) => ({
    model,
    texts,
    input_type: input === 'document' ? 'search_document' : 'search_query',
    embedding_types: ['float'],
    truncate: 'END',
    ...(dimensions === undefined ? {} : { output_dimension: dimensions }),
  }),
  vectorsOf: ({ embeddings }) => embeddings.float.map((vector) => ({ vector })),
  tokensOf: ({ meta }) => meta?.billed_units?.input_tokens ?? null,
})
