/** What the review stage takes and gives: the frozen bundle in, candidates of a model out, with what became of it. */
import type { Toolbox } from '../../agent/contract.ts'
import type { ChangedUses } from '../../domain/change-set.ts'
import type { RaisedContest } from '../../domain/contest.ts'
import type { PlaneCoverage } from '../../domain/coverage.ts'
import type { Evidence } from '../../domain/evidence.ts'
import type { Candidate, CandidateDraft, Finding } from '../../domain/finding.ts'
import type { JournalNote } from '../../domain/journal.ts'
import type { ModelEstimate, ModelReport } from '../../domain/model-report.ts'
import type { AuthorQuestion } from '../../domain/review.ts'
import type { ModelStageInput } from '../stage-input.ts'
import type { Panel } from './panel.ts'

export type ReviewerInput = Omit<ModelStageInput, 'base'> & {
  panel: Panel
  /** What planes of code found, numbered. */
  candidates: readonly Candidate[]
  /** Null, or not given: nothing is known, and every file is asked about. */
  known?: KnownBefore | null
  /** Not given: each question shows its own files alone. */
  uses?: ChangedUses
  /** For requests of uses; null, or not given, where the repository cannot be searched. */
  openTools?: (() => Promise<Toolbox>) | null
  /** Asked once before the first question; false sends nothing. */
  mayAsk: (estimate: ModelEstimate) => Promise<boolean>
  note: (note: JournalNote) => void
}

/** What a review of an earlier head of the same change answered already. */
export type KnownBefore = {
  /** Files about which the same answer would be expected: they are not asked about. */
  files: ReadonlySet<string>
  /** What models found then. */
  findings: readonly Finding[]
}

/** How far readers came, in the form in which coverage lists planes. */
export type ReviewerCoverage = {
  plane: string
  /** `skipped`: whoever pays did not agree to it. */
  state: 'ran' | 'partly' | 'failed' | 'skipped'
  reason: string | null
  drafts: CandidateDraft[]
  byModel: true
} & Pick<PlaneCoverage, 'readers'>

/** One sentence of a walkthrough as the model gave it; its places are not checked yet. */
export type WalkthroughSentence = { text: string; places: { path: string; tag: string }[] }

/** A question for the author as the model put it; `tag` is unchecked, and empty for the change as a whole. */
export type AskedAuthor = Omit<AuthorQuestion, 'line'> & { tag: string }

export type ReviewerOutcome = {
  /** All of the bundle's evidence, and what was added to it for the model. */
  evidence: readonly Evidence[]
  coverage: ReviewerCoverage
  drafts: readonly CandidateDraft[]
  /** Unverified: the places they name may not exist. */
  walkthrough: readonly WalkthroughSentence[]
  questions: readonly AskedAuthor[]
  contests: readonly RaisedContest[]
  /** Changed files that no model read, or not all of, and why. */
  unread: ReadonlyMap<string, { state: 'partly' | 'not-reviewed'; reason: string }>
  /** Changed files of which every line was shown to a model that answered. */
  read: ReadonlySet<string>
  /** At least one question was answered. */
  answered: boolean
  report: Omit<ModelReport, 'findingCosts' | 'restsOn'>
  /** For each draft, in order, the index of its question among the groups of the report. */
  groupOfDraft: readonly number[]
}
