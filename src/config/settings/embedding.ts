/** The operator's sections `embedding` and `rerank`: who turns text into vectors, and who orders what was found. */
import { z } from 'zod'

const model = z
  .string()
  .min(1)
  .max(200)
  .meta({ description: 'The name by which the provider knows the model.' })

const baseUrl = z
  .url({ protocol: /^https?$/ })
  .optional()
  .meta({
    description: 'Where it is reached, if not at its usual address. Without a path, the usual one is added.',
  })

const keyFrom = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { error: 'must be the name of an environment variable' })
  .optional()
  .meta({
    description: 'Name of the environment variable that holds the key. The key itself never stands here.',
  })

export const EmbeddingSettings = z
  .strictObject({
    kind: z
      .enum(['openai', 'voyage', 'cohere', 'ollama'])
      .meta({ description: 'How it speaks; `openai` is also every server that speaks like it.' }),
    model,
    dimensions: z.int().min(8).max(4096).optional().meta({
      description: 'Numbers in a vector, for models that offer several; the model’s own when not given.',
    }),
    baseUrl,
    keyFrom,
    prefixes: z
      .strictObject({ document: z.string().max(200).default(''), query: z.string().max(200).default('') })
      .optional()
      .meta({ description: 'Put before each text, for models that want it (`search_query: `).' }),
  })
  .nullable()
  .default(null)
export type EmbeddingSettings = z.infer<typeof EmbeddingSettings>

export const RerankSettings = z
  .strictObject({ kind: z.enum(['cohere', 'voyage']), model, baseUrl, keyFrom })
  .nullable()
  .default(null)
export type RerankSettings = z.infer<typeof RerankSettings>
