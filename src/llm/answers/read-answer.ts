/** From the text of a model to a checked value, or to the problems in words, for the one repair turn. */

import { jsonrepair } from 'jsonrepair'
import type { z } from 'zod'
import { count } from '../../base/count.ts'
import type { AnswerShape } from '../contract.ts'
import { objectCandidates } from './extract-object.ts'
import { fillNulls } from './fill-nulls.ts'
import { isObject, type JsonSchema } from './wire-schema.ts'

export type ReadAnswer<Value> =
  | { ok: true; value: Value; repaired: boolean }
  | { ok: false; problems: readonly string[] }

/** Repairing is slow on long texts, and an honest answer is never this long. Characters. */
const longestRepair = 1_000_000
const longestAnswer = 8_000_000
const mostProblems = 12

/** Only for an answer that came to its end: a repair would close a truncated one and make it look whole. Never throws. */
export function readAnswer<Value>(
  text: string,
  shape: AnswerShape<Value>,
  wire: JsonSchema,
): ReadAnswer<Value> {
  if (text.length > longestAnswer) return { ok: false, problems: [`The answer is too long.`] }
  const candidates = objectCandidates(text)
  if (candidates.length === 0) return { ok: false, problems: ['The answer contains no JSON object.'] }
  const problems: string[] = []
  for (const mend of [false, true])
    for (const candidate of candidates) {
      const parsed = mend ? parseMended(candidate) : parse(candidate)
      if (parsed === undefined) continue
      const checked = check(parsed, shape, wire)
      if (checked.ok) return { ...checked, repaired: mend }
      if (problems.length === 0) problems.push(...checked.problems)
    }
  return { ok: false, problems: problems.length > 0 ? problems : ['The answer is not valid JSON.'] }
}

function check<Value>(value: unknown, shape: AnswerShape<Value>, wire: JsonSchema): ReadAnswer<Value> {
  try {
    const parsed = shape.schema.safeParse(fillNulls(value, wire))
    if (!parsed.success) return { ok: false, problems: describe(parsed.error.issues) }
    const problems = shape.check?.(parsed.data) ?? []
    if (problems.length > 0) return { ok: false, problems: problems.slice(0, mostProblems) }
    return { ok: true, value: parsed.data, repaired: false }
  } catch (error) {
    // A value nested too deep overflows the stack of whoever walks it.
    if (error instanceof RangeError) return { ok: false, problems: ['The answer is nested too deeply.'] }
    throw error
  }
}

function describe(issues: readonly z.core.$ZodIssue[]): string[] {
  const told = issues.slice(0, mostProblems).map(({ path, message }) => {
    const at = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('')
    return `${at.replace(/^\./, '') || 'the object'}: ${message}`
  })
  const more = issues.length - told.length
  return more > 0 ? [...told, `and ${count(more, 'more problem')}`] : told
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The mender throws for nests and quotes of all kinds, so that nothing but an object counts. */
function parseMended(text: string): unknown {
  if (text.length > longestRepair) return undefined
  try {
    return parse(jsonrepair(text))
  } catch {
    return undefined
  }
}
