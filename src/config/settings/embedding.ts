/** The operator's sections `embedding` and `rerank`: who turns text into vectors, and who orders what was found. */
import { z } from 'zod'

export const EmbeddingSettings = z
  .strictObject({
    kind: z.enum(['openai', 'voyage', 'cohere', 'ollama']),
    model: z.string().min(1),
    dimensions: z.int().min(8).max(4096).optional(),
    baseUrl: z.url().optional(),
    keyFrom: z.string().optional(),
  })
  .nullable()
  .default(null)
export type EmbeddingSettings = z.infer<typeof EmbeddingSettings>

export const RerankSettings = z
  .strictObject({
    kind: z.enum(['cohere', 'voyage']),
    model: z.string().min(1),
    baseUrl: z.url().optional(),
    keyFrom: z.string().optional(),
  })
  .nullable()
  .default(null)
export type RerankSettings = z.infer<typeof RerankSettings>
