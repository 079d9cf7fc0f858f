/** From the text of a model to a checked value, or to the problems in words, for the one repair turn. */

import { jsonrepair } from 'jsonrepair'
import type { z } from 'zod'
import { count } from '../../base/count.ts'
import type { AnswerShape } from '../contract.ts'
import { hasType, isObject, type JsonSchema } from './wire-schema.ts'

export type ReadAnswer<Value> =
  | { ok: true; value: Value; repaired: boolean }
  | { ok: false; problems: readonly string[] }

/** The repair takes quadratic time on quotes, seconds for 100,000 of them; honest answers are shorter. Characters. */
const longestRepair = 50_000
const longestAnswer = 8_000_000
const mostProblems = 12

/** Only for a finished answer: repairing would close a truncated one and make it look whole. Never throws. */
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
      const parsed = mend ? parseRepaired(candidate) : parse(candidate)
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

/** The repair throws for many nests and quotes, so only an object counts. */
function parseRepaired(text: string): unknown {
  if (text.length > longestRepair) return undefined
  try {
    return parse(jsonrepair(text))
  } catch {
    return undefined
  }
}

/**
 * The same value with null for every missing key that may be null: models leave out what they have nothing to say about.
 * Follows the schema, so that no depth can harm.
 */
function fillNulls(value: unknown, schema: JsonSchema): unknown {
  if (Array.isArray(value)) {
    const items = alternatives(schema).find((one) => hasType(one, 'array'))?.items
    return isObject(items) ? value.map((item) => fillNulls(item, items)) : value
  }
  if (!isObject(value)) return value
  const own = alternatives(schema).find((one) => hasType(one, 'object'))
  if (!own || !isObject(own.properties)) return value
  const filled: JsonSchema = { ...value }
  for (const [key, property] of Object.entries(own.properties)) {
    if (!isObject(property)) continue
    if (Object.hasOwn(filled, key)) filled[key] = fillNulls(filled[key], property)
    else if (alternatives(property).some((one) => hasType(one, 'null'))) filled[key] = null
  }
  return filled
}

/** A union of two kinds of objects is left to Zod. */
function alternatives(schema: JsonSchema): JsonSchema[] {
  const choices = Array.isArray(schema.anyOf) ? schema.anyOf.filter(isObject) : [schema]
  return choices.filter((one) => hasType(one, 'object')).length > 1 ? [] : choices
}

/** How many objects of one text are tried, the longest first. */
const mostCandidates = 4

/**
 * The spans that may be the answer among thoughts, fences and prose, best first; the last resort is everything from the first
 * brace on. Empty: no brace. An answer may quote a file that has the mark of thoughts in it, so that a mark inside an object ends none.
 */
function objectCandidates(text: string): string[] {
  const end = text.lastIndexOf(thoughtsEnd)
  const isQuoted = balancedSpans(text).some(([from, to]) => from < end && end < to)
  const after = spansOf(withoutThoughts(text))
  return isQuoted ? [...new Set([...spansOf(text), ...after])] : after
}

function spansOf(said: string): string[] {
  const first = said.indexOf('{')
  if (first === -1) return []
  const whole = balancedSpans(said)
    .map(([from, to]) => said.slice(from, to))
    .sort((a, b) => b.length - a.length)
    .slice(0, mostCandidates)
  const last = said.lastIndexOf('}')
  const rest = said.slice(first, last > first ? last + 1 : said.length)
  return whole.includes(rest) ? whole : [...whole, rest]
}

const thoughtsEnd = '</think>'

/** Some models write their thoughts into the answer; what they drafted there is not the answer. */
function withoutThoughts(text: string): string {
  const end = text.lastIndexOf(thoughtsEnd)
  if (end !== -1) return text.slice(end + thoughtsEnd.length)
  const start = text.indexOf('<think>')
  return start === -1 || text.lastIndexOf('{', start) !== -1 ? text : ''
}

/** Top-level `{…}` of the text; braces inside strings do not count. */
function balancedSpans(text: string): [from: number, to: number][] {
  const spans: [from: number, to: number][] = []
  let depth = 0
  let start = 0
  let inString = false
  for (let at = text.indexOf('{'); at !== -1 && at < text.length; at++) {
    const character = text[at]
    if (inString) {
      if (character === '\\') at++
      else if (character === '"') inString = false
    } else if (character === '"') inString = depth > 0
    else if (character === '{') {
      if (depth++ === 0) start = at
    } else if (character === '}' && depth > 0 && --depth === 0) spans.push([start, at + 1])
  }
  return spans
}
