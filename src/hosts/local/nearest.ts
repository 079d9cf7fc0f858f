/** The names that a misspelt one may have meant. */

/** At most three of `names`, nearest first, whose edit distance is small beside the length of `wanted`. */
export function nearest(wanted: string, names: readonly string[]): string[] {
  if (wanted.length > 100) return []
  const limit = Math.max(2, Math.floor(wanted.length / 3))
  return names
    .map((name) => ({ name, distance: distanceOf(wanted, name, limit) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, 3)
    .map(({ name }) => name)
}

/** Levenshtein's distance, or a number above `limit` as soon as the lengths rule a smaller one out. */
function distanceOf(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
