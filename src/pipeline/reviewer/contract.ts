/** What the review stage takes and gives: the frozen bundle in, candidates of a model out, with what became of it. */
import type { Fence } from '../../base/untrusted/untrusted.ts'
import type { FactStore } from '../../code-index/contract.ts'
import type { Config } from '../../config/schema.ts'
import type { EventListener } from '../../domain/events.ts'
import type { Evidence } from '../../domain/evidence.ts'
import type { Candidate, CandidateDraft } from '../../domain/finding.ts'
import type { JournalNote } from '../../domain/journal.ts'
import type { ModelEstimate, ModelReport } from '../../domain/model-report.ts'
import type { ReviewContext } from '../../domain/review-context.ts'
import type { RepoSnapshot } from '../../domain/snapshot.ts'
import type { Gateway } from '../../llm/contract.ts'

export type ReviewerInput = {
  /** The bundle with the evidence of the deterministic planes. */
  context: ReviewContext
  /** What these planes found, numbered. */
  candidates: readonly Candidate[]
  head: RepoSnapshot
  facts: FactStore
  config: Config
  gateway: Gateway
  fence: Fence
  /** Asked once before the first question; false sends nothing. */
  mayAsk: (estimate: ModelEstimate) => Promise<boolean>
  onEvent: EventListener
  note: (note: JournalNote) => void
  signal: AbortSignal
}

/** How far the model got, in the form in which coverage lists planes. */
export type ReviewerCoverage = {
  plane: string
  state: 'ran' | 'partly' | 'failed'
  reason: string | null
  drafts: CandidateDraft[]
}

export type ReviewerOutcome = {
  /** All of the bundle's evidence, and what was added to it for the model. */
  evidence: readonly Evidence[]
  coverage: ReviewerCoverage
  /** Changed files that no model read, or not all of, and why. */
  unread: ReadonlyMap<string, { state: 'partly' | 'not-reviewed'; reason: string }>
  /** At least one question was answered. */
  looked: boolean
  report: Omit<ModelReport, 'findingCosts'>
  /** For each draft, in order, the index of its group in the report. */
  groupOfDraft: readonly number[]
}
