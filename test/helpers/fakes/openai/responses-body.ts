/** The body of a Responses request, as far as the fake reads it. */
import { z } from 'zod'

const Part = z.looseObject({ type: z.string(), text: z.string().optional() })

const Item = z.looseObject({
  type: z.string().optional(),
  role: z.enum(['system', 'developer', 'user', 'assistant']).optional(),
  content: z.union([z.string(), z.array(Part)]).optional(),
})
export type ResponsesItem = z.infer<typeof Item>

const Tool = z.looseObject({ type: z.string(), name: z.string().optional() })

export const ResponsesBody = z.looseObject({
  model: z.string(),
  input: z.union([z.string(), z.array(Item)]),
  instructions: z.string().nullish(),
  stream: z.boolean().nullish(),
  store: z.boolean().nullish(),
  max_output_tokens: z.int().nullish(),
  temperature: z.number().nullish(),
  top_p: z.number().nullish(),
  text: z.looseObject({ format: z.looseObject({ type: z.string() }).nullish() }).nullish(),
  reasoning: z.looseObject({ effort: z.string().nullish(), summary: z.string().nullish() }).nullish(),
  include: z.array(z.string()).nullish(),
  tools: z.array(Tool).nullish(),
  tool_choice: z.union([z.string(), z.looseObject({ name: z.string().optional() })]).nullish(),
})
export type ResponsesBody = z.infer<typeof ResponsesBody>

export const responsesKeys = new Set(
  'model input instructions stream stream_options store max_output_tokens max_tool_calls temperature top_p top_logprobs text reasoning include tools tool_choice parallel_tool_calls user metadata service_tier truncation background previous_response_id conversation prompt prompt_cache_key prompt_cache_retention prompt_cache_options safety_identifier context_management'.split(
    ' ',
  ),
)

export function itemsOf(input: ResponsesBody['input']): readonly ResponsesItem[] {
  return typeof input === 'string' ? [{ role: 'user', content: input }] : input
}

export function wordsOf(item: ResponsesItem | undefined): string {
  if (!item) return ''
  if (typeof item.content === 'string') return item.content
  if (item.content) return item.content.map((part) => part.text ?? '').join('\n')
  return typeof item.output === 'string' ? item.output : ''
}
