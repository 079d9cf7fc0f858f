/** The one JSON object that a model answers with in every turn of the loop. */
import { z } from 'zod'
import type { AnswerShape } from '../llm/contract.ts'
import type { Toolbox } from './contract.ts'

const argument = {
  text: z.string().nullable().default(null),
  number: z.number().nullable().default(null),
  flag: z.boolean().nullable().default(null),
} as const

export type LoopAnswer = {
  reasoning: string
  tools: { tool: string; args: Record<string, string | number | boolean | null> }[]
  done: boolean
}

/** Arguments of all tools in one flat object, each nullable: the only shape that every provider takes as it is. */
export function loopAnswer(toolbox: Toolbox): AnswerShape<LoopAnswer> {
  const args = Object.fromEntries(
    Object.entries(toolbox.argumentTypes).map(([name, type]) => [name, argument[type]]),
  )
  const schema = z.object({
    reasoning: z.string(),
    tools: z.array(z.object({ tool: z.string(), args: z.object(args) })),
    done: z.boolean(),
  })
  return { name: 'next_step', schema: schema as unknown as z.ZodType<LoopAnswer> }
}
