/** The body of a Messages request, as far as the fake reads it. */
import { z } from 'zod'

const cacheControl = z
  .object({ type: z.literal('ephemeral'), ttl: z.enum(['5m', '1h']).optional() })
  .nullish()

export const Block = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  cache_control: cacheControl,
})
export type Block = z.infer<typeof Block>

const Message = z.looseObject({
  role: z.enum(['user', 'assistant'], { error: "Input should be 'user' or 'assistant'" }),
  content: z.union([z.string(), z.array(Block)]),
})

const Tool = z.looseObject({
  name: z.string(),
  input_schema: z.record(z.string(), z.unknown()).optional(),
  strict: z.boolean().optional(),
  cache_control: cacheControl,
})

/** An unknown key is refused, as the real service refuses it. */
export const MessagesBody = z.strictObject({
  model: z.string(),
  max_tokens: z.int().min(1, { error: 'Input should be greater than or equal to 1' }),
  messages: z.array(Message).min(1, { error: 'at least one message is required' }),
  system: z.union([z.string(), z.array(Block)]).optional(),
  stream: z.boolean().optional(),
  temperature: z.number().min(0).max(1, { error: 'range: 0..1' }).optional(),
  top_p: z.number().optional(),
  top_k: z.number().optional(),
  stop_sequences: z.array(z.string()).optional(),
  tools: z.array(Tool).optional(),
  tool_choice: z
    .looseObject({ type: z.enum(['auto', 'any', 'tool', 'none']), name: z.string().optional() })
    .optional(),
  thinking: z.looseObject({ type: z.string(), budget_tokens: z.int().optional() }).optional(),
  output_config: z
    .looseObject({
      effort: z.enum(['low', 'medium', 'high', 'xhigh', 'max']).optional(),
      format: z
        .object({ type: z.literal('json_schema'), schema: z.record(z.string(), z.unknown()) })
        .nullish(),
    })
    .optional(),
  cache_control: cacheControl,
  metadata: z.object({ user_id: z.string().nullish() }).optional(),
  service_tier: z.string().optional(),
  context_management: z.unknown().optional(),
  container: z.unknown().optional(),
  mcp_servers: z.unknown().optional(),
  inference_geo: z.string().optional(),
})
export type MessagesBody = z.infer<typeof MessagesBody>

/** The first problem, in the words of the service: `max_tokens: Field required`. */
export function wordProblem(error: z.ZodError, body: unknown): string {
  const issue = error.issues[0]
  if (!issue) return 'Invalid request'
  if (issue.code === 'unrecognized_keys') return `${issue.keys[0]}: Extra inputs are not permitted`
  const path = issue.path.map(String)
  const value = path.reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], body)
  return `${path.join('.')}: ${value === undefined ? 'Field required' : issue.message}`
}

/** Strings and lists of blocks alike, as blocks. */
export function blocksOf(content: string | readonly Block[] | undefined): readonly Block[] {
  if (content === undefined) return []
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}
