/** OpenAI, and every server that speaks like it: `/v1/embeddings`. */
import { z } from 'zod'
import type { EmbedderLimits } from './contract.ts'
import type { ProviderDefaults } from './endpoint.ts'
import { embedderOver } from './remote-embedder.ts'

const defaults: ProviderDefaults = {
  name: 'OpenAI',
  baseUrl: 'https://api.openai.com/v1',
  keysFrom: ['OPENAI_API_KEY'],
}

/** As documented: 2,048 inputs, 300,000 tokens in all, 8,192 each; with room for an estimate that is too low. */
const limits: EmbedderLimits = { inputs: 2_048, tokens: 240_000, tokensPerInput: 7_000 }

const Answer = z.object({
  data: z.array(z.object({ index: z.number().optional(), embedding: z.unknown() })),
  usage: z.object({ total_tokens: z.number() }).nullish(),
})

export const openaiEmbedder = embedderOver({
  kind: 'openai',
  defaults,
  path: '/embeddings',
  limits,
  answer: Answer,
  bodyOf: (texts, _, { model, dimensions }) => ({
    model,
    input: texts,
    encoding_format: 'base64',
    ...(dimensions === undefined ? {} : { dimensions }),
  }),
  vectorsOf: ({ data }) =>
    data.map(({ index, embedding }) => ({
      vector: embedding,
      ...(index === undefined ? {} : { index }),
    })),
  tokensOf: ({ usage }) => usage?.total_tokens ?? null,
})
