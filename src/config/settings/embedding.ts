/** The operator's sections `embedding` and `rerank`: who turns text into vectors, and who orders what was found. */
import { z } from 'zod'
import { providerAddress, providerKey } from './fields.ts'

const model = z.string().min(1).max(200).meta({ description: 'Name of the model at the provider.' })

export const EmbeddingSettings = z
  .strictObject({
    kind: z
      .enum(['openai', 'voyage', 'cohere', 'ollama'])
      .meta({ description: 'API of the provider; use `openai` for every compatible server.' }),
    model,
    dimensions: z.int().min(8).max(4096).optional().meta({
      description: 'Length of the vectors, for models that offer several. Default: that of the model.',
    }),
    baseUrl: providerAddress,
    keyFrom: providerKey,
    prefixes: z
      .strictObject({ document: z.string().max(200).default(''), query: z.string().max(200).default('') })
      .optional()
      .meta({ description: 'Prefix of each text, for models that require one (`search_query: `).' }),
  })
  .nullable()
  .default(null)
export type EmbeddingSettings = z.infer<typeof EmbeddingSettings>

export const RerankSettings = z
  .strictObject({ kind: z.enum(['cohere', 'voyage']), model, baseUrl: providerAddress, keyFrom: providerKey })
  .nullable()
  .default(null)
export type RerankSettings = z.infer<typeof RerankSettings>
