/** Every key of the configuration and of the settings, read off the JSON schemas, which are read off the schemas. */
import { z } from 'zod'
import { Config } from './schema.ts'
import { Settings } from './settings/schema.ts'

export type ConfigKey = {
  /** `review.failOn`. */
  key: string
  path: readonly string[]
  /** For people: `critical | high | medium | low | never`, `whole number, 0 to 100`. */
  type: string
  default: unknown
  description: string
}

/** For editors and for `schema/config.json`. */
export function configJsonSchema(): Record<string, unknown> {
  return {
    ...z.toJSONSchema(Config, { io: 'input' }),
    title: 'Sightline configuration',
    description: 'The file .sightline.yaml at the root of a repository.',
  }
}

/** In the order of the schema; the `$schema` key, which only editors read, is left out. */
export function configKeys(): ConfigKey[] {
  return leaves(configJsonSchema() as SchemaNode, []).filter(({ key }) => key !== '$schema')
}

/** The operator's own settings, in the order of the schema. A name that the operator chooses is `NAME`. */
export function settingsKeys(): ConfigKey[] {
  return keysOf(Settings).filter(({ key }) => key !== '$schema')
}

/** Every key of any schema, in its order. */
export function keysOf(schema: z.ZodType): ConfigKey[] {
  return leaves(z.toJSONSchema(schema, { io: 'input' }) as SchemaNode, [])
}

type SchemaNode = {
  type?: string
  properties?: Record<string, SchemaNode>
  items?: SchemaNode
  enum?: readonly unknown[]
  const?: unknown
  anyOf?: readonly SchemaNode[]
  additionalProperties?: SchemaNode | boolean
  minimum?: number
  maximum?: number
  maxItems?: number
  default?: unknown
  description?: string
}

function leaves(node: SchemaNode, path: readonly string[]): ConfigKey[] {
  if (node.properties)
    return Object.entries(node.properties).flatMap(([name, child]) => leaves(child, [...path, name]))
  if (typeof node.additionalProperties === 'object' && node.additionalProperties.properties)
    return leaves(node.additionalProperties, [...path, 'NAME'])
  const [section, ...others] = node.anyOf?.filter(({ properties }) => properties) ?? []
  if (section && others.length === 0) return leaves(section, path)
  const { default: fallback, description = '' } = node
  return [{ key: path.join('.'), path, type: typeInWords(node), default: fallback, description }]
}

function typeInWords(node: SchemaNode): string {
  if (node.enum) return node.enum.join(' | ')
  if (node.const !== undefined) return String(node.const)
  if (node.properties) return `{ ${Object.keys(node.properties).join(', ')} }`
  if (node.anyOf) return [...new Set(node.anyOf.map(typeInWords))].join(' or ')
  if (node.type === 'array') return `list of ${node.items?.type === 'string' ? 'texts' : 'values'}`
  if (node.type === 'boolean') return 'true | false'
  if (node.type !== 'integer') return node.type === 'string' ? 'text' : (node.type ?? 'any')
  const { minimum, maximum } = node
  const bounded = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER
  if (minimum !== undefined && bounded) return `whole number, ${minimum} to ${maximum}`
  return minimum === undefined ? 'whole number' : `whole number, at least ${minimum}`
}
