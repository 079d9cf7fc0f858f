/** What is said of acceptance criteria before anybody has checked it. */
import type { CriterionState } from '../../domain/criterion.ts'

/** Lines of one file by their tags, the first ones first. */
export type TiedLines = { path: string; tags: string[] }

/** As a plane of a model answered. */
export type AnsweredCriterion = {
  ticket: string
  /** `AC1` … */
  id: string
  state: CriterionState
  lines: readonly TiedLines[]
  reason: string
}

/** What code alone can tie to a criterion. */
export type Tie = {
  /** The words of it are rare enough and enough of them to say that these lines are about it. */
  isStrong: boolean
  /** Words of the criterion that were found, as it writes them. */
  words: readonly string[]
  lines: readonly TiedLines[]
}
