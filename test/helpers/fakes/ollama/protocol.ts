/** A fake of Ollama: its own calls and the ones it offers in OpenAI's manner. No key is asked for. */
import type { Account, Endpoint, Failure, Protocol } from '../contract.ts'
import { sseFrame } from '../frames.ts'
import { readChat } from '../openai/chat-read.ts'
import { type ChatStyle, completionFrames, wholeCompletion } from '../openai/chat-write.ts'
import { listModels } from '../openai/protocol.ts'
import { type HttpAnswer, jsonAnswer, type ReceivedRequest } from '../server.ts'
import { fullName, ollamaModels } from './models.ts'
import { nativeChat, ollamaError } from './native.ts'

const style: ChatStyle = { thoughtsIn: 'reasoning', refusal: 'words', reportsCache: false }

const chat: Endpoint = {
  read: (request, account) =>
    readChat(withFullName(request), account, { lax: true, cutsPrompts: true, noSuchModel }),
  whole: (call, output, account) => wholeCompletion(call, output, account, style),
  frames: (call, output, account) => completionFrames(call, output, account, style),
  streamType: 'text/event-stream',
  errorFrame: (failure) =>
    sseFrame({ error: { message: wordsOf(failure), type: 'api_error', param: null, code: null } }),
}

export const ollama: Protocol = {
  maxBodyBytes: 64 * 1024 * 1024,
  models: ollamaModels,
  basePath: '/v1',
  tooLarge: () => ollamaError(413, 'http: request body too large'),
  route: (request, account) => {
    switch (`${request.method} ${request.path}`) {
      case 'POST /api/chat':
        return nativeChat
      case 'POST /v1/chat/completions':
        return chat
      case 'GET /v1/models':
        return listModels(account)
      case 'GET /api/tags':
        return jsonAnswer(200, { models: Object.keys(account.models).map((name) => ({ name, model: name })) })
      case 'GET /api/version':
        return jsonAnswer(200, { version: '0.40.12' })
      case 'POST /api/show':
        return show(request, account)
      default:
        return {
          status: 404,
          headers: { 'content-type': 'text/plain' },
          frames: [Buffer.from('404 page not found')],
        }
    }
  },
  failure: (failure) => ollamaError(statusOf(failure), wordsOf(failure)),
}

function statusOf(failure: Failure): number {
  return { 'rate-limit': 429, quota: 402, overloaded: 503, 'server-error': 500, unexpected: 400 }[
    failure.kind
  ]
}

function wordsOf({ kind, message }: Failure): string {
  if (message !== undefined) return message
  if (kind === 'rate-limit') return 'too many concurrent requests'
  if (kind === 'quota') return 'you have reached your usage limit, upgrade for higher limits'
  return kind === 'overloaded'
    ? 'server busy, please try again.  maximum pending requests exceeded'
    : 'model runner has unexpectedly stopped, this may be due to resource limitations or an internal error'
}

function noSuchModel(name: string): HttpAnswer {
  const message = `model '${name}' not found`
  return jsonAnswer(404, { error: { message, type: 'not_found_error', param: null, code: null } })
}

function withFullName(request: ReceivedRequest): ReceivedRequest {
  const { body } = request
  if (typeof body !== 'object' || body === null || !('model' in body) || typeof body.model !== 'string')
    return request
  return { ...request, body: { ...body, model: fullName(body.model) } }
}

function show(request: ReceivedRequest, account: Account): HttpAnswer {
  const asked = (request.body as { model?: string } | undefined)?.model ?? ''
  const model = account.models[fullName(asked)]
  if (!model) return ollamaError(404, `model '${asked}' not found`)
  return jsonAnswer(200, {
    details: { family: 'fake' },
    model_info: { 'general.architecture': 'fake', 'fake.context_length': model.contextWindow },
    capabilities: ['completion', 'tools'],
  })
}
