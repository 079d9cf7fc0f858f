/** What a step of validation is: it looks at one candidate on its way, and lets it through, changed or not, or drops it. */
import type { Candidate, VerdictStep } from '../../domain/finding.ts'
import type { ReviewContext } from '../../domain/review-context.ts'
import type { Place } from './anchor/place.ts'
import type { Checker } from './checker/contract.ts'
import type { Proof } from './claims/contract.ts'
import type { EvidenceTable } from './evidence/table.ts'
import type { Sources } from './sources.ts'

/** A candidate on its way through the steps. */
export type Walk = {
  candidate: Candidate
  /** Where it stands in the diff; null before the anchor step. */
  place: Place | null
  /** What became of its claims; empty before the claims step. */
  proofs: readonly Proof[]
}

/** What a step checked and found to hold, and what it had to take away, both in words. */
export type StepNotes = { verifiedBy: string[]; demotions: string[] }

/** The candidate goes, and this is why. */
export type Dropped = { dropped: string }

/** What changed on the way; nothing for a candidate that is let through as it is. */
export type StepResult = Dropped | Partial<Walk & StepNotes>

/** What the steps look things up in. */
export type Bench = {
  context: ReviewContext
  /** Names of the planes that ran. */
  planes: readonly string[]
  sources: Sources
  /** Knows types; null where none is to be asked. */
  checker: Checker | null
  evidence: EvidenceTable
  /** Tells test files from others, by path. */
  isTest: (path: string) => boolean
  /** Head paths that exist but were left out of the tree, too large to read. */
  unread: ReadonlySet<string>
}

export type ValidationStep = {
  /** Unique among the steps. */
  name: string
  /** The name under which a verdict tells of it; several small steps share one. */
  step: VerdictStep
  /** Must not depend on other candidates. May throw: the candidate is then dropped. */
  run: (walk: Walk, bench: Bench) => StepResult | Promise<StepResult>
}

export function drop(reason: string): Dropped {
  return { dropped: reason }
}

export function isDropped(result: object): result is Dropped {
  return 'dropped' in result
}

/** The place that the anchor step found. Throws for a candidate that did not pass it. */
export function placeOf({ place }: Walk): Place {
  if (!place) throw new Error('it was not anchored')
  return place
}
