/** Ollama: `/api/embed` on this machine or another, without a key. */
import { z } from 'zod'
import type { EmbedderLimits } from './contract.ts'
import type { ProviderDefaults } from './endpoint.ts'
import { embedderOver } from './remote-embedder.ts'

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

export const ollamaEmbedder = embedderOver({
  kind: 'ollama',
  defaults,
  path: '/embed',
  limits,
  answer: Answer,
  bodyOf: (texts, _, { model, dimensions }) => ({
    model,
    input: texts,
    truncate: true,
    ...(dimensions === undefined ? {} : { dimensions }),
  }),
  vectorsOf: ({ embeddings }) => embeddings.map((vector) => ({ vector })),
  tokensOf: ({ prompt_eval_count }) => prompt_eval_count ?? null,
})
