/** A fake of Azure OpenAI: the same calls under the paths of a resource, where models are named by their deployment. */
import type { Account, Endpoint, Protocol } from '../contract.ts'
import { readChat } from '../openai/chat-read.ts'
import { type ChatStyle, completionFrames, wholeCompletion } from '../openai/chat-write.ts'
import { openaiFailure } from '../openai/errors.ts'
import { openaiModels } from '../openai/models.ts'
import { openai, chat as openaiChat, responses } from '../openai/protocol.ts'
import { type HttpAnswer, jsonAnswer, type ReceivedRequest } from '../server.ts'

const style: ChatStyle = { refusal: 'filter', reportsCache: true }
const notFound = (): HttpAnswer => jsonAnswer(404, { error: { code: '404', message: 'Resource not found' } })

export const azure: Protocol = {
  maxBodyBytes: openai.maxBodyBytes,
  models: openaiModels,
  basePath: '/openai/v1',
  tooLarge: openai.tooLarge,
  route: (request, account) => {
    if (!mayEnter(request, account))
      return jsonAnswer(401, {
        error: {
          code: '401',
          message:
            'Access denied due to invalid subscription key or wrong API endpoint. Make sure to provide a valid key for an active subscription and use a correct regional API endpoint for your resource.',
        },
      })
    if (request.method !== 'POST') return notFound()
    if (request.path === '/openai/v1/responses') return responses
    if (request.path === '/openai/v1/chat/completions') return chat(undefined)
    const deployment = /^\/openai\/deployments\/([^/]+)\/chat\/completions$/.exec(request.path)?.[1]
    return deployment && request.query['api-version'] ? chat(decodeURIComponent(deployment)) : notFound()
  },
  failure: openaiFailure,
  headers: (account) => ({ 'apim-request-id': account.nextId('apim-'), 'x-ms-region': 'Sweden Central' }),
  ...(openai.limitHeaders ? { limitHeaders: openai.limitHeaders } : {}),
}

function chat(deployment: string | undefined): Endpoint {
  return {
    ...openaiChat,
    read: (request, account) =>
      readChat(request, account, { noSuchModel, ...(deployment === undefined ? {} : { model: deployment }) }),
    whole: (call, output, account) => wholeCompletion(call, output, account, style),
    frames: (call, output, account) => completionFrames(call, output, account, style),
  }
}

function noSuchModel(): HttpAnswer {
  return jsonAnswer(404, {
    error: {
      code: 'DeploymentNotFound',
      message:
        'The API deployment for this resource does not exist. If you created the deployment within the last 5 minutes, please wait a moment and try again.',
    },
  })
}

function mayEnter({ headers }: ReceivedRequest, account: Account): boolean {
  const key = headers['api-key'] ?? headers.authorization?.replace(/^Bearer /, '') ?? ''
  return account.keys.length === 0 || account.keys.includes(key)
}
