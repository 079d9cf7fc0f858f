/** Finds chunks by words, names, paths and meaning, fuses the lists, and puts the best of them in order. */
import type { RepoSnapshot } from '../../domain/snapshot.ts'
import type { Embedder } from '../../llm/embedding/contract.ts'
import type { Reranker } from '../../llm/rerank/contract.ts'
import type { FactStore } from '../contract.ts'
import { type FileGraph, readFileGraph } from '../graph/file-graph.ts'
import { rankFiles } from '../graph/rank-files.ts'
import { openWorld } from '../resolve/world.ts'
import type { Hit, SearchAnswer, StageRow } from './contract.ts'
import { type Fused, fuse } from './fuse.ts'
import { hitsOf, round } from './hits.ts'
import { openTreeIndex } from './index/open-index.ts'
import type { TreeIndex } from './index/tree-index.ts'
import { lexicalLists, weigh } from './lexical-lists.ts'
import { type Compared, Meaning } from './meaning/compare.ts'
import { type RerankRound, rerank } from './rerank.ts'

export interface CodeSearch {
  /**
   * At most `limit` hits, best first; the same query gives the same answer, byte for byte, as long as no embedder or
   * reranker answers otherwise. `nearby` also asks for the files near them, for which every import of the tree is
   * resolved the first time.
   */
  search(query: string, limit: number, options?: { nearby?: boolean }): Promise<SearchAnswer>
}

export type SearchOptions = {
  /** Where the index is kept between runs; null, and when not given, keeps it in memory. */
  cacheFolder?: string | null
  embedder?: Embedder | null
  reranker?: Reranker | null
  /** Calls to the embedder for chunks that have no vector yet, for each query. */
  mostEmbeddingCalls?: number
  /** Why an embedder or a reranker that was wanted is not here, in words; told with each answer. */
  problems?: readonly string[]
  signal?: AbortSignal
}

/** Rows of each list that count. */
const rowsPerStage = 40
const rowsOfNearby = 40
const longestQuery = 2_000
const usualEmbeddingCalls = 24

/** Reads only what no earlier search has kept. The snapshot and the store stay the caller's. Throws `tree-too-large`. */
export async function openCodeSearch(
  snapshot: RepoSnapshot,
  store: FactStore,
  options: SearchOptions = {},
): Promise<CodeSearch> {
  const {
    cacheFolder = null,
    embedder = null,
    reranker = null,
    mostEmbeddingCalls = usualEmbeddingCalls,
  } = options
  const index = await openTreeIndex(snapshot, store, { cacheFolder })
  const meaning =
    embedder &&
    new Meaning({
      snapshot,
      index,
      embedder,
      cacheFolder,
      mostCalls: mostEmbeddingCalls,
      reranker: reranker?.name ?? '',
    })
  const searcher: Searcher = {
    snapshot,
    index,
    meaning,
    embedder,
    reranker,
    problems: options.problems ?? [],
    signal: options.signal ?? new AbortController().signal,
  }
  let graph: Promise<FileGraph> | null = null
  const readGraph = async (): Promise<FileGraph> => {
    const paths = (await snapshot.list()).map(({ path }) => path)
    return readFileGraph(await openWorld(snapshot, store, []), paths)
  }
  return {
    async search(query, limit, { nearby = false } = {}) {
      const found = await answer(searcher, query.slice(0, longestQuery), limit)
      if (!nearby) return found
      graph ??= readGraph()
      return { ...found, nearby: nearbyFiles(await graph, found.hits) }
    },
  }
}

type Searcher = {
  snapshot: RepoSnapshot
  index: TreeIndex
  meaning: Meaning | null
  embedder: Embedder | null
  reranker: Reranker | null
  problems: readonly string[]
  signal: AbortSignal
}

async function answer(searcher: Searcher, query: string, limit: number): Promise<SearchAnswer> {
  const { snapshot, index, meaning, reranker, problems, signal } = searcher
  const rows = Math.max(rowsPerStage, limit)
  const lexical = lexicalLists(index, query, rows)
  const { words, names, paths } = lexical.lists
  const first = [...words, ...names, ...paths].map(({ document }) => document)
  const question = { query, names: lexical.names, limit, rows }
  const compared = meaning && (await meaning.compare(question, first, snapshot.tree, signal))
  const fused = fuse(weigh(lexical, compared?.rows ?? []))
  const ordered: RerankRound | null =
    reranker && !compared?.hit
      ? await rerank({ snapshot, index, reranker }, query, fused, limit, signal)
      : null
  const order = compared?.hit?.order ?? ordered?.order ?? fused
  if (!compared?.hit && ordered?.rows !== null) compared?.remember(order.slice(0, rows))
  const hits = await hitsOf(snapshot, index, order.slice(0, limit), query)
  const toRows = (list: readonly Pick<Fused, 'document' | 'score'>[]): StageRow[] =>
    list.map(({ document, score }) => {
      const { path, startLine } = index.note(document)
      return { path, startLine, score: round(score) }
    })
  return {
    query,
    mode: modeOf(searcher, compared),
    hits,
    stages: {
      words: toRows(words),
      names: toRows(names),
      paths: toRows(paths),
      meaning: toRows(compared?.rows ?? []),
    },
    fused: toRows(fused.slice(0, rows)),
    reranked: ordered?.rows
      ? { by: reranker?.name ?? '', rows: toRows(ordered.rows), ...ordered.usage }
      : null,
    meaning: noteOf(searcher, compared),
    nearby: null,
    searched: { files: index.fileCount, chunks: index.size },
    limits: [...index.limits, ...problems, ...(compared?.limits ?? []), ...(ordered?.limits ?? [])],
    emptiness:
      hits.length > 0
        ? null
        : { isEvidence: false, why: 'no text, name or path has a word of it; other words may say the same' },
  }
}

function modeOf({ embedder }: Searcher, compared: Compared | null): string {
  if (!embedder) return 'lexical and structural: no embedder is configured, so meaning is not compared'
  if (compared && compared.rows.length > 0) return `lexical, structural, and meaning by ${nameOf(embedder)}`
  return 'lexical and structural: the embedder could not be used'
}

function noteOf({ embedder, meaning }: Searcher, compared: Compared | null): SearchAnswer['meaning'] {
  if (!embedder || !meaning || !compared) return null
  const { hit, usage } = compared
  const reused = hit && { query: hit.query, cosine: round(hit.cosine) }
  return {
    embedder: nameOf(embedder),
    ...meaning.coverage,
    ...usage,
    cache: { hits: compared.hits(), reused },
  }
}

function nameOf({ id }: Embedder): string {
  return `${id.provider}/${id.model}`
}

function nearbyFiles(graph: FileGraph, hits: readonly Hit[]): StageRow[] {
  const seeds = new Map<string, number>()
  for (const { path, score } of hits) seeds.set(path, (seeds.get(path) ?? 0) + score)
  return rankFiles(graph, seeds, rowsOfNearby).map(({ path, score }) => ({
    path,
    startLine: 1,
    score: round(score),
  }))
}
