/** What became of one acceptance criterion of a ticket in this change. */
import { z } from 'zod'

export const CriterionState = z.enum(['covered', 'not-covered', 'undecidable'])
export type CriterionState = z.infer<typeof CriterionState>

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
