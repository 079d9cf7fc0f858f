/** Puts what was found in the order of how well it answers a query. */

export type RerankDocument = {
  /** One line on where it stands: path, language, scope. */
  heading: string
  text: string
}

export type RerankRow = {
  /** Place in the list of documents. */
  index: number
  /** Larger is better; comparable within one answer only. */
  score: number
}

export type Reranked = {
  /** At most `most`, best first, each document once. */
  rows: readonly RerankRow[]
  usage: { calls: number; tokens: number }
}

export interface Reranker {
  /** `cohere/rerank-v3.5`, or `structural`. */
  readonly name: string
  /** Rejects with `RemoteError`, or with the signal's reason. Secrets have been taken out before. */
  rerank(
    query: string,
    documents: readonly RerankDocument[],
    most: number,
    signal: AbortSignal,
  ): Promise<Reranked>
}
