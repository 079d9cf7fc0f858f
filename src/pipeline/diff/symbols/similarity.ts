/** How alike two pieces of code are: the share of token trigrams they have in common. */

const token = /[\p{L}_$][\p{L}\p{N}_$]*|\d+|[^\s\p{L}\p{N}_$]/gu

/** Definitions longer than this are compared by their beginning. */
const tokenLimit = 4_000
const textLimit = 40_000

export type Shape = { trigrams: ReadonlyMap<string, number>; total: number }

/** The words and signs of a text; `name` is left blank, so that a rename does not tell against itself. */
export function maskedTokens(text: string, name: string): string[] {
  const tokens = text.slice(0, textLimit).match(token) ?? []
  return tokens.slice(0, tokenLimit).map((word) => (word === name ? '·' : word))
}

/** The token trigrams of a text with their counts. */
export function shapeOf(text: string, name: string): Shape {
  const tokens = maskedTokens(text, name)
  const trigrams = new Map<string, number>()
  for (let i = 0; i + 2 < tokens.length; i++) {
    const trigram = `${tokens[i]} ${tokens[i + 1]} ${tokens[i + 2]}`
    trigrams.set(trigram, (trigrams.get(trigram) ?? 0) + 1)
  }
  return { trigrams, total: Math.max(0, tokens.length - 2) }
}

/** Dice coefficient, 0 to 1; 0 when either is too short to have a trigram. */
export function similarity(a: Shape, b: Shape): number {
  const total = a.total + b.total
  if (total === 0) return 0
  let common = 0
  const [small, large] = a.trigrams.size <= b.trigrams.size ? [a, b] : [b, a]
  for (const [trigram, times] of small.trigrams) common += Math.min(times, large.trigrams.get(trigram) ?? 0)
  return (2 * common) / total
}

/** False when their lengths alone keep the similarity from passing `enough`. */
export function couldBeAlike(a: Shape, b: Shape, enough: number): boolean {
  return 2 * Math.min(a.total, b.total) > enough * (a.total + b.total)
}
