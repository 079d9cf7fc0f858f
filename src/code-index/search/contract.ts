/** Search over the chunks of one tree: what is asked, and what each stage said to it. */
import type { Chunk } from '../chunks/contract.ts'
import type { Emptiness } from '../query/contract.ts'

/**
 * `words`: BM25 over words; `names`: definitions called like the query; `paths`: files whose path has its words;
 * `meaning`: chunks whose vector is near that of the query, empty without an embedder; `graph` and `history`: of all
 * these, chunks in files that are near given ones in the graph of imports, or change together with them, empty when none
 * were given.
 */
export const stageNames = ['words', 'names', 'paths', 'meaning', 'graph', 'history'] as const
export type StageName = (typeof stageNames)[number]

/** One row of a stage's list, best first. Scores of different stages cannot be compared; ranks can. */
export type StageRow = { path: string; startLine: number; score: number }

export type Hit = Pick<Chunk, 'path' | 'language' | 'startLine' | 'endLine' | 'symbol'> & {
  /** Sum of the reciprocal ranks; see `fuse`. */
  score: number
  /** Rank in each stage that found it, 1 is best. */
  ranks: Partial<Record<StageName, number>>
  /** The line that has most of the query's words, trimmed and cut. */
  line: number
  text: string
}

/** What the comparison of meaning took and covered. */
export type MeaningNote = {
  /** `voyage/voyage-code-3`. */
  embedder: string
  /** Chunks that differ, and how many of them have a vector. */
  chunks: number
  embedded: number
  /** For this answer. */
  calls: number
  tokens: number
  /** How often answers on this index were reused, this time included; the query whose answer this is, and how near. */
  cache: { hits: number; reused: { query: string; cosine: number } | null }
}

export type SearchAnswer = {
  query: string
  /** How it was searched, in words: without an embedder, no meaning is compared. */
  mode: string
  hits: Hit[]
  /** The lists that were fused, each cut at the number of rows that counted. */
  stages: Record<StageName, StageRow[]>
  /** What came of fusing them. */
  fused: StageRow[]
  /** By a model, or `structure`; null when an earlier answer was given again. */
  reranked: { by: string; rows: StageRow[]; calls: number; tokens: number } | null
  meaning: MeaningNote | null
  /**
   * Files near the best hits in the graph of imports, by personalised PageRank; null unless asked for. Shown beside the
   * stages and not fused with them: hits that lift their own neighbours would confirm themselves.
   */
  nearby: StageRow[] | null
  searched: { files: number; chunks: number }
  limits: string[]
  emptiness: Emptiness | null
}

/** What is kept of a chunk; its text is read again for the few that are shown. */
export type ChunkNote = Pick<Chunk, 'path' | 'language' | 'startLine' | 'endLine' | 'symbol'>
