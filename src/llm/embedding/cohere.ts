/** Cohere: `/v2/embed`, at most 96 texts a call, rows in the order of the texts. */
import { z } from 'zod'
import type { Embedder, EmbedderLimits } from './contract.ts'
import { answerBytes, type EmbedderSettings, embedderOf, idOf, providerName, readRows } from './embed-all.ts'
import { connect, type ProviderDefaults, postJson, type Surroundings } from './endpoint.ts'

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

export function cohereEmbedder(settings: EmbedderSettings, surroundings: Surroundings): Embedder {
  const endpoint = connect(cohereDefaults, settings, '/embed', surroundings)
  const { model, dimensions, baseUrl } = settings
  return embedderOf(idOf(providerName('cohere', baseUrl), settings), limits, async (texts, input, signal) => {
    const body = {
      model,
      texts,
      input_type: input === 'document' ? 'search_document' : 'search_query',
      embedding_types: ['float'],
      truncate: 'END',
      ...(dimensions === undefined ? {} : { output_dimension: dimensions }),
    }
    const answer = await postJson(endpoint, body, {
      shape: Answer,
      signal,
      largestBytes: answerBytes(texts.length),
    })
    const written = answer.embeddings.float.map((vector) => ({ vector }))
    return {
      rows: readRows(cohereDefaults.name, written, texts.length, dimensions ?? null),
      tokens: answer.meta?.billed_units?.input_tokens ?? null,
    }
  })
}
