/** Errors as the Gemini API words them: Google's RPC status, with details. */
import type { Failure } from '../contract.ts'
import { type HttpAnswer, jsonAnswer } from '../server.ts'

const rpc = 'type.googleapis.com/google.rpc'

type Words = { code: number; status: string; message: string }

const failures: Readonly<Record<Failure['kind'], Words>> = {
  'rate-limit': {
    code: 429,
    status: 'RESOURCE_EXHAUSTED',
    message: 'Resource exhausted. Please try again later.',
  },
  quota: {
    code: 429,
    status: 'RESOURCE_EXHAUSTED',
    message:
      'You exceeded your current quota, please check your plan and billing details. For more information on this error, head to: https://ai.google.dev/gemini-api/docs/rate-limits.',
  },
  overloaded: {
    code: 503,
    status: 'UNAVAILABLE',
    message: 'The model is overloaded. Please try again later.',
  },
  'server-error': {
    code: 500,
    status: 'INTERNAL',
    message:
      'An internal error has occurred. Please retry or report in https://developers.generativeai.google/guide/troubleshooting',
  },
  unexpected: { code: 400, status: 'INVALID_ARGUMENT', message: 'unexpected' },
}

export function googleError(
  code: number,
  status: string,
  message: string,
  details: object[] = [],
): HttpAnswer {
  return jsonAnswer(code, { error: { code, message, status, ...(details.length > 0 ? { details } : {}) } })
}

export function invalidArgument(message: string): HttpAnswer {
  return googleError(400, 'INVALID_ARGUMENT', message)
}

/** How long to wait stands in the details; there is no `retry-after` header. */
export function googleFailure(failure: Failure): HttpAnswer {
  const { code, status, message } = failures[failure.kind]
  const details: object[] = []
  if (failure.kind === 'quota')
    details.push({
      '@type': `${rpc}.QuotaFailure`,
      violations: [
        {
          quotaMetric: 'generativelanguage.googleapis.com/generate_content_free_tier_requests',
          quotaId: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier',
        },
      ],
    })
  if (failure.retryAfterSeconds !== undefined)
    details.push({ '@type': `${rpc}.RetryInfo`, retryDelay: `${failure.retryAfterSeconds}s` })
  return googleError(code, status, failure.message ?? message, details)
}

/** What stands in the data line of a stream that breaks off. */
export function googleErrorData(failure: Failure): object {
  const { code, status, message } = failures[failure.kind]
  return { error: { code, message: failure.message ?? message, status } }
}
