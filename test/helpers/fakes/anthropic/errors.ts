/** Errors as the Anthropic API words them. */
import type { Failure } from '../contract.ts'
import { type HttpAnswer, jsonAnswer } from '../server.ts'

const unexpected = { status: 400, type: 'invalid_request_error', message: 'unexpected' }

const failures: Readonly<Record<Failure['kind'], { status: number; type: string; message: string }>> = {
  'rate-limit': {
    status: 429,
    type: 'rate_limit_error',
    message: "This request would exceed your organization's rate limit. Please try again later.",
  },
  quota: {
    status: 400,
    type: 'invalid_request_error',
    message:
      'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.',
  },
  overloaded: { status: 529, type: 'overloaded_error', message: 'Overloaded' },
  'server-error': { status: 500, type: 'api_error', message: 'Internal server error' },
  unexpected,
}

export function anthropicError(status: number, type: string, message: string, headers = {}): HttpAnswer {
  return jsonAnswer(status, { type: 'error', error: { type, message }, request_id: 'req_fake' }, headers)
}

export function invalidRequest(message: string): HttpAnswer {
  return anthropicError(400, 'invalid_request_error', message)
}

export function anthropicFailure(failure: Failure): HttpAnswer {
  const { status, type, message } = failures[failure.kind]
  return anthropicError(status, type, failure.message ?? message, {
    ...(failure.retryAfterSeconds === undefined ? {} : { 'retry-after': String(failure.retryAfterSeconds) }),
    ...(status >= 500 || status === 429 ? { 'x-should-retry': 'true' } : {}),
  })
}

/** What stands in an `error` event. */
export function anthropicErrorEvent(failure: Failure): object {
  const { type, message } = failures[failure.kind]
  return { type: 'error', error: { details: null, type, message: failure.message ?? message } }
}
