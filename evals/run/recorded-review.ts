/** What is kept of one case: the review as it was, and the lines of the change, so that scoring needs no repository. */
import { z } from 'zod'
import { Review } from '../../src/index.ts'
import { ChangedFile } from '../repositories/changed-lines.ts'

export const RecordedReview = z.object({
  case: z.string(),
  /** Null when it failed. */
  review: Review.nullable(),
  /** Why there is no review, in words; a failed case is tried again when the evaluation goes on. */
  failure: z.string().nullable(),
  changed: z.array(ChangedFile),
})
export type RecordedReview = z.infer<typeof RecordedReview>
