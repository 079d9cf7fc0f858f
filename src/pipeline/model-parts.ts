/** What asking models takes and gives, between planes and validation. */
import type { Toolbox } from '../agent/contract.ts'
import type { FactStore } from '../code-index/contract.ts'
import type { Config } from '../config/schema.ts'
import type { Triage } from '../domain/coverage.ts'
import type { EventListener } from '../domain/events.ts'
import type { Candidate, CandidateDraft } from '../domain/finding.ts'
import type { Journal } from '../domain/journal.ts'
import type { RunCost } from '../domain/model-call.ts'
import type { ModelEstimate } from '../domain/model-report.ts'
import type { Depth, MemoryInsight } from '../domain/review.ts'
import type { ReviewContext } from '../domain/review-context.ts'
import type { RepoSnapshot } from '../domain/snapshot.ts'
import type { Gateway } from '../llm/contract.ts'
import type { CriterionAnswer, ReviewerCoverage, ReviewerOutcome } from './reviewer/contract.ts'
import type { Panel } from './reviewer/panel/contract.ts'

/** What a review that asks models needs besides. */
export type ModelParts = {
  gateway: Gateway
  /** Null keeps nothing. */
  journal: Journal | null
  /** Asked once, before the first question, with what it would take at most; false sends nothing. */
  mayAsk: (estimate: ModelEstimate) => Promise<boolean>
  /** Null where the repository cannot be looked around in; then nobody explores. */
  explorer: Explorer | null
}

/** What the explore stage works with, opened when it is needed. */
export type Explorer = {
  openToolbox: () => Promise<Toolbox>
  /** Seconds since `startedAt` of `performance.now()`, as they were when this run was first made. */
  elapsedSeconds: (bundle: string, iteration: number, startedAt: number) => Promise<number>
}

export type AskInput = {
  panel: Panel
  /** As planes saw it, and with the evidence they brought. */
  frozen: ReviewContext
  context: ReviewContext
  candidates: readonly Candidate[]
  head: RepoSnapshot
  facts: FactStore
  config: Config
  onEvent: EventListener
  signal: AbortSignal
}

export type Asked = {
  /** The one that really ran. */
  depth: Depth
  /** The bundle with what was added to it for the models. */
  context: ReviewContext
  drafts: readonly CandidateDraft[]
  criteria: readonly CriterionAnswer[]
  insights: readonly MemoryInsight[]
  triage: Triage | null
  /** Of each plane of the panel. */
  coverage: readonly ReviewerCoverage[]
  unread: ReviewerOutcome['unread']
  /** Null when no model was to be asked. */
  outcome: (ReviewerOutcome & { cost: RunCost }) | null
}
