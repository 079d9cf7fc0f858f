/** The few best of many scores, without sorting the rest. */

export type Scored = { document: number; score: number }

/** Scores above 0, best first; equal ones in order of documents. */
export function bestRows(scores: Float64Array, limit: number): Scored[] {
  if (limit <= 0) return []
  let kept: Scored[] = []
  let bar = 0
  for (let document = 0; document < scores.length; document++) {
    const score = scores[document] ?? 0
    if (score <= bar) continue
    kept.push({ document, score })
    if (kept.length < limit * 2 + 64) continue
    kept = inOrder(kept).slice(0, limit)
    bar = kept.at(-1)?.score ?? 0
  }
  return inOrder(kept).slice(0, limit)
}

/** Sorts in place. */
function inOrder(rows: Scored[]): Scored[] {
  return rows.sort((a, b) => b.score - a.score || a.document - b.document)
}
