/** One call through the SDK: no tools, no steps, no retries, no waiting. Its errors come back as data. */
import type { JsonSchema } from '../answers/wire-schema.ts'
import type { Dialect, Model } from '../providers/contract.ts'
import type { WirePrompt } from './prompt.ts'
import { guardSdk } from './sdk.ts'

export type CallInput = {
  model: Model
  prompt: WirePrompt
  /** Null: the schema stands in the prompt. */
  schema: { name: string; schema: JsonSchema } | null
  maxOutputTokens: number
  effort: 'none' | 'low' | 'medium' | 'high' | null
  options: Dialect
  signal: AbortSignal
}

/** As the SDK reports it; figures are foreign and may be anything. */
export type RawUsage = {
  inputTokens: number | undefined
  inputTokenDetails: { cacheReadTokens: number | undefined; cacheWriteTokens: number | undefined }
  outputTokens: number | undefined
  outputTokenDetails: { reasoningTokens: number | undefined }
  raw?: Readonly<Record<string, unknown>>
}

export type CallResult = {
  text: string
  /** `stop`, `length`, `content-filter` and others; null when the stream had no end. */
  finish: string | null
  usage: RawUsage | null
  warnings: readonly string[]
  /** The first error, as text; null without one. */
  error: string | null
}

/** Never rejects: what the SDK throws is in `error`. */
export async function callOnce(input: CallInput): Promise<CallResult> {
  guardSdk()
  // Loaded with the first call: a review without models never waits for it.
  const { isStepCount, streamText } = await import('ai')
  let text = ''
  let finish: string | null = null
  let usage: RawUsage | null = null
  let error: string | null = null
  const warnings: string[] = []
  try {
    const { stream } = streamText({
      model: input.model,
      instructions: input.prompt.instructions,
      messages: input.prompt.messages,
      ...(input.schema ? { output: asWritten(input.schema) } : {}),
      ...(input.effort ? { reasoning: input.effort } : {}),
      maxOutputTokens: input.maxOutputTokens,
      providerOptions: input.options,
      maxRetries: 0,
      stopWhen: isStepCount(1),
      abortSignal: input.signal,
      onError() {},
    })
    for await (const part of stream) {
      if (part.type === 'text-delta') text += part.text
      else if (part.type === 'start-step') warnings.push(...part.warnings.map(describeWarning))
      else if (part.type === 'error') error ??= describeError(part.error)
      else if (part.type === 'finish-step') {
        finish = part.finishReason === 'interrupted' ? null : part.finishReason
        usage = part.usage
      }
    }
  } catch (thrown) {
    error ??= describeError(thrown)
  }
  return { text, finish, usage, warnings, error }
}

/** The schema goes to the provider; the text comes back as it is, since reading it is our own affair. */
function asWritten({ name, schema }: { name: string; schema: JsonSchema }) {
  return {
    name: 'as-written',
    responseFormat: Promise.resolve({ type: 'json' as const, name, schema }),
    parseCompleteOutput: async ({ text }: { text: string }) => text,
    parsePartialOutput: async () => undefined,
    createElementStreamTransform: () => undefined,
  }
}

type Warning = { type: string; feature?: string; details?: string; message?: string }

function describeWarning(warning: Warning): string {
  return [warning.type, warning.feature, warning.details ?? warning.message].filter(Boolean).join(': ')
}

/** Several copies of the SDK's classes live side by side, so nothing is asked for its class. */
function describeError(thrown: unknown): string {
  if (typeof thrown === 'string') return thrown
  if (thrown === null || typeof thrown !== 'object') return 'an error without a message'
  const { data, message } = thrown as { data?: unknown; message?: unknown }
  if (data !== undefined && data !== null) return JSON.stringify(data)
  return typeof message === 'string' && message !== '' ? message : JSON.stringify(thrown)
}
