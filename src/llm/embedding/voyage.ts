/** Voyage AI: `/v1/embeddings`, with input types. */
import { z } from 'zod'
import type { Embedder, EmbedderLimits } from './contract.ts'
import { answerBytes, type EmbedderSettings, embedderOf, idOf, providerName, readRows } from './embed-all.ts'
import { connect, type ProviderDefaults, postJson, type Surroundings } from './endpoint.ts'

const defaults: ProviderDefaults = {
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

export function voyageEmbedder(settings: EmbedderSettings, surroundings: Surroundings): Embedder {
  const endpoint = connect(defaults, settings, '/embeddings', surroundings)
  const { model, dimensions, baseUrl } = settings
  return embedderOf(idOf(providerName('voyage', baseUrl), settings), limits, async (texts, input, signal) => {
    const body = {
      model,
      input: texts,
      input_type: input,
      truncation: true,
      output_dtype: 'float',
      encoding_format: 'base64',
      ...(dimensions === undefined ? {} : { output_dimension: dimensions }),
    }
    const answer = await postJson(endpoint, body, {
      shape: Answer,
      signal,
      largestBytes: answerBytes(texts.length),
    })
    const written = answer.data.map(({ index, embedding }) => ({ index, vector: embedding }))
    return {
      rows: readRows(defaults.name, written, texts.length, dimensions ?? null),
      tokens: answer.usage?.total_tokens ?? null,
    }
  })
}
