/** Opens one tree for searches: its index, and what compares meaning and orders hits, where it is configured. */
import type { HistoryCommit, RepoSnapshot } from '../../domain/snapshot.ts'
import type { Embedder } from '../../llm/embedding/contract.ts'
import type { Reranker } from '../../llm/rerank/contract.ts'
import type { IndexStore } from '../contract.ts'
import { type FileGraph, rankFiles, readFileGraph } from '../graph/file-graph.ts'
import { openWorld } from '../resolve/world.ts'
import { answerQuery, round, type Searcher } from './answer.ts'
import type { Hit, SearchAnswer, StageRow } from './contract.ts'
import { openChunkIndex } from './index/open-index.ts'
import { Meaning } from './meaning/compare.ts'
import { readNearness } from './stage-lists.ts'

export interface CodeSearch {
  /**
   * At most `limit` hits, best first; the same query gives the same answer, byte for byte, as long as no embedder or
   * reranker answers otherwise. For `nearby` and `near` every import of the tree is resolved the first time.
   */
  search(query: string, limit: number, options?: SearchPlace): Promise<SearchAnswer>
}

export type SearchPlace = {
  /** Also tells the files near the hits. */
  nearby?: boolean
  /** Lifts what is near these files, or changes together with them in `commits` (newest first). */
  near?: { paths: readonly string[]; commits: readonly HistoryCommit[] } | null
}

export type SearchOptions = {
  /** Where the index is kept between runs; null, and when not given, keeps it in memory. */
  cacheFolder?: string | null
  embedder?: Embedder | null
  reranker?: Reranker | null
  /** Calls to the embedder for chunks that have no vector yet, for each query. */
  mostEmbeddingCalls?: number
  /** Why an embedder or a reranker that was wanted is not here, in words; part of each answer. */
  problems?: readonly string[]
  signal?: AbortSignal
}

const rowsOfNearby = 40
const longestQuery = 2_000
const defaultEmbeddingCalls = 24

/** Reads only what no earlier search has kept. The snapshot and the store stay the caller's. Throws `tree-too-large`. */
export async function openCodeSearch(
  snapshot: RepoSnapshot,
  store: IndexStore,
  options: SearchOptions = {},
): Promise<CodeSearch> {
  const {
    cacheFolder = null,
    embedder = null,
    reranker = null,
    mostEmbeddingCalls = defaultEmbeddingCalls,
  } = options
  const index = await openChunkIndex(snapshot, store, { cacheFolder })
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
    async search(query, limit, { nearby = false, near = null } = {}) {
      if (nearby || near) graph ??= readGraph()
      const nearness = near && graph && readNearness(near.paths, await graph, near.commits)
      const found = await answerQuery(searcher, query.slice(0, longestQuery), limit, nearness)
      return nearby && graph ? { ...found, nearby: nearbyFiles(await graph, found.hits) } : found
    },
  }
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
