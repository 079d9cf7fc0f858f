/** The name that was probably meant: one slip of the keyboard, or another way of writing the same words. */
import { editDistance } from '../../../config/nearest-word.ts'

/** Names shorter than this differ by one letter too often for it to be a slip. */
const shortest = 4

/** The only candidate that differs by one slip; null when there is none, or more than one. */
export function nearestName(name: string, candidates: readonly string[]): string | null {
  const alike = [...new Set(candidates)].filter((candidate) => candidate !== name && isNear(name, candidate))
  return alike.length === 1 ? (alike[0] ?? null) : null
}

/** One letter more, less, other or swapped; two in a long name; or the same letters in other case or with other signs. */
export function isNear(one: string, other: string): boolean {
  if (one === other) return false
  if (lettersOf(one) === lettersOf(other)) return true
  const length = Math.min(one.length, other.length)
  if (length < shortest || differInNumber(one, other)) return false
  return Math.abs(one.length - other.length) <= 2 && editDistance(one, other) <= (length >= 12 ? 2 : 1)
}

function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

/** `part1` and `part2` are two names. */
function differInNumber(one: string, other: string): boolean {
  return one.replace(/\D/g, '') !== other.replace(/\D/g, '')
}
