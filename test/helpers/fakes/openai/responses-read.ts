/** Reads a Responses request by all rules, and counts what of it comes from the cache. */
import type { Account, Call, FakeModel } from '../contract.ts'
import { isHttpAnswer } from '../contract.ts'
import type { HttpAnswer, ReceivedRequest } from '../server.ts'
import { countTokens } from '../tokens.ts'
import { readAnswerFormat } from './answer-format.ts'
import { invalidRequest, openaiError, unparsedBody } from './errors.ts'
import { itemsOf, ResponsesBody, responsesKeys, wordsOf } from './responses-body.ts'
import { wordProblem } from './word-problem.ts'

export function readResponses(request: ReceivedRequest, account: Account): Call | HttpAnswer {
  const raw = request.body
  if (typeof raw !== 'object' || raw === null) return unparsedBody()
  const unknown = Object.keys(raw).find((key) => !responsesKeys.has(key))
  if (unknown) return invalidRequest(`Unknown parameter: '${unknown}'.`, unknown, 'unknown_parameter')
  const checked = ResponsesBody.safeParse(raw)
  if (!checked.success) return wordProblem(checked.error, raw)
  const body = checked.data
  const model = Object.hasOwn(account.models, body.model) ? account.models[body.model] : undefined
  if (!model)
    return openaiError(
      400,
      `The requested model '${body.model}' does not exist.`,
      'model_not_found',
      'invalid_request_error',
      'model',
    )
  const refused = refuseSettings(body, model) ?? refuseItems(body)
  if (refused) return refused
  const items = itemsOf(body.input)
  const prompt = [body.instructions ?? '', ...items.map(wordsOf)].filter(Boolean).join('\n\n')
  const asked = readAnswerFormat(
    body.text?.format ?? null,
    { ...model, name: body.model },
    'text.format',
    prompt,
  )
  if (isHttpAnswer(asked)) return asked
  const serialized = JSON.stringify([
    body.tools ?? [],
    body.text ?? null,
    body.instructions ?? null,
    ...items,
  ])
  const input = countTokens(serialized)
  if (input > model.contextWindow)
    return invalidRequest(
      'Your input exceeds the context window of this model. Please adjust your input and try again.',
      'input',
      'context_length_exceeded',
    )
  return {
    request,
    model: body.model,
    stream: body.stream ?? false,
    prompt,
    lastTurn: wordsOf(items.at(-1)),
    schema: asked.schema,
    answerTool: answerToolOf(body),
    maxOutputTokens: body.max_output_tokens ?? model.maxOutputTokens,
    usage: {
      input,
      cacheRead: account.cache.commonPrefix(body.model, serialized, model.cacheFrom ?? 1024),
      cacheWrite: 0,
    },
  }
}

function refuseSettings(body: ResponsesBody, model: FakeModel): HttpAnswer | null {
  const limit = body.max_output_tokens
  if (limit != null && limit < 16)
    return invalidRequest(
      `Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got ${limit} instead.`,
      'max_output_tokens',
      'integer_below_min_value',
    )
  if (limit != null && limit > model.maxOutputTokens)
    return invalidRequest(
      `Invalid 'max_output_tokens': integer above maximum value. Expected a value <= ${model.maxOutputTokens}, but got ${limit} instead.`,
      'max_output_tokens',
      'integer_above_max_value',
    )
  const sampling = (['temperature', 'top_p'] as const).find((key) => body[key] != null)
  if (sampling && model.rejectsSampling)
    return invalidRequest(`Unsupported parameter: '${sampling}' is not supported with this model.`, sampling)
  if (body.reasoning?.effort != null && !model.reasons)
    return invalidRequest(
      "Unsupported parameter: 'reasoning.effort' is not supported with this model.",
      'reasoning.effort',
      'unsupported_parameter',
    )
  if (body.include?.includes('reasoning.encrypted_content') && !model.reasons)
    return invalidRequest('Encrypted content is not supported with this model.', 'include')
  return null
}

function refuseItems(body: ResponsesBody): HttpAnswer | null {
  const items = itemsOf(body.input)
  if (items.length === 0)
    return invalidRequest(
      "One of 'input' or 'previous_response_id' or 'prompt' or 'conversation_id' must be provided.",
      'input',
      'missing_required_parameter',
    )
  for (const [index, item] of items.entries()) {
    const wrong = Array.isArray(item.content)
      ? item.content.find(
          (part) =>
            part.type.startsWith('output_') !== (item.role === 'assistant') && part.type !== 'refusal',
        )
      : undefined
    if (wrong)
      return invalidRequest(
        `Invalid value: '${wrong.type}'. Supported values are: ${item.role === 'assistant' ? "'output_text' and 'refusal'" : "'input_text', 'input_image', and 'input_file'"}.`,
        `input[${index}].content[0]`,
        'invalid_value',
      )
  }
  return null
}

function answerToolOf(body: ResponsesBody): string | null {
  if (typeof body.tool_choice === 'object') return body.tool_choice?.name ?? null
  return body.tool_choice === 'required' ? (body.tools?.[0]?.name ?? null) : null
}
