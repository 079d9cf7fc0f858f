/** Reads a chat completion request by all rules, and counts what of it comes from the cache. */
import type { Account, Call, FakeModel } from '../contract.ts'
import { isHttpAnswer } from '../contract.ts'
import type { HttpAnswer, ReceivedRequest } from '../server.ts'
import { countTokens } from '../tokens.ts'
import { readAnswerFormat } from './answer-format.ts'
import { ChatBody, chatKeys, wordsOf } from './chat-body.ts'
import { invalidRequest, openaiError, unparsedBody } from './errors.ts'
import { schemaProblem } from './schema-subset.ts'
import { wordProblem } from './word-problem.ts'

/** How a server differs from OpenAI itself. */
export type ChatDialect = {
  /** Names the model where the path does. */
  model?: string
  /** Takes keys that OpenAI does not know, and schemas that its strict mode refuses. */
  lax?: boolean
  /** Cuts prompts that are too long and says nothing. */
  cutsPrompts?: boolean
  noSuchModel?: (name: string) => HttpAnswer
  tooLong?: (limit: number, input: number, output: number) => HttpAnswer
}

export function readChat(
  request: ReceivedRequest,
  account: Account,
  dialect: ChatDialect = {},
): Call | HttpAnswer {
  const raw = request.body
  if (typeof raw !== 'object' || raw === null) return unparsedBody()
  const checked = ChatBody.safeParse(dialect.model === undefined ? raw : { ...raw, model: dialect.model })
  if (!checked.success) return wordProblem(checked.error, raw)
  const body = checked.data
  const unknown = Object.keys(raw).find((key) => !chatKeys.has(key))
  if (unknown && !dialect.lax) return invalidRequest(`Unrecognized request argument supplied: ${unknown}`)
  const name = body.model
  const model = Object.hasOwn(account.models, name) ? account.models[name] : undefined
  if (!model) return (dialect.noSuchModel ?? noSuchModel)(name)
  const prompt = body.messages.map(wordsOf).join('\n\n')
  const refused = refuseLimits(body, model) ?? refuseContent(body) ?? refuseTools(body, dialect)
  if (refused) return refused
  const format = body.response_format
  const asked = readAnswerFormat(
    format ? { ...format.json_schema, type: format.type } : null,
    { ...model, name },
    'response_format.json_schema',
    prompt,
    dialect.lax,
  )
  if (isHttpAnswer(asked)) return asked
  const serialized = JSON.stringify([body.tools ?? [], body.response_format ?? null, ...body.messages])
  const input = countTokens(serialized)
  const maxOutputTokens = body.max_completion_tokens ?? body.max_tokens ?? model.maxOutputTokens
  if (!dialect.cutsPrompts && dialect.tooLong && input + maxOutputTokens > model.contextWindow)
    return dialect.tooLong(model.contextWindow, input, maxOutputTokens)
  if (!dialect.cutsPrompts && input > model.contextWindow) return tooLong(model.contextWindow, input)
  const cacheRead = account.cache.commonPrefix(name, serialized, model.cacheFrom ?? 1024)
  return {
    request,
    model: name,
    stream: body.stream ?? false,
    prompt,
    lastTurn: wordsOf(body.messages.at(-1) ?? { role: 'user' }),
    schema: asked.schema,
    answerTool: answerToolOf(body),
    maxOutputTokens,
    usage: { input: Math.min(input, model.contextWindow), cacheRead, cacheWrite: 0 },
  }
}

function noSuchModel(name: string): HttpAnswer {
  return openaiError(
    404,
    `The model \`${name}\` does not exist or you do not have access to it.`,
    'model_not_found',
  )
}

function tooLong(limit: number, input: number): HttpAnswer {
  return invalidRequest(
    `This model's maximum context length is ${limit} tokens. However, your messages resulted in ${input} tokens. Please reduce the length of the messages.`,
    'messages',
    'context_length_exceeded',
  )
}

function refuseLimits(body: ChatBody, model: FakeModel): HttpAnswer | null {
  if (model.reasons && body.max_tokens != null)
    return invalidRequest(
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      'max_tokens',
      'unsupported_parameter',
    )
  if (model.rejectsSampling && body.temperature != null && body.temperature !== 1)
    return invalidRequest(
      `Unsupported value: 'temperature' does not support ${body.temperature} with this model. Only the default (1) value is supported.`,
      'temperature',
      'unsupported_value',
    )
  if (model.rejectsSampling && body.top_p != null)
    return invalidRequest(
      "Unsupported parameter: 'top_p' is not supported with this model.",
      'top_p',
      'unsupported_parameter',
    )
  const key = body.max_completion_tokens != null ? 'max_completion_tokens' : 'max_tokens'
  const wanted = body[key] ?? 0
  return wanted > model.maxOutputTokens
    ? invalidRequest(
        `${key} is too large: ${wanted}. This model supports at most ${model.maxOutputTokens} completion tokens, whereas you provided ${wanted}.`,
        key,
        'invalid_value',
      )
    : null
}

function refuseContent(body: ChatBody): HttpAnswer | null {
  for (const [index, message] of body.messages.entries()) {
    if (message.content == null && message.role !== 'assistant')
      return invalidRequest(
        `Invalid value for 'content': expected a string, got null.`,
        `messages.[${index}].content`,
      )
    if (message.role === 'assistant' && message.content == null && !message.tool_calls)
      return invalidRequest(
        `Invalid value for 'content': expected a string, got null.`,
        `messages.[${index}].content`,
      )
    if (Array.isArray(message.content) && message.content.length === 0)
      return invalidRequest(
        `Invalid 'messages[${index}].content': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
        `messages[${index}].content`,
        'empty_array',
      )
  }
  return null
}

function refuseTools(body: ChatBody, dialect: ChatDialect): HttpAnswer | null {
  for (const tool of body.tools ?? []) {
    const problem =
      tool.function.strict && !dialect.lax ? schemaProblem(tool.function.parameters ?? {}) : null
    if (problem)
      return invalidRequest(
        `Invalid schema for function '${tool.function.name}': ${problem}`,
        'tools[0].function.parameters',
        'invalid_function_parameters',
      )
  }
  if (body.tool_choice != null && !body.tools?.length)
    return invalidRequest(
      "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.",
      'tool_choice',
    )
  return null
}

function answerToolOf(body: ChatBody): string | null {
  if (typeof body.tool_choice === 'object' && body.tool_choice !== null) return body.tool_choice.function.name
  return body.tool_choice === 'required' ? (body.tools?.[0]?.function.name ?? null) : null
}
