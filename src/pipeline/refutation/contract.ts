/** What the refute stage takes and gives: verdicts in, the same verdicts after a second look at what models found out. */
import type { Fence } from '../../base/untrusted/untrusted.ts'
import type { FactStore } from '../../code-index/contract.ts'
import type { Config } from '../../config/schema.ts'
import type { EventListener } from '../../domain/events.ts'
import type { Refutation, Verdict } from '../../domain/finding.ts'
import type { ReviewContext } from '../../domain/review-context.ts'
import type { RepoSnapshot } from '../../domain/snapshot.ts'
import type { Gateway } from '../../llm/contract.ts'

export type RefutationInput = {
  /** Of validation. */
  verdicts: readonly Verdict[]
  /** With the evidence that findings cite. */
  context: ReviewContext
  base: RepoSnapshot
  head: RepoSnapshot
  facts: FactStore
  config: Config
  gateway: Gateway
  fence: Fence
  onEvent: EventListener
  signal: AbortSignal
}

export type RefutationResult = {
  /** One for each that came in, in the same order. */
  verdicts: Verdict[]
  /** One for each finding of a model, in the order of the verdicts. */
  refutations: Refutation[]
  /** The bundle with the lines that the second looks cited. */
  context: ReviewContext
  /** Prompt files that were asked with; empty when nobody was asked. */
  prompts: string[]
  /** What the second look at a finding cost in US dollars; null when a price is not known. Only those that were asked. */
  costs: ReadonlyMap<string, number | null>
}
