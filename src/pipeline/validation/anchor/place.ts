/** Where a finding stands: on lines of one hunk, or, for what has no lines, on the file as a whole. */
import type { DiffLine, FileChange, Side } from '../../../domain/change-set.ts'

export type Place = {
  file: FileChange
  side: Side
  /** 1-based, inclusive, on `side`; both 1 for a whole file. */
  startLine: number
  endLine: number
  /** The line it is shown on; null for a whole file. */
  shown: DiffLine | null
  /** The tags as the diff has them, the shown line first. */
  tags: string[]
  excerpt: DiffLine[]
}
