/** What a tool takes, as JSON Schema. Each toolbox of a review needs it, and to make one costs milliseconds. */
import { z } from 'zod'
import type { Tool } from './contract.ts'

export type ArgumentSchema = {
  readonly properties?: Readonly<Record<string, { readonly type?: string }>>
  readonly required?: readonly string[]
}

const made = new WeakMap<Tool['args'], ArgumentSchema>()

export function argumentSchema({ args }: Pick<Tool, 'args'>): ArgumentSchema {
  const known = made.get(args)
  if (known) return known
  const schema = z.toJSONSchema(args, { io: 'input' }) as ArgumentSchema
  made.set(args, schema)
  return schema
}
