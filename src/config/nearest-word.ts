/** The known word that was probably meant, by edit distance. */

/** Longer words are not compared: nobody mistypes that much, and the cost grows with the square. */
const longestWord = 64

/** The nearest of `known` at most a third of its letters away, the first of equals; else null. */
export function nearestWord(typed: string, known: readonly string[]): string | null {
  if (typed.length > longestWord) return null
  let best: { word: string; distance: number } | null = null
  for (const word of known) {
    const distance = editDistance(typed.toLowerCase(), word.toLowerCase())
    if (distance <= Math.max(1, Math.floor(word.length / 3)) && (best === null || distance < best.distance))
      best = { word, distance }
  }
  return best?.word ?? null
}

/** Letters to insert, delete, replace or swap with their neighbour (optimal string alignment). */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1]
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      const steps = [
        (current[column - 1] ?? 0) + 1,
        (last[column] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      ]
      if (swapped) steps.push((beforeLast[column - 2] ?? 0) + 1)
      current.push(Math.min(...steps))
    }
    beforeLast = last
    last = current
  }
  return last[b.length] ?? 0
}
