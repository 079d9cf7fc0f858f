/** JSON as the language writes it. */
import type { Review } from '../../../../src/domain/review.ts'

export function renderJson(review: Review): string {
  return plainJson(review)
}

export function plainJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
