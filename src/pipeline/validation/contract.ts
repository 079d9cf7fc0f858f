/**
 * What a validation step is: it checks one candidate and lets it pass, changed or unchanged, or drops it. And what a claim
 * check is: it checks one kind of claim against the repository.
 */
import type { DiffLine, FileChange, Side } from '../../domain/change-set.ts'
import type { Claim, ClaimKind } from '../../domain/claim.ts'
import type { SymbolChange } from '../../domain/code-symbol.ts'
import type { Evidence } from '../../domain/evidence.ts'
import type { Candidate, FurtherPlace, VerdictStep } from '../../domain/finding.ts'
import type { ReviewContext } from '../../domain/review-context.ts'
import type { Checker } from './checker/contract.ts'
import type { Sources } from './sources.ts'

export type ValidationStep = {
  /** Unique among the steps. */
  name: string
  /** Its name in verdicts; several small steps share one. */
  step: VerdictStep
  /** Must not depend on other candidates. May throw: the candidate is then dropped. */
  run: (state: CandidateState, context: ValidationContext) => StepResult | Promise<StepResult>
}

/** One candidate between two steps. */
export type CandidateState = {
  candidate: Candidate
  /** Where it is in the diff; null before the anchor step. */
  location: DiffLocation | null
  /** Its claims with the results; empty before the claims step. */
  checkedClaims: readonly CheckedClaim[]
  /** Its further places that were found; absent before their step. */
  places?: readonly FurtherPlace[]
}

/** The lines of one hunk that a finding is about, or, where there are no lines, the file as a whole. */
export type DiffLocation = {
  file: FileChange
  side: Side
  /** 1-based, inclusive, on `side`; both 1 for a whole file. */
  startLine: number
  endLine: number
  /** The line it is shown on; null for a whole file. */
  shown: DiffLine | null
  /** The tags as the diff has them, the shown line first. */
  tags: string[]
  excerpt: DiffLine[]
}

/** What every step may read. */
export type ValidationContext = {
  bundle: ReviewContext
  /** Names of the planes that ran. */
  planes: readonly string[]
  sources: Sources
  /** Knows types; null when there is none. */
  checker: Checker | null
  evidence: EvidenceTable
  /** Tells test files from others, by path. */
  isTest: (path: string) => boolean
  /** Head paths that exist but were left out of the tree, too large to read. */
  unread: ReadonlySet<string>
}

/** Evidence by id, as the bundle has it. */
export type EvidenceTable = ReadonlyMap<string, Evidence>

/** What the step changed; empty when the candidate passes unchanged. */
export type StepResult = Dropped | Partial<CandidateState & StepNotes>

/** What a step verified, and what it took away and why, both as sentences for the verdict. */
export type StepNotes = { verifiedBy: string[]; demotions: string[] }

/** The reason why the candidate is dropped. */
export type Dropped = { dropped: string }

export function drop(reason: string): Dropped {
  return { dropped: reason }
}

export function isDropped(result: object): result is Dropped {
  return 'dropped' in result
}

/** The location that the anchor step found. Throws for a candidate that did not pass it. */
export function locationOf({ location }: CandidateState): DiffLocation {
  if (!location) throw new Error('it was not anchored')
  return location
}

export type ClaimOf<Kind extends ClaimKind> = Extract<Claim, { kind: Kind }>

export type ClaimResult =
  /** `by`: what confirmed it, as in `confirmed by the code index`. */
  | {
      status: 'confirmed'
      by: string
      /** It holds, and held before the change. */
      preExisting?: true
      /** Two witnesses that know nothing of each other say so. */
      second?: true
    }
  | { status: 'refuted'; reason: string }
  /** Neither could be shown. */
  | { status: 'unverifiable'; reason: string }

export type ClaimContext = {
  sources: Sources
  symbols: readonly SymbolChange[]
  location: DiffLocation
  /** Tells test files from others, by path. */
  isTest: (path: string) => boolean
  /** Head paths that exist but were left out of the tree, too large to read. */
  unread: ReadonlySet<string>
  /** Knows types; absent when there is none. */
  checker?: Checker | null
}

/** One claim and the result of its check. */
export type CheckedClaim = {
  claim: Claim
  result: ClaimResult
  /** It is about the same code as the finding, so that it may support the finding's severity. */
  isRelevant: boolean
}

/** May throw: the claim then counts as unverifiable. Must not depend on the order in which claims are checked. */
export type ClaimCheck<Kind extends ClaimKind> = (
  claim: ClaimOf<Kind>,
  context: ClaimContext,
) => Promise<ClaimResult>

export function confirmed(by: string): Extract<ClaimResult, { status: 'confirmed' }> {
  return { status: 'confirmed', by }
}

export function refuted(reason: string): ClaimResult {
  return { status: 'refuted', reason }
}

export function unverifiable(reason: string): ClaimResult {
  return { status: 'unverifiable', reason }
}

/** Why it was refuted or not, or what confirmed it. */
export function reasonOf({ result }: CheckedClaim): string {
  return result.status === 'confirmed' ? result.by : result.reason
}
