/** A fake of the OpenAI API: chat completions, responses and the model list. */
import type { Account, Endpoint, Protocol } from '../contract.ts'
import { sseFrame } from '../frames.ts'
import { type HttpAnswer, jsonAnswer, type ReceivedRequest } from '../server.ts'
import { readChat } from './chat-read.ts'
import { completionFrames, wholeCompletion } from './chat-write.ts'
import { openaiError, openaiErrorData, openaiFailure } from './errors.ts'
import { openaiModels } from './models.ts'
import { readResponses } from './responses-read.ts'
import { responseFrames, wholeResponse } from './responses-write.ts'

export const chat: Endpoint = {
  read: readChat,
  whole: wholeCompletion,
  frames: completionFrames,
  streamType: 'text/event-stream; charset=utf-8',
  errorFrame: (failure) => sseFrame({ error: openaiErrorData(failure) }),
}

export const responses: Endpoint = {
  read: readResponses,
  whole: wholeResponse,
  frames: responseFrames,
  streamType: 'text/event-stream; charset=utf-8',
  errorFrame: (failure) => {
    const { message, code } = openaiErrorData(failure)
    return sseFrame({ type: 'error', sequence_number: 999, code, message, param: null }, 'error')
  },
}

export const openai: Protocol = {
  maxBodyBytes: 50 * 1024 * 1024,
  models: openaiModels,
  basePath: '/v1',
  tooLarge: () => openaiError(413, 'The request body is too large.', 'request_too_large'),
  route: (request, account) => {
    const refused = refuseKey(request, account)
    if (refused) return refused
    const place = `${request.method} ${request.path}`
    if (place === 'POST /v1/chat/completions') return chat
    if (place === 'POST /v1/responses') return responses
    if (place === 'GET /v1/models') return listModels(account)
    return openaiError(404, `Invalid URL (${place})`, null)
  },
  failure: openaiFailure,
  headers: (account) => ({ 'x-request-id': account.nextId('req_'), 'openai-processing-ms': '7' }),
  limitHeaders: (limits, used) => ({
    'x-ratelimit-limit-requests': String(limits.requests),
    'x-ratelimit-remaining-requests': String(Math.max(0, limits.requests - used)),
    'x-ratelimit-reset-requests': `${limits.windowMs}ms`,
  }),
}

export function refuseKey({ headers }: ReceivedRequest, account: Account): HttpAnswer | null {
  if (account.keys.length === 0) return null
  const key = headers.authorization?.replace(/^Bearer /, '')
  if (!key)
    return openaiError(
      401,
      "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY). You can obtain an API key from https://platform.openai.com/account/api-keys.",
      null,
    )
  if (account.keys.includes(key)) return null
  return openaiError(
    401,
    `Incorrect API key provided: ${key.slice(0, 4)}***. You can find your API key at https://platform.openai.com/account/api-keys.`,
    'invalid_api_key',
  )
}

export function listModels(account: Account): HttpAnswer {
  const data = Object.keys(account.models).map((id) => ({
    id,
    object: 'model',
    created: 1_760_000_000,
    owned_by: 'fake',
  }))
  return jsonAnswer(200, { object: 'list', data })
}
