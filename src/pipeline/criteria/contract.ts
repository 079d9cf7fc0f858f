/** What is said of acceptance criteria before anybody has checked it. */
import type { CriterionState, TiedLines } from '../../domain/ticket.ts'

/** As a plane of a model answered. */
export type AnsweredCriterion = {
  ticket: string
  /** `AC1` … */
  id: string
  state: CriterionState
  lines: readonly TiedLines[]
  reason: string
}
