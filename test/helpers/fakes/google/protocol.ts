/** A fake of the Gemini API: generateContent, its stream, and the model list. */
import type { Account, Endpoint, FakeModel, Protocol } from '../contract.ts'
import { sseFrame } from '../frames.ts'
import { type HttpAnswer, jsonAnswer, type ReceivedRequest } from '../server.ts'
import { googleError, googleErrorData, googleFailure } from './errors.ts'
import { readGenerate } from './read.ts'
import { contentFrames, wholeContent } from './write.ts'

const model = { contextWindow: 1_048_576, maxOutputTokens: 65_536, reasons: true }

const models: Readonly<Record<string, FakeModel>> = {
  'gemini-3-pro-preview': { ...model, cacheFrom: 4096 },
  'gemini-2.5-pro': { ...model, toolsOrJson: true, cacheFrom: 4096 },
  'gemini-2.5-flash': { ...model, toolsOrJson: true, cacheFrom: 1024 },
  'gemini-2.5-flash-lite': { ...model, toolsOrJson: true, cacheFrom: 1024 },
}

export const google: Protocol = {
  maxBodyBytes: 20 * 1024 * 1024,
  models,
  basePath: '/v1beta',
  tooLarge: () =>
    googleError(400, 'INVALID_ARGUMENT', 'Request payload size exceeds the limit: 20971520 bytes.'),
  route: (request, account) => {
    const refused = refuseKey(request, account)
    if (refused) return refused
    if (request.method === 'GET' && request.path === '/v1beta/models') return list(account)
    const call = /^\/v1beta\/models\/([^/:]+):(generateContent|streamGenerateContent)$/.exec(request.path)
    const [, name = '', method = ''] = call ?? []
    return call && request.method === 'POST'
      ? endpoint(decodeURIComponent(name), method)
      : googleError(404, 'NOT_FOUND', 'Requested entity was not found.')
  },
  failure: googleFailure,
}

function endpoint(name: string, method: string): Endpoint {
  const stream = method === 'streamGenerateContent'
  return {
    read: (request, account) => readGenerate(request, account, { model: name, stream, method }),
    whole: wholeContent,
    frames: contentFrames,
    streamType: 'text/event-stream',
    errorFrame: (failure) => sseFrame(googleErrorData(failure)),
  }
}

function refuseKey(request: ReceivedRequest, account: Account): HttpAnswer | null {
  if (account.keys.length === 0) return null
  const key = request.headers['x-goog-api-key'] ?? request.query.key
  if (!key)
    return googleError(
      403,
      'PERMISSION_DENIED',
      "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.",
    )
  if (account.keys.includes(key)) return null
  return googleError(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', [
    {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: 'API_KEY_INVALID',
      domain: 'googleapis.com',
      metadata: { service: 'generativelanguage.googleapis.com' },
    },
  ])
}

function list(account: Account): HttpAnswer {
  return jsonAnswer(200, {
    models: Object.entries(account.models).map(([name, limits]) => ({
      name: `models/${name}`,
      inputTokenLimit: limits.contextWindow,
      outputTokenLimit: limits.maxOutputTokens,
      supportedGenerationMethods: ['generateContent', 'countTokens'],
    })),
  })
}
