/** Voyage AI: `/v1/embeddings`, with input types. */
import { z } from 'zod'
import type { EmbedderLimits } from './contract.ts'
import type { ProviderDefaults } from './endpoint.ts'
import { embedderOver } from './remote-embedder.ts'

export const voyageDefaults: ProviderDefaults = {
  name: 'Voyage',
  baseUrl: 'https://api.voyageai.com/v1',
  keysFrom: ['VOYAGE_API_KEY'],
}

/** As documented: 1,000 inputs, and for the large models 120,000 tokens in all; 32,000 each. */
const limits: EmbedderLimits = { inputs: 1_000, tokens: 96_000, tokensPerInput: 24_000 }

const Answer = z.object({
  data: z.array(z.object({ index: z.number(), embedding: z.unknown() })),
  usage: z.object({ total_tokens: z.number() }).nullish(),
})

export const voyageEmbedder = embedderOver({
  kind: 'voyage',
  defaults: voyageDefaults,
  path: '/embeddings',
  limits,
  answer: Answer,
  bodyOf: (texts, input, { model, dimensions }) => ({
    model,
    input: texts,
    input_type: input,
    truncation: true,
    output_dtype: 'float',
    encoding_format: 'base64',
    ...(dimensions === undefined ? {} : { output_dimension: dimensions }),
  }),
  vectorsOf: ({ data }) => data.map(({ index, embedding }) => ({ index, vector: embedding })),
  tokensOf: ({ usage }) => usage?.total_tokens ?? null,
})
