/**
 * From the Zod schema of an answer to the JSON schema on the wire. Providers take only a small part of JSON schema:
 * objects with every key required, no records, tuples or unions by tag. What breaks these rules is our bug and throws.
 */
import { z } from 'zod'
import { remembered } from '../../base/remembered.ts'
import type { AnswerShape } from '../contract.ts'

export type JsonSchema = { [key: string]: unknown }

/** Checked by Zod when the answer is read; providers refuse these, or turn them into prose. */
const notForTheWire = new Set([
  '$schema',
  'default',
  'examples',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'format',
  'maxItems',
  'maxLength',
  'maximum',
  'minItems',
  'minLength',
  'minimum',
  'multipleOf',
  'pattern',
  'uniqueItems',
])

const forbidden: Readonly<Record<string, string>> = {
  oneOf: 'a union by tag; use z.union, or one flat object with an enum',
  allOf: 'an intersection',
  not: 'a negation',
  prefixItems: 'a tuple; use an object with named keys',
  propertyNames: 'a record; use an array of key and value',
  patternProperties: 'a record; use an array of key and value',
  $ref: 'a schema within itself',
}

/** Each is asked for several times in a review, and to make one costs milliseconds. */
const made = new WeakMap<z.ZodType, JsonSchema>()

/** Throws an error with every broken rule and its place. What it returns is shared, and never changed. */
export function wireSchema<Value>({ name, schema }: AnswerShape<Value>): JsonSchema {
  if (!/^[a-z][a-z0-9_]{0,63}$/.test(name))
    throw new Error(`The answer's name \`${name}\` is not snake case.`)
  return remembered(made, schema, () => makeSchema(name, schema))
}

function makeSchema(name: string, schema: z.ZodType): JsonSchema {
  const raw: unknown = z.toJSONSchema(schema, { io: 'output', reused: 'inline', cycles: 'ref' })
  const faults: string[] = []
  const wire = strip(raw, '$', faults)
  if (wire.type !== 'object') faults.push('$ is not an object')
  if (faults.length > 0)
    throw new Error(`The schema of \`${name}\` would not survive every provider:\n${faults.join('\n')}`)
  return wire
}

function strip(value: unknown, at: string, faults: string[]): JsonSchema {
  if (!isObject(value)) {
    faults.push(`${at} may be anything`)
    return {}
  }
  const result: JsonSchema = {}
  for (const [key, inner] of Object.entries(value)) {
    if (forbidden[key]) faults.push(`${at} is ${forbidden[key]}`)
    else if (key === 'const') result.enum = [inner]
    else if (key === 'properties' && isObject(inner))
      result.properties = Object.fromEntries(
        Object.entries(inner).map(([name, property]) => [name, strip(property, `${at}.${name}`, faults)]),
      )
    else if (key === 'items') {
      if (Array.isArray(inner)) faults.push(`${at} is ${forbidden.prefixItems}`)
      else result.items = strip(inner, `${at}[]`, faults)
    } else if (key === 'anyOf' && Array.isArray(inner))
      result.anyOf = inner.map((choice) => strip(choice, at, faults))
    else if (!notForTheWire.has(key)) result[key] = inner
  }
  checkForm(result, at, faults)
  return result
}

function checkForm(schema: JsonSchema, at: string, faults: string[]): void {
  if (schema.type === undefined && schema.anyOf === undefined && schema.enum === undefined)
    faults.push(`${at} may be anything`)
  if (hasType(schema, 'array') && schema.items === undefined) faults.push(`${at}[] may be anything`)
  if (!hasType(schema, 'object')) return
  const properties = isObject(schema.properties) ? Object.keys(schema.properties) : []
  const required = Array.isArray(schema.required) ? schema.required : []
  for (const name of properties)
    if (!required.includes(name)) faults.push(`${at}.${name} is optional; make it nullable instead`)
  if (isObject(schema.additionalProperties)) faults.push(`${at} takes any keys`)
  schema.additionalProperties = false
}

/** Zod writes a nullable string as `["string", "null"]`, and a nullable object as a choice. */
export function hasType({ type }: JsonSchema, name: string): boolean {
  return Array.isArray(type) ? type.includes(name) : type === name
}

export function isObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
