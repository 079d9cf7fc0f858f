/** Models leave out what they have nothing to say about; where null is allowed, that is what they mean. */
import { hasType, isObject, type JsonSchema } from './wire-schema.ts'

/** The same value with null for every missing key that may be null. Follows the schema, so that no depth can harm. */
export function fillNulls(value: unknown, schema: JsonSchema): unknown {
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
