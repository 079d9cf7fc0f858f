/** Errors as Bedrock's runtime words them: the type stands in a header. */
import type { Failure } from '../contract.ts'
import { type HttpAnswer, jsonAnswer } from '../server.ts'
import { exceptionFrame } from './event-stream.ts'

type Words = { status: number; type: string; message: string }

const failures: Readonly<Record<Failure['kind'], Words>> = {
  'rate-limit': {
    status: 429,
    type: 'ThrottlingException',
    message: 'Too many requests, please wait before trying again.',
  },
  quota: {
    status: 400,
    type: 'ServiceQuotaExceededException',
    message: 'Your request exceeds the service quota for your account.',
  },
  overloaded: {
    status: 503,
    type: 'ServiceUnavailableException',
    message: 'Bedrock is unable to process your request.',
  },
  'server-error': {
    status: 500,
    type: 'InternalServerException',
    message: 'The system encountered an unexpected error during processing. Try your request again.',
  },
  unexpected: { status: 400, type: 'ValidationException', message: 'unexpected' },
}

export function bedrockError(status: number, type: string, message: string): HttpAnswer {
  return jsonAnswer(status, { message }, { 'x-amzn-errortype': `${type}:http://internal.amazon.com/coral/` })
}

export function validation(message: string): HttpAnswer {
  return bedrockError(400, 'ValidationException', message)
}

/** There is no header that says how long to wait. */
export function bedrockFailure(failure: Failure): HttpAnswer {
  const { status, type, message } = failures[failure.kind]
  return bedrockError(status, type, failure.message ?? message)
}

export function bedrockErrorFrame(failure: Failure): Uint8Array {
  const { type, message } = failures[failure.kind]
  return exceptionFrame(`${type.charAt(0).toLowerCase()}${type.slice(1)}`, failure.message ?? message)
}
