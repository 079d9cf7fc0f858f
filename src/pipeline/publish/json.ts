/** The review itself, as the schema in `domain/review.ts` has it. */
import type { Review } from '../../domain/review.ts'

export function renderJson(review: Review): string {
  return plainJson(review)
}

// Control, format, surrogate and separator characters: JSON itself escapes only the first thirty-two.
const hidden = /[^\P{C}\n]|[\u2028\u2029]/gu

/** The value as JSON in which every invisible or terminal control character is escaped, as in `\u202e`. */
export function plainJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2).replace(hidden, escapeUnits)}\n`
}

function escapeUnits(character: string): string {
  return [...Array(character.length).keys()]
    .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
    .join('')
}
