/** A problem of shape, in OpenAI's words. */
import type { z } from 'zod'
import type { HttpAnswer } from '../server.ts'
import { invalidRequest } from './errors.ts'

export function wordProblem(error: z.ZodError, body: unknown): HttpAnswer {
  const path = (error.issues[0]?.path ?? []).map((step) =>
    typeof step === 'number' ? `[${step}]` : `.${String(step)}`,
  )
  const param = path.join('').replace(/^\./, '')
  const value = (error.issues[0]?.path ?? []).reduce<unknown>(
    (at, step) => (at as Record<PropertyKey, unknown> | null | undefined)?.[step],
    body,
  )
  return value === undefined
    ? invalidRequest(`Missing required parameter: '${param}'.`, param, 'missing_required_parameter')
    : invalidRequest(`Invalid type for '${param}': ${error.issues[0]?.message}.`, param, 'invalid_type')
}
