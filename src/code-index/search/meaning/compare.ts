/** Compares the meaning of a query with that of chunks, as far as they are embedded; every failure is a limit in words. */
import { count } from '../../../base/count.ts'
import { redactStrings, redactText } from '../../../base/secrets/redact.ts'
import type { RepoSnapshot } from '../../../domain/snapshot.ts'
import type { Embedder, EmbeddingUsage } from '../../../llm/embedding/contract.ts'
import { cutToTokens, estimatedTokens } from '../../../llm/embedding/embed-all.ts'
import { RemoteError } from '../../../llm/embedding/endpoint.ts'
import type { Scored } from '../../lexical/bm25.ts'
import { VectorStore } from '../../vectors/store.ts'
import type { Fused } from '../fuse.ts'
import type { ChunkIndex } from '../index/chunk-index.ts'
import { readChunks } from './chunk-texts.ts'
import { MeaningIndex } from './meaning-index.ts'
import { type CacheHit, QueryCache } from './query-cache.ts'

export type MeaningOptions = {
  snapshot: RepoSnapshot
  index: ChunkIndex
  embedder: Embedder
  cacheFolder: string | null
  /** Calls that embed chunks, for each question. */
  mostCalls: number
  /** Of the reranker: answers ordered by another one are other answers. */
  reranker: string
}

export type Compared = {
  rows: readonly Scored[]
  /** The earlier answer to be given again. */
  hit: CacheHit | null
  usage: { calls: number; tokens: number }
  limits: string[]
  /** Keeps the answer for queries to come. */
  remember(order: readonly Fused[]): void
  /** How often answers on this index were reused. */
  hits(): number
}

export type Question = { query: string; names: readonly string[]; limit: number; rows: number }

export class Meaning {
  private readonly options: MeaningOptions
  private readonly index: MeaningIndex
  private readonly id: string

  constructor(options: MeaningOptions) {
    this.options = options
    this.id = JSON.stringify(options.embedder.id)
    this.index = new MeaningIndex(options.index, new VectorStore(options.cacheFolder, this.id))
  }

  get coverage(): { chunks: number; embedded: number } {
    return this.index.coverage
  }

  /** `first`: documents to be embedded before others. Rejects with the signal's reason only. */
  async compare(
    question: Question,
    first: readonly number[],
    tree: string,
    signal: AbortSignal,
  ): Promise<Compared> {
    const { embedder, cacheFolder, reranker } = this.options
    const compared: Compared = {
      rows: [],
      hit: null,
      usage: { calls: 0, tokens: 0 },
      limits: [],
      remember: () => undefined,
      hits: () => 0,
    }
    await this.embedChunks(first, compared, signal)
    const { embedded, chunks } = this.coverage
    const cache = new QueryCache(cacheFolder, [tree, this.id, reranker, `${embedded} of ${chunks}`])
    compared.hits = () => cache.hits
    const text = redactText(question.query)
    try {
      const vector = cache.vectorOf(text) ?? (await embedQuery(embedder, text, compared, signal))
      compared.rows = this.index.nearest(vector, question.rows)
      compared.hit = cache.find(vector, question.names, question.limit)
      const { names, limit } = question
      compared.remember = (order) => cache.add({ query: text, names, limit, vector, order })
    } catch (error) {
      reportFailure(error, compared)
    }
    return compared
  }

  private async embedChunks(
    first: readonly number[],
    compared: Compared,
    signal: AbortSignal,
  ): Promise<void> {
    const { snapshot, index, embedder, mostCalls } = this.options
    try {
      const round = await embedMissing(
        { snapshot, index, meaning: this.index, embedder },
        first,
        mostCalls,
        signal,
      )
      compared.usage.calls += round.usage.calls
      compared.usage.tokens += round.usage.tokens
      if (!round.isKept)
        compared.limits.push('vectors could not be saved to disk and will be requested again')
    } catch (error) {
      reportFailure(error, compared)
    }
    const { embedded, chunks } = this.coverage
    if (embedded < chunks)
      compared.limits.push(
        `${chunks - embedded} of ${count(chunks, 'chunk')} ${chunks - embedded === 1 ? 'is' : 'are'} not embedded yet; the next search continues`,
      )
  }
}

async function embedQuery(
  embedder: Embedder,
  text: string,
  { usage }: Compared,
  signal: AbortSignal,
): Promise<Float32Array> {
  // A query of nothing but white space is refused by some.
  const embedded = await embedder.embed([text.trim() === '' ? '?' : text], 'query', signal)
  usage.calls += embedded.usage.calls
  usage.tokens += embedded.usage.tokens
  return embedded.rows[0] ?? new Float32Array()
}

/** What a provider does wrong makes the answer smaller; an abort and our own faults go on up. */
function reportFailure(error: unknown, { limits }: Compared): void {
  if (!(error instanceof RemoteError)) throw error
  const said = `meaning could not be compared in full: ${error.message}`
  if (!limits.includes(said)) limits.push(said)
}

// Embeds chunks that have no vector yet, those near the query first, in a bounded number of calls.

type EmbeddingRound = {
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
async function embedMissing(
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
