/** Ollama: `/api/embed` on this machine or another, without a key. */
import { z } from 'zod'
import type { Embedder, EmbedderLimits } from './contract.ts'
import { answerBytes, type EmbedderSettings, embedderOf, idOf, providerName, readRows } from './embed-all.ts'
import { connect, type ProviderDefaults, postJson, type Surroundings } from './endpoint.ts'

const defaults: ProviderDefaults = {
  name: 'Ollama',
  baseUrl: 'http://127.0.0.1:11434/api',
  keysFrom: [],
}

/** It has no limits of its own; small calls show progress and fit the time of one call without a GPU. */
const limits: EmbedderLimits = { inputs: 64, tokens: 64_000, tokensPerInput: 8_000 }

const Answer = z.object({
  embeddings: z.array(z.unknown()),
  prompt_eval_count: z.number().optional(),
})

export function ollamaEmbedder(settings: EmbedderSettings, surroundings: Surroundings): Embedder {
  const endpoint = connect(defaults, settings, '/embed', surroundings)
  const { model, dimensions, baseUrl } = settings
  return embedderOf(
    idOf(providerName('ollama', baseUrl), settings),
    limits,
    async (texts, _input, signal) => {
      const body = {
        model,
        input: texts,
        truncate: true,
        ...(dimensions === undefined ? {} : { dimensions }),
      }
      const answer = await postJson(endpoint, body, {
        shape: Answer,
        signal,
        largestBytes: answerBytes(texts.length),
      })
      const written = answer.embeddings.map((vector) => ({ vector }))
      return {
        rows: readRows(defaults.name, written, texts.length, dimensions ?? null),
        tokens: answer.prompt_eval_count ?? null,
      }
    },
  )
}
