/** A second look at one finding of a model: somebody tries to refute it, with the evidence and nothing else. */
import { z } from 'zod'
import { Citation } from './finding.ts'

/**
 * `refuted`: the cited words show that it does not hold, and code found them where they are said to stand; `upheld`: the
 * look ended in favour of it; `undecided`: the evidence does not suffice, or the refutation cited nothing that stands;
 * `not-asked`: beyond a cap, or no model could be asked.
 */
export const RefutationOutcome = z.enum(['refuted', 'upheld', 'undecided', 'not-asked'])
export type RefutationOutcome = z.infer<typeof RefutationOutcome>

export const Refutation = z.object({
  /** Id of the finding. */
  finding: z.string(),
  outcome: RefutationOutcome,
  /** In words. Foreign: a model wrote them. */
  reason: z.string(),
  /** What it rests on; only citations that hold. */
  citations: z.array(Citation),
})
export type Refutation = z.infer<typeof Refutation>
