/** Embeds chunks that have no vector yet, those near the query first, in a bounded number of calls. */
import { redactStrings } from '../../../base/secrets/redact.ts'
import type { RepoSnapshot } from '../../../domain/snapshot.ts'
import { cutToTokens, estimatedTokens } from '../../../llm/embedding/batches.ts'
import type { Embedder, EmbeddingUsage } from '../../../llm/embedding/contract.ts'
import type { ChunkIndex } from '../index/chunk-index.ts'
import { readChunks } from './chunk-texts.ts'
import type { MeaningIndex } from './meaning-index.ts'

export type EmbeddingRound = {
  usage: EmbeddingUsage
  /** False when vectors could not be written to disk. */
  isKept: boolean
}

/** Chunks whose texts are read at once. */
const readAtOnce = 512

/**
 * What is embedded stays, even when a later call fails: rejects then with `RemoteError`, or with the signal's reason.
 * Texts leave without the secrets that we know.
 */
export async function embedMissing(
  {
    snapshot,
    index,
    meaning,
    embedder,
  }: {
    snapshot: RepoSnapshot
    index: ChunkIndex
    meaning: MeaningIndex
    embedder: Embedder
  },
  first: readonly number[],
  mostCalls: number,
  signal: AbortSignal,
): Promise<EmbeddingRound> {
  const usage: EmbeddingUsage = { calls: 0, tokens: 0 }
  let isKept = true
  const missing = meaning.missing(first)
  while (missing.length > 0 && usage.calls < mostCalls) {
    signal.throwIfAborted()
    const documents = missing.slice(0, Math.min(readAtOnce, embedder.limits.inputs))
    const texts = await textsOf(snapshot, index, documents, embedder)
    const count = fitting(texts, embedder.limits.tokens)
    const embedded = await embedder.embed(texts.slice(0, count), 'document', signal)
    if (!meaning.add(documents.slice(0, count), embedded.rows)) isKept = false
    missing.splice(0, count)
    usage.calls += embedded.usage.calls
    usage.tokens += embedded.usage.tokens
  }
  return { usage, isKept }
}

async function textsOf(
  snapshot: RepoSnapshot,
  index: ChunkIndex,
  documents: readonly number[],
  { limits }: Embedder,
): Promise<string[]> {
  const chunks = await readChunks(
    snapshot,
    documents.map((document) => index.note(document)),
  )
  const clean = redactStrings(chunks.map(({ heading, text }) => `${heading}\n${text}`))
  return clean.map((text) => cutToTokens(text, limits.tokensPerInput))
}

/** How many of them go into one call; at least one. */
function fitting(texts: readonly string[], tokens: number): number {
  let sum = 0
  const over = texts.findIndex((text) => {
    sum += estimatedTokens(text)
    return sum > tokens
  })
  return over < 0 ? texts.length : Math.max(1, over)
}
