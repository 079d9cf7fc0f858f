/** Asks a fake provider through the provider packages of the AI SDK, the way the product does: one call, no retries. */
import { type LanguageModel, Output, streamText } from 'ai'
import { z } from 'zod'

globalThis.AI_SDK_LOG_WARNINGS = false

export const reviewSchema = z.object({
  findings: z.array(z.object({ title: z.string(), tag: z.string() })),
  summary: z.string(),
})

export const goodReview = {
  findings: [{ title: 'It is off by one.', tag: 'L2#abc' }],
  summary: 'One finding.',
}

export type Asked = {
  text: string
  finishReason: string
  rawFinishReason: string | undefined
  usage: Awaited<ReturnType<typeof streamText>['usage']> | null
  /** Errors that came as parts of the stream or broke it. */
  errors: unknown[]
  reasoning: string
  toolInputs: unknown[]
  warnings: unknown[]
}

type Options = {
  model: LanguageModel
  prompt?: string
  structured?: boolean
  settings?: Partial<Parameters<typeof streamText>[0]>
}

export async function ask({
  model,
  prompt = 'Review this.',
  structured = false,
  settings = {},
}: Options): Promise<Asked> {
  const asked: Asked = {
    text: '',
    finishReason: '',
    rawFinishReason: undefined,
    usage: null,
    errors: [],
    reasoning: '',
    toolInputs: [],
    warnings: [],
  }
  const result = streamText({
    model,
    prompt,
    instructions: 'You review code and answer with JSON.',
    maxOutputTokens: 2000,
    maxRetries: 0,
    onError() {},
    ...(structured ? { output: Output.object({ schema: reviewSchema, name: 'review' }) } : {}),
    ...settings,
  } as Parameters<typeof streamText>[0])
  try {
    for await (const part of result.stream) {
      if (part.type === 'text-delta') asked.text += part.text
      if (part.type === 'reasoning-delta') asked.reasoning += part.text
      if (part.type === 'tool-call') asked.toolInputs.push(part.input)
      if (part.type === 'error') asked.errors.push(part.error)
      if (part.type === 'finish') {
        asked.finishReason = part.finishReason
        asked.rawFinishReason = part.rawFinishReason
        asked.usage = part.totalUsage
      }
    }
    asked.warnings = (await result.warnings) ?? []
  } catch (error) {
    asked.errors.push(error)
  }
  return asked
}
