/** The part of JSON Schema that Anthropic compiles into a grammar; anything else is refused. */
import type { JsonObject } from '../contract.ts'
import { isObject } from '../json-schema.ts'

const unsupported: Readonly<Record<string, readonly string[]>> = {
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  integer: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  string: ['minLength', 'maxLength'],
  array: ['maxItems', 'uniqueItems', 'contains', 'prefixItems'],
  object: ['minProperties', 'maxProperties', 'patternProperties', 'propertyNames'],
}
const unsupportedAnywhere = ['oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas']
const formats = new Set('date-time time date duration email hostname uri ipv4 ipv6 uuid'.split(' '))
const maximumOptional = 24
const maximumUnions = 16

/** The message after `output_config.format.schema: `; null when the schema is within the subset. */
export function schemaProblem(schema: JsonObject): string | null {
  const counts = { optional: 0, unions: 0 }
  const problem = walk(schema, counts) ?? circle(schema)
  if (problem) return problem
  if (counts.optional > maximumOptional)
    return `Schemas contains too many optional parameters (${counts.optional}), which would make grammar compilation inefficient. Reduce the number of optional parameters in your tool schemas (limit: ${maximumOptional}).`
  if (counts.unions > maximumUnions)
    return `Schemas contains too many parameters with union types (${counts.unions} parameters with type arrays or anyOf). This exponentially increases compilation cost. Reduce the number of nullable or union-typed parameters (limit: ${maximumUnions} parameters with unions).`
  return null
}

function walk(schema: JsonObject, counts: { optional: number; unions: number }): string | null {
  if (typeof schema.$ref === 'string' && !schema.$ref.startsWith('#'))
    return `External $ref '${schema.$ref}' is not supported`
  const keyword = unsupportedAnywhere.find((name) => schema[name] !== undefined)
  if (keyword) return `Schema type '${keyword}' is not supported`
  if (Array.isArray(schema.anyOf) || Array.isArray(schema.type)) counts.unions += 1
  for (const type of [schema.type].flat()) {
    const problem = keywordProblem(schema, String(type))
    if (problem) return problem
  }
  if (isObject(schema.properties)) {
    const required = new Set(Array.isArray(schema.required) ? schema.required : [])
    counts.optional += Object.keys(schema.properties).filter((name) => !required.has(name)).length
  }
  for (const child of childrenOf(schema)) {
    const problem = walk(child, counts)
    if (problem) return problem
  }
  return null
}

function keywordProblem(schema: JsonObject, type: string): string | null {
  const found = (unsupported[type] ?? []).filter((name) => schema[name] !== undefined)
  if (found.length > 1) return `For '${type}' type, properties ${found.join(', ')} are not supported`
  if (found.length === 1) return `For '${type}' type, property '${found[0]}' is not supported`
  if (type === 'object' && schema.additionalProperties !== false)
    return "For 'object' type, 'additionalProperties' must be explicitly set to false"
  if (type === 'array' && schema.minItems !== undefined && schema.minItems !== 0 && schema.minItems !== 1)
    return "For 'array' type, 'minItems' values other than 0 or 1 are not supported"
  if (type === 'string' && schema.format !== undefined && !formats.has(String(schema.format)))
    return `For 'string' type, format '${schema.format}' is not supported`
  return null
}

/** Recursive definitions cannot be compiled. */
function circle(root: JsonObject): string | null {
  const definitions = { ...record(root.definitions), ...record(root.$defs) }
  const open: string[] = []
  const visit = (schema: JsonObject): string | null => {
    if (typeof schema.$ref === 'string') {
      const name = schema.$ref.split('/').at(-1) ?? ''
      if (schema.$ref === '#' || open.includes(name))
        return `Circular reference detected in schema definitions: ${[...open, name].join(' -> ')}`
      const target = definitions[name]
      open.push(name)
      const found = isObject(target)
        ? visit(target)
        : `Reference '${schema.$ref}' not found in schema definitions`
      open.pop()
      if (found) return found
    }
    for (const child of childrenOf(schema, false)) {
      const found = visit(child)
      if (found) return found
    }
    return null
  }
  return visit(root)
}

function childrenOf(schema: JsonObject, withDefinitions = true): JsonObject[] {
  const named = [schema.properties, ...(withDefinitions ? [schema.$defs, schema.definitions] : [])]
  const listed = [schema.anyOf, schema.allOf].flatMap((list) => (Array.isArray(list) ? list : []))
  return [...named.flatMap((group) => Object.values(record(group))), ...listed, schema.items].filter(isObject)
}

function record(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}
