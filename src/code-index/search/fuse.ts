/** Reciprocal rank fusion: what several lists hold near their tops comes first. */
import type { Scored } from '../lexical/bm25.ts'

export type WeightedList = { name: string; weight: number; rows: readonly Scored[] }

export type Fused = { document: number; score: number; ranks: Record<string, number> }

/** The usual constant: it keeps the first rank of one list from beating good ranks in two. */
const damping = 60

/**
 * The score of a document is the sum of weight / (60 + rank). Rows of one list with the same score share their rank, so
 * that the order of paths decides nothing. Best first, then in order of documents.
 */
export function fuse(lists: readonly WeightedList[]): Fused[] {
  const fused = new Map<number, Fused>()
  for (const { name, weight, rows } of lists) {
    let rank = 0
    for (const [at, { document, score }] of rows.entries()) {
      if (at === 0 || score !== rows[at - 1]?.score) rank = at + 1
      const entry = fused.get(document) ?? { document, score: 0, ranks: {} }
      entry.score += weight / (damping + rank)
      entry.ranks[name] = rank
      fused.set(document, entry)
    }
  }
  return [...fused.values()].sort((a, b) => b.score - a.score || a.document - b.document)
}
