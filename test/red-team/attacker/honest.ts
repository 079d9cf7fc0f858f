/** An honest model: one sound finding where findings are asked for, one tool where tools are, and else agreement. */
import type { JsonObject } from '../../helpers/fakes/contract.ts'
import type { Knowledge } from './knowledge.ts'

export function honestAnswer(known: Knowledge): unknown {
  const { schema, keys, changed } = known
  if (!schema) return {}
  const value = emptyOf(schema) as JsonObject
  const [line] = changed.filter(({ sign }) => sign === '+')
  if (keys.includes('tools')) return { ...value, reasoning: 'enough', tools: [], done: true }
  if (keys.includes('findings') && line)
    value.findings = [
      {
        ...soundFinding(schema),
        file: line.path,
        tags: [line.tag],
        evidence: [{ id: line.tag, quote: line.text.trim() }],
      },
    ]
  return value
}

function soundFinding(schema: JsonObject): JsonObject {
  const { findings } = schema.properties as Record<string, { items?: JsonObject }>
  return {
    ...(emptyOf(findings?.items ?? {}) as JsonObject),
    title: 'The first wait is now the longest',
    explanation: 'The delay doubles with its argument.',
  }
}

/** The least that a schema allows: empty lists, nulls, the first of each choice. */
export function emptyOf(schema: JsonObject): unknown {
  if (Array.isArray(schema.anyOf))
    return schema.anyOf.some((one) => one.type === 'null') ? null : emptyOf(schema.anyOf[0])
  if (Array.isArray(schema.enum)) return schema.enum[0]
  const types = [schema.type].flat()
  if (types.includes('null')) return null
  if (types.includes('array')) return []
  if (types.includes('boolean')) return true
  if (types.includes('number') || types.includes('integer')) return 0
  if (types.includes('object'))
    return Object.fromEntries(
      Object.entries((schema.properties ?? {}) as Record<string, JsonObject>).map(([key, inner]) => [
        key,
        emptyOf(inner),
      ]),
    )
  return 'All is well.'
}
