/** OpenAI, and every server that speaks like it: `/v1/embeddings`. */
import { z } from 'zod'
import type { Embedder, EmbedderLimits } from './contract.ts'
import { answerBytes, type EmbedderSettings, embedderOf, idOf, providerName, readRows } from './embed-all.ts'
import { connect, type ProviderDefaults, postJson, type Surroundings } from './endpoint.ts'

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

export function openaiEmbedder(settings: EmbedderSettings, surroundings: Surroundings): Embedder {
  const endpoint = connect(defaults, settings, '/embeddings', surroundings)
  const { model, dimensions, baseUrl } = settings
  return embedderOf(
    idOf(providerName('openai', baseUrl), settings),
    limits,
    async (texts, _input, signal) => {
      const body = {
        model,
        input: texts,
        encoding_format: 'base64',
        ...(dimensions === undefined ? {} : { dimensions }),
      }
      const answer = await postJson(endpoint, body, {
        shape: Answer,
        signal,
        largestBytes: answerBytes(texts.length),
      })
      const written = answer.data.map(({ index, embedding }) => ({
        vector: embedding,
        ...(index === undefined ? {} : { index }),
      }))
      return {
        rows: readRows(defaults.name, written, texts.length, dimensions ?? null),
        tokens: answer.usage?.total_tokens ?? null,
      }
    },
  )
}
