/** Errors as the OpenAI API words them. */
import type { Failure } from '../contract.ts'
import { type HttpAnswer, jsonAnswer } from '../server.ts'

type Words = { status: number; message: string; type: string; code: string | null }

const failures: Readonly<Record<Failure['kind'], Words>> = {
  'rate-limit': {
    status: 429,
    message:
      'Rate limit reached for requests. Please try again later. Visit https://platform.openai.com/account/rate-limits to learn more.',
    type: 'requests',
    code: 'rate_limit_exceeded',
  },
  quota: {
    status: 429,
    message:
      'You exceeded your current quota, please check your plan and billing details. For more information on this error, read the docs: https://platform.openai.com/docs/guides/error-codes/api-errors.',
    type: 'insufficient_quota',
    code: 'insufficient_quota',
  },
  overloaded: {
    status: 503,
    message: 'The engine is currently overloaded, please try again later',
    type: 'service_unavailable_error',
    code: 'server_overloaded',
  },
  'server-error': {
    status: 500,
    message: 'The server had an error while processing your request. Sorry about that!',
    type: 'server_error',
    code: null,
  },
  unexpected: { status: 400, message: 'unexpected', type: 'invalid_request_error', code: 'fake_provider' },
}

export function invalidRequest(
  message: string,
  param: string | null = null,
  code: string | null = null,
): HttpAnswer {
  return jsonAnswer(400, { error: { message, type: 'invalid_request_error', param, code } })
}

export function openaiError(
  status: number,
  message: string,
  code: string | null,
  type = 'invalid_request_error',
  param: string | null = null,
): HttpAnswer {
  return jsonAnswer(status, { error: { message, type, param, code } })
}

export function openaiFailure(failure: Failure): HttpAnswer {
  const { status, message, type, code } = failures[failure.kind]
  const error = { message: failure.message ?? message, type, param: null, code }
  return jsonAnswer(
    status,
    { error },
    failure.retryAfterSeconds === undefined ? {} : { 'retry-after': String(failure.retryAfterSeconds) },
  )
}

/** What stands in the data line of a stream that breaks off. */
export function openaiErrorData(failure: Failure): {
  message: string
  type: string
  param: null
  code: string | null
} {
  const { message, type, code } = failures[failure.kind]
  return { message: failure.message ?? message, type, param: null, code }
}

export function unparsedBody(): HttpAnswer {
  return invalidRequest(
    "We could not parse the JSON body of your request. (HINT: This likely means you aren't using your HTTP library correctly. The OpenAI API expects a JSON payload, but what was sent was not valid JSON.)",
  )
}
