/** Bedrock's InvokeModel for Claude: a Messages body, with the model in the path and the version in the body. */

import { readMessages } from '../anthropic/read.ts'
import { messageEvents, wholeMessage } from '../anthropic/write.ts'
import type { Endpoint } from '../contract.ts'
import { isHttpAnswer } from '../contract.ts'
import { isObject } from '../json-schema.ts'
import type { HttpAnswer } from '../server.ts'
import { bedrockError, bedrockErrorFrame, validation } from './errors.ts'
import { eventFrame } from './event-stream.ts'

export function invokeEndpoint(model: string, stream: boolean): Endpoint {
  return {
    read: (request, account) => {
      if (!isObject(request.body))
        return validation('Malformed input request, please reformat your input and try again.')
      if (!Object.hasOwn(account.models, model))
        return validation('The provided model identifier is invalid.')
      const { anthropic_version: version, anthropic_beta: _, ...body } = request.body
      const foreign = ['model', 'stream'].find((key) => Object.hasOwn(body, key))
      if (foreign) return validation(`${foreign}: Extra inputs are not permitted`)
      if (version === undefined) return validation('anthropic_version: Field required')
      if (version !== 'bedrock-2023-05-31') return validation('Invalid API version')
      const call = readMessages(request, account, { body: { ...body, model, stream } })
      return isHttpAnswer(call) ? reword(call) : call
    },
    whole: wholeMessage,
    frames: (call, output, account) =>
      messageEvents(call, output, account).map((event) =>
        eventFrame('chunk', { bytes: Buffer.from(JSON.stringify(event)).toString('base64'), p: 'abcdefgh' }),
      ),
    streamType: 'application/vnd.amazon.eventstream',
    errorFrame: bedrockErrorFrame,
  }
}

/** The rules are Anthropic's, and so are the words; the form is Bedrock's. */
function reword(answer: HttpAnswer): HttpAnswer {
  const body = JSON.parse(Buffer.concat(answer.frames).toString()) as { error: { message: string } }
  return bedrockError(answer.status, 'ValidationException', body.error.message)
}
