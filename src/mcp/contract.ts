/** What the MCP server offers: tools that answer in our words and in fenced foreign text, and what they share. */
import type { z } from 'zod'
import type { PreparedModels } from '../assembly/open-models.ts'
import type { Services } from '../assembly/services.ts'
import type { Untrusted } from '../base/untrusted/untrusted.ts'
import type { Config } from '../config/schema.ts'
import type { ReviewEvent } from '../domain/events.ts'

/** What one agent works with while it is connected. What a model may cost is decided here, by the operator, and by no call. */
export type AgentSession = {
  readonly services: Services
  /** Any folder of the repository that all answers are about. */
  readonly folder: string
  readonly models: PreparedModels
  /** The depth of reviews; undefined: as the repository's configuration says. */
  readonly depth: Config['review']['depth'] | undefined
  /** Gets the name of each review and question that was recorded. */
  readonly runEnded?: ((run: string) => void) | undefined
}

/** One call while it runs. */
export type AgentCall = {
  /** Aborted when the agent cancels the call, or is gone. */
  readonly signal: AbortSignal
  readonly onEvent: (event: ReviewEvent) => void
}

/** In order: a string is in our own words; what a repository or a model wrote is `Untrusted` and gets the fence. */
export type AgentText = readonly (string | Untrusted)[]

export interface AgentTool<Args = unknown> {
  /** Snake case. */
  readonly name: string
  readonly title: string
  /** For the agent: what it answers, and when to ask. */
  readonly about: string
  readonly args: z.ZodType<Args>
  /** True when it may ask a model or another service that the operator configured. */
  readonly asksOthers: boolean
  /** What the agent can fix is thrown as `UserError` or `ToolError`. */
  run(args: Args, session: AgentSession, call: AgentCall): Promise<AgentText>
}

/** Ties the arguments that `run` gets to the schema beside it; whoever calls it parses first. */
export function defineAgentTool<Args>(tool: AgentTool<Args>): AgentTool {
  return tool as unknown as AgentTool
}
