/** The names that a misspelt one may have meant. */
import { editDistance } from '../../config/nearest-word.ts'

/** At most three of `names`, nearest first, whose edit distance is small beside the length of `wanted`. */
export function nearest(wanted: string, names: readonly string[]): string[] {
  if (wanted.length > 100) return []
  const limit = Math.max(2, Math.floor(wanted.length / 3))
  return names
    .filter((name) => Math.abs(name.length - wanted.length) <= limit)
    .map((name) => ({ name, distance: editDistance(wanted, name) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, 3)
    .map(({ name }) => name)
}
