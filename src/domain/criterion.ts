/** What became of one acceptance criterion of a ticket in this change. */
import { z } from 'zod'

export const CriterionState = z.enum(['covered', 'not-covered', 'undecidable'])
export type CriterionState = z.infer<typeof CriterionState>

/** Lines of one file by their tags, the first ones first. */
export type TiedLines = { path: string; tags: string[] }

/** What code alone can tie to one criterion. */
export type CriterionTie = {
  /** Id of the ticket, and of the criterion within it. */
  ticket: string
  id: string
  /** The words of it are rare enough, and enough of them, to say that these lines are about it. */
  isStrong: boolean
  /** Words of the criterion that were found, as it writes them, or their stems. */
  words: readonly string[]
  lines: readonly TiedLines[]
}

export const CriterionCheck = z.object({
  /** Id of the ticket. */
  ticket: z.string(),
  /** `AC1` … within the ticket. */
  id: z.string(),
  /** As its author wrote it; foreign. */
  text: z.string(),
  state: CriterionState,
  /** Lines of the diff that cover it, by tag; all stand in the diff. Empty unless `covered`. */
  lines: z.array(z.object({ path: z.string(), tags: z.array(z.string()).min(1) })),
  reason: z.string(),
  /** Who said so: words of the criterion found in the change by code, or a model whose cited lines were checked. */
  by: z.enum(['code', 'model']),
})
export type CriterionCheck = z.infer<typeof CriterionCheck>
