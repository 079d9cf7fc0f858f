/** A fake of the Anthropic API: messages, token counting and the model list. */
import type { Account, Endpoint, Protocol } from '../contract.ts'
import { sseFrame } from '../frames.ts'
import { type HttpAnswer, jsonAnswer, type ReceivedRequest } from '../server.ts'
import { countTokens } from '../tokens.ts'
import { MessagesBody, wordProblem } from './body.ts'
import { anthropicError, anthropicErrorEvent, anthropicFailure, invalidRequest } from './errors.ts'
import { anthropicModels } from './models.ts'
import { promptBlocks, readMessages } from './read.ts'
import { messageFrames, wholeMessage } from './write.ts'

const versions = new Set(['2023-01-01', '2023-06-01', '2026-10-21'])

const messages: Endpoint = {
  read: readMessages,
  whole: wholeMessage,
  frames: messageFrames,
  streamType: 'text/event-stream; charset=utf-8',
  errorFrame: (failure) => sseFrame(anthropicErrorEvent(failure), 'error'),
}

export const anthropic: Protocol = {
  maxBodyBytes: 32 * 1024 * 1024,
  models: anthropicModels,
  basePath: '/v1',
  tooLarge: () => anthropicError(413, 'request_too_large', 'Request exceeds the maximum size'),
  route: (request, account) => {
    const refused = refuse(request, account)
    if (refused) return refused
    const place = `${request.method} ${request.path}`
    if (place === 'POST /v1/messages') return messages
    if (place === 'POST /v1/messages/count_tokens') return count(request)
    if (place === 'GET /v1/models') return list(account)
    return anthropicError(404, 'not_found_error', 'Not Found')
  },
  failure: anthropicFailure,
  headers: (account) => ({ 'request-id': account.nextId('req_'), 'anthropic-organization-id': 'org_fake' }),
  limitHeaders: (limits, used) => ({
    'anthropic-ratelimit-requests-limit': String(limits.requests),
    'anthropic-ratelimit-requests-remaining': String(Math.max(0, limits.requests - used)),
  }),
}

/** Keys come as `x-api-key`, or as a bearer token from newer clients. */
function refuse({ headers }: ReceivedRequest, account: Account): HttpAnswer | null {
  const key = headers['x-api-key'] ?? headers.authorization?.replace(/^Bearer /, '')
  if (account.keys.length > 0 && !key)
    return anthropicError(401, 'authentication_error', 'x-api-key header is required')
  if (account.keys.length > 0 && !account.keys.includes(key ?? ''))
    return anthropicError(401, 'authentication_error', 'invalid x-api-key')
  const version = headers['anthropic-version']
  if (!version) return invalidRequest('anthropic-version: header is required')
  if (!versions.has(version)) return invalidRequest(`anthropic-version: "${version}" is not a valid version`)
  return null
}

function count(request: ReceivedRequest): HttpAnswer {
  const checked = MessagesBody.partial({ max_tokens: true }).safeParse(request.body)
  if (!checked.success) return invalidRequest(wordProblem(checked.error, request.body))
  const blocks = promptBlocks({ ...checked.data, max_tokens: 1 })
  return jsonAnswer(200, { input_tokens: blocks.reduce((sum, block) => sum + countTokens(block.text), 0) })
}

function list(account: Account): HttpAnswer {
  const data = Object.keys(account.models).map((id) => ({ type: 'model', id, display_name: id }))
  return jsonAnswer(200, {
    data,
    has_more: false,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  })
}
