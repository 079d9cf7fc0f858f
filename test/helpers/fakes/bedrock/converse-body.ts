/** The body of a Converse request, as far as the fake reads it. */
import { z } from 'zod'

const Block = z.looseObject({
  text: z.string().optional(),
  cachePoint: z.looseObject({ type: z.string(), ttl: z.enum(['5m', '1h']).optional() }).optional(),
})
export type ConverseBlock = z.infer<typeof Block>

const Tool = z.looseObject({
  toolSpec: z
    .looseObject({ name: z.string(), inputSchema: z.object({ json: z.record(z.string(), z.unknown()) }) })
    .optional(),
  cachePoint: Block.shape.cachePoint,
})

export const ConverseBody = z.strictObject({
  messages: z.array(z.object({ role: z.enum(['user', 'assistant']), content: z.array(Block) })).default([]),
  system: z.array(Block).optional(),
  inferenceConfig: z
    .strictObject({
      maxTokens: z.int().min(1).optional(),
      temperature: z.number().optional(),
      topP: z.number().optional(),
      stopSequences: z.array(z.string()).optional(),
    })
    .optional(),
  toolConfig: z
    .object({
      tools: z.array(Tool).min(1),
      toolChoice: z
        .object({
          auto: z.object({}).optional(),
          any: z.object({}).optional(),
          tool: z.object({ name: z.string() }).optional(),
        })
        .optional(),
    })
    .optional(),
  additionalModelRequestFields: z.unknown().optional(),
  additionalModelResponseFieldPaths: z.array(z.string()).optional(),
  guardrailConfig: z.unknown().optional(),
  performanceConfig: z.unknown().optional(),
  promptVariables: z.unknown().optional(),
  requestMetadata: z.unknown().optional(),
  serviceTier: z.unknown().optional(),
  outputConfig: z.unknown().optional(),
})
export type ConverseBody = z.infer<typeof ConverseBody>
