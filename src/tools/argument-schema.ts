/** What a tool takes, as JSON Schema. Each toolbox of a review needs it, and to make one costs milliseconds. */
import { z } from 'zod'
import { oncePer } from '../base/remembered.ts'
import type { Tool } from './contract.ts'

export type ArgumentSchema = {
  readonly properties?: Readonly<Record<string, { readonly type?: string }>>
  readonly required?: readonly string[]
}

const schemaOf = oncePer((args: Tool['args']) => z.toJSONSchema(args, { io: 'input' }) as ArgumentSchema)

export function argumentSchema({ args }: Pick<Tool, 'args'>): ArgumentSchema {
  return schemaOf(args)
}
