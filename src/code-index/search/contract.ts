/** Search over the chunks of one tree: what is asked, and what each stage said to it. */

import type { Chunk } from '../chunks/contract.ts'
import type { Emptiness } from '../query/contract.ts'

/** `words`: BM25 over words; `names`: definitions called like the query; `paths`: files whose path has its words. */
export type StageName = 'words' | 'names' | 'paths'

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

export type SearchAnswer = {
  query: string
  /** How it was searched, in words: without an embedder, no meaning is compared. */
  mode: string
  hits: Hit[]
  /** The lists that were fused, each cut at the number of rows that counted. */
  stages: Record<StageName, StageRow[]>
  /**
   * Files near the best hits in the graph of imports, by personalised PageRank; null unless asked for. Shown beside the
   * stages and not fused with them: that it would make answers better has not been measured.
   */
  nearby: StageRow[] | null
  searched: { files: number; chunks: number }
  limits: string[]
  emptiness: Emptiness | null
}

/** What is kept of a chunk; its text is read again for the few that are shown. */
export type ChunkNote = Pick<Chunk, 'path' | 'language' | 'startLine' | 'endLine' | 'symbol'>
