import type { ChangeSet } from '../../domain/change-set.ts'
import type { CandidateDraft } from '../../domain/finding.ts'
import type { ReviewContext } from '../../domain/review-context.ts'
import type { ReviewRequest } from '../../domain/review-request.ts'
import type { RepoHistory } from '../../domain/snapshot.ts'
import type { CriterionTie } from '../../domain/ticket.ts'
import type { CodeSides, StageInput } from '../stage-input.ts'

/** What is known of a change before its context was gathered. */
export type ChangeInput = Pick<StageInput, keyof CodeSides | 'config' | 'signal'> & {
  change: ChangeSet
  history: RepoHistory
  /** Receives what was found so far, which is kept even if the plane later fails or runs out of time. */
  keep?: (found: PlaneReport) => void
}

export type PlaneInput = ChangeInput & { context: ReviewContext }

export type PlaneReport = {
  candidates: CandidateDraft[]
  /** What it could not check, in words; a non-empty list makes the plane `partly` covered. */
  limits: string[]
  /** Lines of the change tied to acceptance criteria; from the ticket plane only. */
  ties?: CriterionTie[]
}

type PlaneWords = {
  /** As users write it: `contract`, `secrets` … */
  readonly name: string
  /** What it looks for, in half a sentence. */
  readonly description: string
  /** What a person could find that shows one of its findings to be wrong: the end of a sentence that begins "Wrong if". */
  readonly wrongIf?: string
  /** Whether the request has anything for it; where it has not, the plane is not mentioned. Without it, always. */
  applies?(request: ReviewRequest): boolean
}

/**
 * `isEarly`: it needs no context, and looks while that is gathered. `look` must be deterministic: same input, same report, in the same
 * order. It may throw; the plane is then `failed` in coverage and the others go on.
 */
export type Plane = PlaneWords &
  (
    | { readonly isEarly?: false; look(input: PlaneInput): Promise<PlaneReport> }
    | { readonly isEarly: true; look(input: ChangeInput): Promise<PlaneReport> }
  )
