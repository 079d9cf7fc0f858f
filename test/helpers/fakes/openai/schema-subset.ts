/** The part of JSON Schema that OpenAI takes with `strict: true`; anything else is refused. */
import type { JsonObject } from '../contract.ts'
import { isObject } from '../json-schema.ts'

const permitted = new Set(
  '$schema $ref $defs definitions type title description enum const anyOf properties required additionalProperties items pattern format multipleOf minimum maximum exclusiveMinimum exclusiveMaximum minItems maxItems'.split(
    ' ',
  ),
)
const formats = new Set('date-time time date duration email hostname ipv4 ipv6 uuid'.split(' '))
const maximumDepth = 10
const maximumProperties = 5000
const maximumEnumValues = 1000
const maximumNameLength = 120_000

type Counts = { properties: number; enumValues: number; names: number }

/** The message after `Invalid schema for response_format 'name': `; null when the schema is within the subset. */
export function schemaProblem(schema: JsonObject): string | null {
  if (schema.type !== 'object')
    return `schema must be a JSON Schema of 'type: "object"', got 'type: "${schema.type ?? 'None'}"'.`
  if (schema.anyOf !== undefined) return "In context=(), 'anyOf' is not permitted."
  const counts = { properties: 0, enumValues: 0, names: 0 }
  const problem = walk(schema, [], counts, 1)
  if (problem) return problem
  if (counts.properties > maximumProperties)
    return `Expected at most ${maximumProperties} object properties in total, got ${counts.properties}.`
  if (counts.enumValues > maximumEnumValues)
    return `Expected at most ${maximumEnumValues} enum values in total, got ${counts.enumValues}.`
  if (counts.names > maximumNameLength)
    return `Total string length of all property names, definition names, enum values, and const values cannot exceed ${maximumNameLength} characters, got ${counts.names}.`
  return null
}

function walk(schema: JsonObject, context: readonly string[], counts: Counts, depth: number): string | null {
  const where = `In context=${formatContext(context)}`
  const wrong = Object.keys(schema).find((key) => !permitted.has(key))
  if (wrong) return `${where}, '${wrong}' is not permitted.`
  if (
    schema.$ref !== undefined &&
    Object.keys(schema).some((key) => !['$ref', '$defs', 'definitions', '$schema'].includes(key))
  )
    return `${where}, $ref cannot have keywords {'${Object.keys(schema).find((key) => key !== '$ref')}'}.`
  if (
    schema.$ref === undefined &&
    schema.type === undefined &&
    !schema.anyOf &&
    !schema.enum &&
    schema.const === undefined
  )
    return `${where}, schema must have a 'type' key.`
  if (typeof schema.format === 'string' && !formats.has(schema.format))
    return `${where}, '${schema.format}' is not a valid format.`
  if (depth > maximumDepth) return `${depth} levels of nesting exceeds limit of ${maximumDepth}.`
  const values = Array.isArray(schema.enum) ? schema.enum : []
  counts.enumValues += values.length
  counts.names += values.reduce((sum, value) => sum + String(value).length, 0)
  const problem = isObjectSchema(schema) ? objectProblem(schema, where, counts) : null
  if (problem) return problem
  if ([schema.type].flat().includes('array') && !isObject(schema.items))
    return `${where}, array schema missing items.`
  for (const child of childrenOf(schema)) {
    const found = walk(
      child.schema,
      [...context, ...child.step],
      counts,
      depth + (isObjectSchema(child.schema) ? 1 : 0),
    )
    if (found) return found
  }
  return null
}

function objectProblem(schema: JsonObject, where: string, counts: Counts): string | null {
  if (schema.additionalProperties !== false)
    return `${where}, 'additionalProperties' is required to be supplied and to be false.`
  const names = Object.keys(isObject(schema.properties) ? schema.properties : {})
  const required = Array.isArray(schema.required) ? schema.required.map(String) : []
  counts.properties += names.length
  counts.names += names.reduce((sum, name) => sum + name.length, 0)
  const missing = names.find((name) => !required.includes(name))
  if (missing !== undefined)
    return `${where}, 'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`
  const extra = required.find((name) => !names.includes(name))
  return extra === undefined
    ? null
    : `${where}, 'required' is required to be supplied and to be an array including every key in properties. Extra required key '${extra}' supplied.`
}

function isObjectSchema(schema: JsonObject): boolean {
  return [schema.type].flat().includes('object') || schema.properties !== undefined
}

function childrenOf(schema: JsonObject): { step: string[]; schema: JsonObject }[] {
  const groups = ['properties', '$defs', 'definitions'].flatMap((group) =>
    Object.entries(isObject(schema[group]) ? schema[group] : {}).map(([name, child]) => ({
      step: [group, name],
      child,
    })),
  )
  const choices = (Array.isArray(schema.anyOf) ? schema.anyOf : []).map((child, index) => ({
    step: ['anyOf', String(index)],
    child,
  }))
  return [...groups, ...choices, { step: ['items'], child: schema.items }].flatMap(({ step, child }) =>
    isObject(child) ? [{ step, schema: child }] : [],
  )
}

/** As a Python tuple: `('properties', 'a')`, `('items',)`, `()`. */
function formatContext(steps: readonly string[]): string {
  const quoted = steps.map((step) => `'${step}'`)
  return `(${quoted.join(', ')}${quoted.length === 1 ? ',' : ''})`
}
