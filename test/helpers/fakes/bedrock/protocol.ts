/** A fake of Bedrock's runtime: Converse for all models, InvokeModel for Claude; signed requests or a bearer key. */
import type { Account, Endpoint, Protocol } from '../contract.ts'
import { type HttpAnswer, jsonAnswer, type ReceivedRequest } from '../server.ts'
import { readConverse } from './converse-read.ts'
import { converseFrames, wholeConverse } from './converse-write.ts'
import { bedrockError, bedrockErrorFrame, bedrockFailure, validation } from './errors.ts'
import { invokeEndpoint } from './invoke.ts'
import { bedrockModels } from './models.ts'
import { signatureProblem } from './signature.ts'

export const bedrock: Protocol = {
  maxBodyBytes: 20 * 1024 * 1024,
  models: bedrockModels,
  basePath: '',
  tooLarge: () => validation('Member must have length less than or equal to 20000000'),
  route: (request, account) => {
    const refused = refuse(request, account)
    if (refused) return refused
    const place = /^\/model\/([^/]+)\/(converse|converse-stream|invoke|invoke-with-response-stream)$/.exec(
      request.path,
    )
    if (!place || request.method !== 'POST')
      return jsonAnswer(404, { message: null }, { 'x-amzn-errortype': 'UnknownOperationException' })
    const [, name = '', action = ''] = place
    const model = decodeURIComponent(name)
    const stream = action.endsWith('-stream')
    return action.startsWith('invoke') ? invokeEndpoint(model, stream) : converseEndpoint(model, stream)
  },
  failure: bedrockFailure,
  headers: (account) => ({ 'x-amzn-requestid': account.nextId('') }),
}

function converseEndpoint(model: string, stream: boolean): Endpoint {
  return {
    read: (request, account) => readConverse(request, account, { model, stream }),
    whole: wholeConverse,
    frames: converseFrames,
    streamType: 'application/vnd.amazon.eventstream',
    errorFrame: bedrockErrorFrame,
  }
}

function refuse(request: ReceivedRequest, account: Account): HttpAnswer | null {
  if (account.keys.length === 0) return null
  const { authorization } = request.headers
  if (!authorization)
    return bedrockError(403, 'MissingAuthenticationTokenException', 'Missing Authentication Token')
  if (!authorization.startsWith('Bearer ')) {
    const problem = signatureProblem(request)
    return problem && bedrockError(403, problem.type, problem.message)
  }
  return account.keys.includes(authorization.slice('Bearer '.length))
    ? null
    : bedrockError(
        403,
        'AccessDeniedException',
        'Authentication failed: Please make sure your API Key is valid.',
      )
}
