/** Makes the smallest value that fits the schema of a request, for scenarios that answer whatever is asked. */
import type { Call, JsonObject } from '../contract.ts'
import { follow, isObject, problemsOf } from '../json-schema.ts'

/** Where the provider takes no schema, it stands in the prompt. */
const schemaInWords = /has this JSON schema:\n(\{.*\})/

/**
 * `wanted` has values for keys by their names: each is taken where the schema has such a key and the value fits there.
 * All else is empty: no items, no words, zero, null, yes. Without any schema the answer is `wanted` itself.
 */
export function fitted(wanted: JsonObject, { schema, answerTool, request, prompt }: Call): unknown {
  const written = schema?.schema ?? ofTool(answerTool, request.body) ?? inWords(prompt)
  return written === null ? wanted : smallest(written, written, wanted)
}

/** Of the tool through which an answer is asked for, wherever in the body it is described. */
function ofTool(name: string | null, body: unknown): JsonObject | null {
  if (name === null || typeof body !== 'object' || body === null) return null
  if (isObject(body) && body.name === name) {
    const schema = isObject(body.inputSchema) ? body.inputSchema.json : (body.input_schema ?? body.parameters)
    if (isObject(schema)) return schema
  }
  const found = Object.values(body).map((inner) => ofTool(name, inner))
  return found.find((schema) => schema !== null) ?? null
}

function inWords(prompt: string): JsonObject | null {
  const [, text] = schemaInWords.exec(prompt) ?? []
  const read: unknown = text === undefined ? null : JSON.parse(text)
  return isObject(read) ? read : null
}

function smallest(schema: JsonObject, root: JsonObject, wanted: JsonObject): unknown {
  if (typeof schema.$ref === 'string') return smallest(follow(schema.$ref, root), root, wanted)
  const choices = [schema.anyOf, schema.oneOf].find(Array.isArray)
  const types = [schema.type].flat().map((type) => String(type).toLowerCase())
  if (schema.nullable === true || types.includes('null')) return null
  if (choices) return choices.some(isNull) ? null : smallest(choices[0] as JsonObject, root, wanted)
  if (Array.isArray(schema.enum)) return schema.enum[0]
  if (types.includes('object') || isObject(schema.properties)) return objectOf(schema, root, wanted)
  if (types.includes('array')) return []
  if (types.includes('boolean')) return true
  return types.includes('string') ? '' : 0
}

function objectOf({ properties }: JsonObject, root: JsonObject, wanted: JsonObject): JsonObject {
  const entries = Object.entries(isObject(properties) ? properties : {}).map(([key, schema]) => {
    const inner = isObject(schema) ? schema : {}
    const value = wanted[key]
    const isTaken = value !== undefined && problemsOf(value, inner, root).length === 0
    return [key, isTaken ? value : smallest(inner, root, wanted)]
  })
  return Object.fromEntries(entries)
}

function isNull(choice: unknown): boolean {
  return isObject(choice) && choice.type === 'null'
}
