/** What the stages of a review are given alike; the input of each says what it takes of it, and what besides. */
import type { Fence } from '../base/untrusted/untrusted.ts'
import type { FactStore } from '../code-index/contract.ts'
import type { Config } from '../config/schema.ts'
import type { EventListener } from '../domain/events.ts'
import type { ReviewContext } from '../domain/review-context.ts'
import type { RepoSnapshot } from '../domain/snapshot.ts'
import type { Gateway } from '../llm/contract.ts'

/** The code before and after the change, and what is known of both. */
export type CodeSides = { base: RepoSnapshot; head: RepoSnapshot; facts: FactStore }

export type StageInput = CodeSides & {
  /** With the evidence that is cited so far. */
  context: ReviewContext
  config: Config
  onEvent: EventListener
  signal: AbortSignal
}

/** Of a stage that asks models. */
export type ModelStageInput = StageInput & { gateway: Gateway; fence: Fence }
