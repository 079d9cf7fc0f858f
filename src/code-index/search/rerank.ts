/** Hands the best of what was fused to a reranker. */
import { redactStrings, redactText } from '../../base/secrets/redact.ts'
import type { RepoSnapshot } from '../../domain/snapshot.ts'
import { RemoteError } from '../../llm/embedding/remote-error.ts'
import type { Reranker } from '../../llm/rerank/contract.ts'
import type { Fused } from './fuse.ts'
import type { ChunkIndex } from './index/chunk-index.ts'
import { readChunks } from './meaning/chunk-texts.ts'

/** So many are looked at; the others keep their places behind them. */
export const rerankedRows = 40

export type RerankRound = {
  /** Who did it. */
  by: string
  order: readonly Fused[]
  /** Those that were looked at, with the scores they were given. */
  rows: { document: number; score: number }[]
  usage: { calls: number; tokens: number }
  limits: string[]
}

/**
 * Texts leave without the secrets that we know. Says in words what the provider did wrong; rejects with the signal's
 * reason only.
 */
export async function rerank(
  { snapshot, index, reranker }: { snapshot: RepoSnapshot; index: ChunkIndex; reranker: Reranker },
  query: string,
  fused: readonly Fused[],
  most: number,
  signal: AbortSignal,
): Promise<RerankRound | { problem: string }> {
  const looked = fused.slice(0, Math.max(rerankedRows, most))
  const chunks = await readChunks(
    snapshot,
    looked.map(({ document }) => index.note(document)),
  )
  try {
    const documents = redactStrings(chunks)
    const { rows, usage } = await reranker.rerank(redactText(query), documents, most, signal)
    const chosen = rows.flatMap(({ index: at, score }) => {
      const row = looked[at]
      return row ? [{ row, score }] : []
    })
    return { by: reranker.name, ...inFront(chosen, fused), usage, limits: [] }
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error
    return { problem: `the hits could not be reranked by ${reranker.name}: ${error.message}` }
  }
}

/** The chosen first, in their order, then the others in theirs. */
export function inFront(
  chosen: readonly { row: Fused; score: number }[],
  all: readonly Fused[],
): Pick<RerankRound, 'order' | 'rows'> {
  const taken = new Set(chosen.map(({ row }) => row.document))
  return {
    order: [...chosen.map(({ row }) => row), ...all.filter(({ document }) => !taken.has(document))],
    rows: chosen.map(({ row, score }) => ({ document: row.document, score })),
  }
}
