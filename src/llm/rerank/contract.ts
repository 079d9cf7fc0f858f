/** Sorts what was found by how well it answers a query. */
import { count } from '../../base/count.ts'
import type { RerankSettings } from '../../config/settings/embedding.ts'
import { RemoteError } from '../embedding/endpoint.ts'

export type RerankDocument = {
  /** One line on where it stands: path, language, scope. */
  heading: string
  text: string
}

export type RerankRow = {
  /** Position in the list of documents. */
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

export type RerankerSettings = NonNullable<RerankSettings>

/** A row as providers write it. */
export type WrittenScore = { index: number; relevance_score: number }

/** A row is a hundred bytes, and no call has thousands of documents. */
export const rerankAnswerBytes = 1024 * 1024

/**
 * The rows of an answer, checked: documents that were sent, each once, and numbers for scores. Best first; equal scores in
 * the order of the documents. Throws `RemoteError` with `bad-answer`.
 */
export function readRerankRows(
  name: string,
  written: readonly WrittenScore[],
  documents: number,
  most: number,
): RerankRow[] {
  const seen = new Set<number>()
  for (const { index, relevance_score: score } of written) {
    const isKnown = Number.isInteger(index) && index >= 0 && index < documents
    if (!isKnown || seen.has(index) || !Number.isFinite(score))
      throw new RemoteError('bad-answer', `${name} answered with documents that it was not given`)
    seen.add(index)
  }
  if (seen.size < Math.min(documents, most))
    throw new RemoteError(
      'bad-answer',
      `${name} answered with ${seen.size} of ${count(Math.min(documents, most), 'document')}`,
    )
  return written
    .map(({ index, relevance_score: score }) => ({ index, score }))
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, most)
}

/** A document as one text, cut: rerankers look at a few thousand tokens of each. */
export function rerankText({ heading, text }: { heading: string; text: string }): string {
  return `${heading}\n${text}`.slice(0, 8_000)
}
