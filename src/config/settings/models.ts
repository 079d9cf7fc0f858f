/** The operator's section `models`: which providers there are, which model each role uses, and what models cost. */
import { z } from 'zod'
import { providerAddress, providerKey } from './fields.ts'

/** How a provider speaks. Everything that talks like OpenAI's chat API is `openai-compatible`. */
export const ProviderKind = z.enum([
  'anthropic',
  'openai',
  'openai-chat',
  'google',
  'bedrock',
  'azure',
  'openai-compatible',
])
export type ProviderKind = z.infer<typeof ProviderKind>

/** `provider/model`, such as `anthropic/claude-sonnet-5-5`; the model's own name may hold further slashes. */
export const ModelName = z.string().regex(/^[a-z0-9][a-z0-9-]*\/\S+$/, {
  error: 'must be written provider/model, such as anthropic/claude-sonnet-5-5',
})

export const ProviderSettings = z.strictObject({
  kind: ProviderKind,
  baseUrl: providerAddress,
  keyFrom: providerKey,
  region: z.string().optional().meta({ description: 'Bedrock only.' }),
  resourceName: z.string().optional().meta({ description: 'Azure only.' }),
  apiVersion: z.string().optional().meta({ description: 'Azure only.' }),
  structuredOutput: z
    .enum(['native', 'prompt'])
    .optional()
    .meta({ description: 'Whether its models accept a JSON schema. Default: depends on `kind`.' }),
  firstWordSeconds: z.int().min(1).max(3600).optional().meta({
    description: 'How long to wait for the first word of an answer. A local model may need time to load.',
  }),
})
export type ProviderSettings = z.infer<typeof ProviderSettings>

/** US dollars for a million tokens. */
export const ModelPrice = z.strictObject({
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  cacheRead: z.number().nonnegative().optional(),
  cacheWrite: z.number().nonnegative().optional(),
  /** For one call, on top; some rerankers charge by it. */
  call: z.number().nonnegative().optional(),
})
export type ModelPrice = z.infer<typeof ModelPrice>

/** The first model is asked; each next one when those before it cannot be reached. */
const route = z.union([ModelName.transform((name) => [name]), z.array(ModelName).min(1).max(8)], {
  error: 'must be a model, or a list of one to eight, each written provider/model',
})

export const ModelRoles = z.strictObject({
  scout: route.optional(),
  reviewer: route.optional(),
  judge: route.optional(),
})
export type ModelRoles = z.infer<typeof ModelRoles>

export const ModelSettings = z.strictObject({
  enabled: z.boolean().optional().meta({
    description:
      'Whether reviews may send code to models. Default: to models named in `roles`, but not to models whose key was merely found in the environment.',
  }),
  providers: z.record(z.string().regex(/^[a-z0-9][a-z0-9-]*$/), ProviderSettings).default({}),
  roles: ModelRoles.prefault({}),
  prices: z.record(ModelName, ModelPrice).default({}),
  contextWindows: z
    .record(ModelName, z.int().min(1024))
    .default({})
    .meta({ description: 'Context window in tokens, for models that are not in the built-in table.' }),
  keepInstructionsCached: z.enum(['5m', '1h']).default('5m').meta({
    description:
      'How long providers cache the instructions, where this can be chosen. An hour costs more to write and pays off if reviews are minutes apart.',
  }),
})
export type ModelSettings = z.infer<typeof ModelSettings>
