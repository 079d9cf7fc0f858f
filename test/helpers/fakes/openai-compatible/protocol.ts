/** A fake of a server that talks like OpenAI's chat API without being it, after the manner of vLLM. */
import type { Endpoint, Failure, FakeModel, Protocol } from '../contract.ts'
import { sseFrame } from '../frames.ts'
import { readChat } from '../openai/chat-read.ts'
import { type ChatStyle, completionFrames, wholeCompletion } from '../openai/chat-write.ts'
import { listModels } from '../openai/protocol.ts'
import { type HttpAnswer, jsonAnswer, type ReceivedRequest } from '../server.ts'

const style: ChatStyle = { thoughtsIn: 'reasoning_content', refusal: 'words', reportsCache: false }

const models: Readonly<Record<string, FakeModel>> = {
  'qwen3-coder': { contextWindow: 32_768, maxOutputTokens: 32_768 },
  'gpt-oss-120b': { contextWindow: 131_072, maxOutputTokens: 131_072 },
  'anthropic/claude-sonnet-5-5': { contextWindow: 1_000_000, maxOutputTokens: 128_000 },
}

const failures: Readonly<Record<Failure['kind'], readonly [status: number, type: string, message: string]>> =
  {
    'rate-limit': [429, 'RateLimitError', 'Too many requests'],
    quota: [402, 'PaymentRequired', 'Insufficient credits. Add more to continue.'],
    overloaded: [503, 'ServiceUnavailableError', 'Model is overloaded'],
    'server-error': [500, 'InternalServerError', 'EngineCore encountered an issue.'],
    unexpected: [400, 'BadRequestError', 'unexpected'],
  }

const chat: Endpoint = {
  read: (request, account) =>
    readChat(request, account, {
      lax: true,
      noSuchModel: (name) => error(404, 'NotFoundError', `The model \`${name}\` does not exist.`),
      tooLong: (limit, input, output) =>
        error(
          400,
          'BadRequestError',
          `This model's maximum context length is ${limit} tokens. However, you requested ${input + output} tokens (${input} in the messages, ${output} in the completion). Please reduce the length of the messages or completion.`,
        ),
    }),
  whole: (call, output, account) => wholeCompletion(call, output, account, style),
  frames: (call, output, account) => completionFrames(call, output, account, style),
  streamType: 'text/event-stream; charset=utf-8',
  errorFrame: (failure) => {
    const [code, type, message] = failures[failure.kind]
    return sseFrame({ error: { message, type, param: null, code } })
  },
}

export const openaiCompatible: Protocol = {
  maxBodyBytes: 64 * 1024 * 1024,
  models,
  basePath: '/v1',
  tooLarge: () => error(413, 'BadRequestError', 'Request body too large'),
  route: (request, account) => {
    if (account.keys.length > 0 && !account.keys.includes(bearer(request)))
      return jsonAnswer(401, { error: 'Unauthorized' })
    const place = `${request.method} ${request.path}`
    if (place === 'POST /v1/chat/completions') return chat
    return place === 'GET /v1/models' ? listModels(account) : jsonAnswer(404, { detail: 'Not Found' })
  },
  failure: (failure) => {
    const [status, type, message] = failures[failure.kind]
    return error(status, type, failure.message ?? message, failure.retryAfterSeconds)
  },
}

function error(status: number, type: string, message: string, retryAfterSeconds?: number): HttpAnswer {
  const headers: Record<string, string> =
    retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }
  return jsonAnswer(status, { error: { message, type, param: null, code: status } }, headers)
}

function bearer(request: ReceivedRequest): string {
  return request.headers.authorization?.replace(/^Bearer /, '') ?? ''
}
