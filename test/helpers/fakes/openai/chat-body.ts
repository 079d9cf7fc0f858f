/** The body of a chat completion request, as far as the fake reads it. */
import { z } from 'zod'

const Part = z.looseObject({ type: z.string(), text: z.string().optional() })

const Message = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
  content: z.union([z.string(), z.array(Part), z.null()]).optional(),
  tool_calls: z.array(z.unknown()).optional(),
  tool_call_id: z.string().optional(),
})
export type ChatMessage = z.infer<typeof Message>

const Tool = z.looseObject({
  type: z.literal('function'),
  function: z.looseObject({
    name: z.string(),
    parameters: z.record(z.string(), z.unknown()).optional(),
    strict: z.boolean().nullish(),
  }),
})

export const ChatBody = z.looseObject({
  model: z.string(),
  messages: z.array(Message).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().optional() }).loose().nullish(),
  max_tokens: z.int().min(1).nullish(),
  max_completion_tokens: z.int().min(1).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().nullish(),
  response_format: z
    .looseObject({ type: z.string(), json_schema: z.record(z.string(), z.unknown()).optional() })
    .nullish(),
  tools: z.array(Tool).nullish(),
  tool_choice: z
    .union([
      z.enum(['auto', 'none', 'required']),
      z.looseObject({ function: z.object({ name: z.string() }) }),
    ])
    .nullish(),
})
export type ChatBody = z.infer<typeof ChatBody>

/** What OpenAI itself takes; servers that only talk alike take more. */
export const chatKeys = new Set(
  'model messages stream stream_options max_tokens max_completion_tokens temperature top_p response_format tools tool_choice parallel_tool_calls user seed stop n logprobs top_logprobs logit_bias frequency_penalty presence_penalty reasoning_effort verbosity store metadata prediction modalities audio service_tier prompt_cache_key prompt_cache_retention prompt_cache_options safety_identifier web_search_options functions function_call'.split(
    ' ',
  ),
)

export function wordsOf(message: ChatMessage): string {
  const { content } = message
  if (typeof content === 'string') return content
  return (content ?? []).map((part) => part.text ?? '').join('\n')
}
