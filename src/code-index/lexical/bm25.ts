/** BM25: which documents tell most of the words of a query. Nothing depends on time, or on how postings are kept. */

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

export type Bm25Settings = {
  /** How soon more of the same word stops to count. */
  k1: number
  /** How much length counts against a document. */
  b: number
}

export const defaultBm25: Bm25Settings = { k1: 1.2, b: 0.75 }

/** Document and how often, in the same places of two lists. */
export type PostingList = { documents: ArrayLike<number>; counts: ArrayLike<number> }

/** Documents are numbered from 0. */
export interface Postings {
  readonly size: number
  /** How many words all documents have. */
  readonly totalLength: number
  lengthOf(document: number): number
  /** Each document at most once, in any order. */
  postingsOf(word: string): PostingList
}

/** Best first; equal scores in order of documents. Each word of the query counts once. */
export function searchWords(
  postings: Postings,
  words: readonly string[],
  limit: number,
  { k1, b }: Bm25Settings = defaultBm25,
): Scored[] {
  const scores = new Float64Array(postings.size)
  const average = Math.max(1, postings.totalLength / Math.max(1, postings.size))
  for (const word of new Set(words)) {
    const { documents, counts } = postings.postingsOf(word)
    const idf = rarityOf(documents.length, postings.size)
    for (let at = 0; at < documents.length; at++) {
      const document = documents[at] ?? 0
      const count = counts[at] ?? 0
      const length = postings.lengthOf(document) / average
      const weight = (count * (k1 + 1)) / (count + k1 * (1 - b + b * length))
      scores[document] = (scores[document] ?? 0) + idf * weight
    }
  }
  return bestRows(scores, limit)
}

/** How much a word tells: more, the fewer documents have it. Positive, and defined for unknown words too. */
export function rarityOf(frequency: number, documents: number): number {
  return Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5))
}
