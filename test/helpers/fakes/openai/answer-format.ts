/** The rules for the shape an answer is asked in, the same for chat completions and responses. */
import type { Call, FakeModel } from '../contract.ts'
import { isObject } from '../json-schema.ts'
import type { HttpAnswer } from '../server.ts'
import { invalidRequest } from './errors.ts'
import { schemaProblem } from './schema-subset.ts'

export type AnswerFormat = { type: string; name?: unknown; schema?: unknown; strict?: unknown }

/**
 * The schema that will be enforced, if any, or the refusal. `place` is where the format stands in the request:
 * `response_format.json_schema` or `text.format`. `prompt` must name JSON when only JSON of any shape is wanted.
 * `lax` servers enforce any schema, strict or not.
 */
export function readAnswerFormat(
  format: AnswerFormat | null,
  model: FakeModel & { name: string },
  place: string,
  prompt: string,
  lax = false,
): { schema: Call['schema'] } | HttpAnswer {
  if (format === null || format.type === 'text') return { schema: null }
  const [argument = place] = place.split('.')
  if (format.type === 'json_object') {
    const holder = argument === 'text' ? 'input' : 'messages'
    return /json/i.test(prompt)
      ? { schema: null }
      : invalidRequest(
          `'${holder}' must contain the word 'json' in some form, to use '${place.replace('.json_schema', '')}' of type 'json_object'.`,
          holder,
        )
  }
  if (format.type !== 'json_schema')
    return invalidRequest(
      `Invalid value: '${format.type}'. Supported values are: 'json_object', 'json_schema', and 'text'.`,
      `${argument}.type`,
      'invalid_value',
    )
  if (model.noStructuredOutput)
    return invalidRequest(
      `Invalid parameter: '${argument}' of type 'json_schema' is not supported with this model. Learn more about supported models at the Structured Outputs guide: https://platform.openai.com/docs/guides/structured-outputs`,
    )
  const { name } = format
  if (typeof name !== 'string')
    return invalidRequest(
      `Missing required parameter: '${place}.name'.`,
      `${place}.name`,
      'missing_required_parameter',
    )
  if (name.length > 64)
    return invalidRequest(
      `Invalid '${place}.name': string too long. Expected a string with maximum length 64, but got a string with length ${name.length} instead.`,
      `${place}.name`,
      'string_above_max_length',
    )
  if (!/^[a-zA-Z0-9_-]+$/.test(name))
    return invalidRequest(
      `Invalid '${place}.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
      `${place}.name`,
      'invalid_value',
    )
  if (!isObject(format.schema))
    return invalidRequest(
      `Missing required parameter: '${place}.schema'.`,
      `${place}.schema`,
      'missing_required_parameter',
    )
  if (lax) return { schema: { name, schema: format.schema } }
  if (format.strict !== true) return { schema: null }
  const problem = schemaProblem(format.schema)
  return problem
    ? invalidRequest(
        `Invalid schema for response_format '${name}': ${problem}`,
        argument === 'text' ? 'text.format.schema' : argument,
        argument === 'text' ? 'invalid_json_schema' : null,
      )
    : { schema: { name, schema: format.schema } }
}
