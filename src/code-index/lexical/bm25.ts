/** BM25 over documents that are numbered in the order they are added. All in memory; nothing depends on time. */

export type Bm25Settings = {
  /** How soon more of the same word stops to count. */
  k1: number
  /** How much length counts against a document. */
  b: number
}

export const usualBm25: Bm25Settings = { k1: 1.2, b: 0.75 }

export type Scored = { document: number; score: number }

export class Bm25Index {
  private readonly settings: Bm25Settings
  /** Per word: document, how often, document, how often … in order of documents. */
  private readonly postings = new Map<string, number[]>()
  private readonly lengths: number[] = []
  private totalLength = 0

  constructor(settings: Bm25Settings = usualBm25) {
    this.settings = settings
  }

  get size(): number {
    return this.lengths.length
  }

  /** Returns the number of the document. */
  add(tokens: readonly string[]): number {
    const document = this.lengths.length
    const counts = new Map<string, number>()
    for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1)
    for (const [token, count] of counts) {
      const list = this.postings.get(token)
      if (list) list.push(document, count)
      else this.postings.set(token, [document, count])
    }
    this.lengths.push(tokens.length)
    this.totalLength += tokens.length
    return document
  }

  /** Best first; equal scores in order of documents. Each word of the query counts once. */
  search(tokens: readonly string[], limit: number): Scored[] {
    const scores = new Map<number, number>()
    const { k1, b } = this.settings
    const average = this.totalLength / Math.max(1, this.lengths.length)
    for (const token of new Set(tokens)) {
      const list = this.postings.get(token)
      if (!list) continue
      const idf = this.rarity(token)
      for (let at = 0; at < list.length; at += 2) {
        const document = list[at] ?? 0
        const count = list[at + 1] ?? 0
        const length = (this.lengths[document] ?? 0) / Math.max(1, average)
        const weight = (count * (k1 + 1)) / (count + k1 * (1 - b + b * length))
        scores.set(document, (scores.get(document) ?? 0) + idf * weight)
      }
    }
    return [...scores]
      .map(([document, score]) => ({ document, score }))
      .sort((x, y) => y.score - x.score || x.document - y.document)
      .slice(0, limit)
  }

  /** How much a word tells: more, the fewer documents have it. Positive, and defined for unknown words too. */
  rarity(token: string): number {
    const frequency = (this.postings.get(token)?.length ?? 0) / 2
    return Math.log(1 + (this.lengths.length - frequency + 0.5) / (frequency + 0.5))
  }
}
