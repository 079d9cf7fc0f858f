/** Checks a value with a JSON schema, as far as the schemas of model providers go. */
import { RE2JS } from 're2js'
import type { JsonObject } from './contract.ts'

/** Every problem with its place; empty when the value fits. Schemas of Gemini (`STRING`, `nullable`) are understood. */
export function problemsOf(value: unknown, schema: JsonObject, root = schema, at = '$'): string[] {
  if (typeof schema.$ref === 'string') return problemsOf(value, follow(schema.$ref, root), root, at)
  if (value === null && schema.nullable === true) return []
  const problems = [...wrongType(value, schema, at), ...wrongChoice(value, schema, root, at)]
  if (typeof value === 'string') problems.push(...wrongString(value, schema, at))
  if (typeof value === 'number') problems.push(...wrongNumber(value, schema, at))
  if (Array.isArray(value)) problems.push(...wrongArray(value, schema, root, at))
  else if (isObject(value)) problems.push(...wrongObject(value, schema, root, at))
  return problems
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The schema behind `#/$defs/Name`. Throws when there is none. */
export function follow(reference: string, root: JsonObject): JsonObject {
  let found: unknown = root
  for (const step of reference.replace(/^#\/?/, '').split('/').filter(Boolean))
    found = isObject(found) ? found[step.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined
  if (!isObject(found)) throw new Error(`The schema has no ${reference}.`)
  return found
}

function wrongType(value: unknown, schema: JsonObject, at: string): string[] {
  if (schema.type === undefined) return []
  const wanted = [schema.type].flat().map((type) => String(type).toLowerCase())
  const is = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  const fits = wanted.some((type) => type === is || (type === 'integer' && Number.isInteger(value)))
  return fits ? [] : [`${at} is ${is}, not ${wanted.join(' or ')}`]
}

function wrongChoice(value: unknown, schema: JsonObject, root: JsonObject, at: string): string[] {
  const problems: string[] = []
  if (Array.isArray(schema.enum) && !schema.enum.includes(value)) problems.push(`${at} is none of the enum`)
  if (schema.const !== undefined && schema.const !== value)
    problems.push(`${at} is not ${String(schema.const)}`)
  const alternatives = schema.anyOf ?? schema.oneOf
  if (Array.isArray(alternatives)) {
    const tried = alternatives.filter(isObject).map((choice) => problemsOf(value, choice, root, at))
    if (!tried.some((found) => found.length === 0))
      problems.push(tried.flat()[0] ?? `${at} fits no alternative`)
  }
  if (Array.isArray(schema.allOf))
    problems.push(...schema.allOf.filter(isObject).flatMap((part) => problemsOf(value, part, root, at)))
  return problems
}

function wrongString(value: string, schema: JsonObject, at: string): string[] {
  const problems: string[] = []
  if (typeof schema.minLength === 'number' && value.length < schema.minLength)
    problems.push(`${at} is too short`)
  if (typeof schema.maxLength === 'number' && value.length > schema.maxLength)
    problems.push(`${at} is too long`)
  if (typeof schema.pattern === 'string' && !RE2JS.compile(schema.pattern).matcher(value).find())
    problems.push(`${at} does not match ${schema.pattern}`)
  return problems
}

function wrongNumber(value: number, schema: JsonObject, at: string): string[] {
  const problems: string[] = []
  if (typeof schema.minimum === 'number' && value < schema.minimum) problems.push(`${at} is too small`)
  if (typeof schema.maximum === 'number' && value > schema.maximum) problems.push(`${at} is too large`)
  if (typeof schema.exclusiveMinimum === 'number' && value <= schema.exclusiveMinimum)
    problems.push(`${at} is too small`)
  if (typeof schema.exclusiveMaximum === 'number' && value >= schema.exclusiveMaximum)
    problems.push(`${at} is too large`)
  return problems
}

function wrongArray(value: unknown[], schema: JsonObject, root: JsonObject, at: string): string[] {
  const problems: string[] = []
  if (typeof schema.minItems === 'number' && value.length < schema.minItems)
    problems.push(`${at} has too few items`)
  if (typeof schema.maxItems === 'number' && value.length > schema.maxItems)
    problems.push(`${at} has too many items`)
  const items = schema.items
  if (isObject(items))
    problems.push(...value.flatMap((item, index) => problemsOf(item, items, root, `${at}[${index}]`)))
  return problems
}

function wrongObject(value: JsonObject, schema: JsonObject, root: JsonObject, at: string): string[] {
  const known = isObject(schema.properties) ? schema.properties : {}
  const required = Array.isArray(schema.required) ? schema.required.map(String) : []
  const missing = required
    .filter((name) => !Object.hasOwn(value, name))
    .map((name) => `${at}.${name} is missing`)
  const found = Object.entries(value).flatMap(([name, item]) => {
    const property = Object.hasOwn(known, name) ? known[name] : schema.additionalProperties
    if (property === false) return [`${at}.${name} is not allowed`]
    return isObject(property) ? problemsOf(item, property, root, `${at}.${name}`) : []
  })
  return [...missing, ...found]
}
