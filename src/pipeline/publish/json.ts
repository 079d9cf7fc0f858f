/** The review itself, as the schema in `domain/review.ts` has it. */
import type { Review } from '../../domain/review.ts'

export function renderJson(review: Review): string {
  return `${JSON.stringify(review, null, 2)}\n`
}
