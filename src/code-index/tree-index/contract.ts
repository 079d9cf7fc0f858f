/**
 * The index of whole trees, kept on disk beside the facts. A unit is one blob read as one language; a segment files
 * the words of many units and never changes; a manifest says of one tree which paths it has and which unit each is.
 */
import type { ParseFailure } from '../contract.ts'

/** What `sightline index` tells. */
export type IndexReport = {
  tree: string
  /** Regular files of the tree. */
  files: number
  /** Of them, by what became of them. */
  indexed: number
  textOnly: number
  /** Binary, or too large to be read. */
  notText: number
  /** Blobs that are not in this clone, as paths. */
  absent: string[]
  failures: ParseFailure[]
  languages: { language: string; files: number; bytes: number; symbols: number; references: number }[]
  bytes: number
  symbols: number
  references: number
  /** Distinct blobs (read as one language): found in the store, and read now. */
  reused: number
  read: number
  segments: number
  /** On disk, of this tree: its segments and its manifest. The facts lie beside, shared by all repositories. */
  diskBytes: number
  /** Null when the index is on disk; else why it is in memory only. */
  notKept: string | null
  /** The search index of the same tree; null when only names were indexed. */
  search: { chunks: number; diskBytes: number; notKept: string | null; ms: number } | null
  /** Why facts of files are in memory only, in words; null when they are on disk. */
  factsNotKept: string | null
  /** What was found damaged and is rebuilt. */
  damaged: string[]
  times: { listMs: number; readMs: number; writeMs: number; totalMs: number }
}

/** How much of a tree is indexed; `report` when every name is, and `partial` beside it when only the search index is missing. */
export type IndexStatus = {
  state: 'complete' | 'partial' | 'none'
  /** Distinct blobs that are to be read yet. */
  missing: { files: number; bytes: number }
  report: IndexReport | null
}
