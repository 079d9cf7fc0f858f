/** How alike two pieces of code are: the share of token trigrams they have in common. */

const token = /[\p{L}_$][\p{L}\p{N}_$]*|\d+|[^\s\p{L}\p{N}_$]/gu

/** Definitions longer than this are compared by their beginning. */
const tokenLimit = 4_000

export type Shape = { trigrams: ReadonlyMap<string, number>; tokens: number }

/** The token trigrams of a text with their counts; `name` is left out, so that a rename does not tell against itself. */
export function shapeOf(text: string, name: string): Shape {
  const tokens = (text.match(token) ?? []).slice(0, tokenLimit).map((word) => (word === name ? '·' : word))
  const trigrams = new Map<string, number>()
  for (let i = 0; i + 2 < tokens.length; i++) {
    const trigram = `${tokens[i]} ${tokens[i + 1]} ${tokens[i + 2]}`
    trigrams.set(trigram, (trigrams.get(trigram) ?? 0) + 1)
  }
  return { trigrams, tokens: tokens.length }
}

/** Dice coefficient, 0 to 1; 0 when either is too short to have a trigram. */
export function similarity(a: Shape, b: Shape): number {
  const total = Math.max(0, a.tokens - 2) + Math.max(0, b.tokens - 2)
  if (total === 0) return 0
  let common = 0
  const [small, large] = a.trigrams.size <= b.trigrams.size ? [a, b] : [b, a]
  for (const [trigram, times] of small.trigrams) common += Math.min(times, large.trigrams.get(trigram) ?? 0)
  return (2 * common) / total
}
