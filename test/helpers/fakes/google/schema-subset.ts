/** The parts of JSON Schema and of OpenAPI that Gemini takes; anything else is refused. */
import type { JsonObject } from '../contract.ts'
import { isObject } from '../json-schema.ts'

const jsonSchemaKeys = new Set(
  '$schema $id $defs $ref $anchor type format title description enum items prefixItems minItems maxItems minimum maximum anyOf oneOf properties additionalProperties required propertyOrdering nullable'.split(
    ' ',
  ),
)
const openApiKeys = new Set(
  'type format title description nullable enum maxItems minItems properties required minProperties maxProperties minLength maxLength pattern example anyOf propertyOrdering default items minimum maximum'.split(
    ' ',
  ),
)
const openApiTypes = new Set('TYPE_UNSPECIFIED STRING NUMBER INTEGER BOOLEAN ARRAY OBJECT NULL'.split(' '))
const maximumDepth = 24
const maximumEnumValues = 1000

/** Every problem of a `responseSchema`, one in a line, as the service lists them; null when there is none. */
export function openApiProblem(schema: JsonObject): string | null {
  const problems = openApiProblems(schema, 'generation_config.response_schema')
  return problems.length > 0 ? problems.join('\n') : tooMuch(schema)
}

export function jsonSchemaProblem(schema: JsonObject): string | null {
  return unknownKeyword(schema) ?? tooMuch(schema)
}

function openApiProblems(schema: JsonObject, at: string): string[] {
  const unknown = Object.keys(schema)
    .filter((key) => !openApiKeys.has(key))
    .map((key) => `Invalid JSON payload received. Unknown name "${key}" at '${at}': Cannot find field.`)
  const type = schema.type
  const wrongType =
    type !== undefined && (typeof type !== 'string' || !openApiTypes.has(type.toUpperCase()))
      ? [
          `Invalid value at '${at}.type' (type.googleapis.com/google.ai.generativelanguage.v1beta.Type), ${JSON.stringify(type)}`,
        ]
      : []
  const properties = Object.values(isObject(schema.properties) ? schema.properties : {})
  const choices = Array.isArray(schema.anyOf) ? schema.anyOf : []
  return [
    ...unknown,
    ...wrongType,
    ...properties.flatMap((child, index) => below(child, `${at}.properties[${index}].value`)),
    ...choices.flatMap((child, index) => below(child, `${at}.any_of[${index}]`)),
    ...below(schema.items, `${at}.items`),
  ]
}

function below(child: unknown, at: string): string[] {
  return isObject(child) ? openApiProblems(child, at) : []
}

function unknownKeyword(schema: JsonObject): string | null {
  const keyword = Object.keys(schema).find((key) => !jsonSchemaKeys.has(key))
  if (keyword) return `Unsupported keyword in generation_config.response_json_schema: "${keyword}".`
  for (const child of childrenOf(schema)) {
    const found = unknownKeyword(child)
    if (found) return found
  }
  return null
}

function tooMuch(schema: JsonObject): string | null {
  let values = 0
  const depthOf = (node: JsonObject): number => {
    values += Array.isArray(node.enum) ? node.enum.length : 0
    return 1 + Math.max(0, ...childrenOf(node).map(depthOf))
  }
  if (depthOf(schema) > maximumDepth)
    return 'A schema in GenerationConfig in the request exceeds the maximum allowed nesting depth.'
  return values > maximumEnumValues
    ? 'The specified schema produces a constraint that has too many states for serving. Typical causes of this error are schemas with lots of text (for example, very long property or enum names), schemas with long array length limits (especially when nested), or schemas using complex value matchers (for example, integers or numbers with minimum/maximum bounds or strings with complex formats like date-time)'
    : null
}

function childrenOf(schema: JsonObject): JsonObject[] {
  const named = [schema.properties, schema.$defs].flatMap((group) =>
    Object.values(isObject(group) ? group : {}),
  )
  const listed = [schema.anyOf, schema.oneOf, schema.prefixItems].flatMap((list) =>
    Array.isArray(list) ? list : [],
  )
  return [...named, ...listed, schema.items, schema.additionalProperties].filter(isObject)
}
