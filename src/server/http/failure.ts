/** Whatever goes wrong, as the one shape that every route answers it in. */
import { UserError } from '../../base/errors.ts'
import { redactText } from '../../base/secrets/redact.ts'
import type { ApiError, ErrorCode } from '../api/contract/common.ts'
import { type Answer, Refused } from './contract.ts'

const codes: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid',
  401: 'sign-in-required',
  403: 'forbidden',
  404: 'not-found',
  405: 'invalid',
  409: 'conflict',
  413: 'too-large',
  415: 'invalid',
  429: 'too-many',
}

const sharedHeaders: Readonly<Record<number, Record<string, string>>> = {
  401: { 'www-authenticate': 'Bearer' },
  429: { 'retry-after': '60' },
  503: { 'retry-after': '5' },
}

/** What the caller cannot fix says nothing of the inside. */
export function failure(error: unknown): Answer {
  const { status, message, field } =
    error instanceof Refused
      ? error
      : error instanceof UserError
        ? new Refused(statusOf(error), error.message)
        : new Refused(503, 'The server cannot answer this now; try again later.')
  const body: ApiError = {
    error: {
      code: codes[status] ?? 'unavailable',
      message: redactText(message),
      ...(field === '' ? {} : { field }),
    },
  }
  return { status, body, headers: sharedHeaders[status] ?? {} }
}

function statusOf({ code }: UserError): number {
  if (code === 'run-unknown') return 404
  return code.endsWith('-unavailable') ? 503 : 409
}
