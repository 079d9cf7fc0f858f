/** Checks the rows of a reranker's answer: known places, each once, and numbers for scores. */
import { count } from '../../base/count.ts'
import { RemoteError } from '../embedding/remote-error.ts'
import type { RerankRow } from './contract.ts'

/** Best first; equal scores in the order of the documents. Throws `RemoteError` with `bad-answer`. */
export function readRerankRows(
  name: string,
  written: readonly { index: number; relevance_score: number }[],
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
