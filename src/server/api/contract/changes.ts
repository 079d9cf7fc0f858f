/** Change requests: the list with one row for each, and everything about one of them: pushes, findings through time, cost. */
import { z } from 'zod'
import { Severity } from '../../../domain/severity.ts'
import { RunRow } from '../../../storage/catalog/contract.ts'
import { pageOf } from './common.ts'

const count = z.number().int().nonnegative()
const usd = z.number().nonnegative()

/** `newest`: the last review; of what is no change request, the only one. */
export const ChangeRow = z.object({
  newest: RunRow,
  /** Reviews, one for each push that was reviewed. */
  reviews: count,
  /** All that was asked of models about it: reviews, questions and proofs. */
  usd,
  unpricedCalls: count,
})
export type ChangeRow = z.infer<typeof ChangeRow>

/** Those with the newest review first. */
export const ChangePage = pageOf(ChangeRow)
export type ChangePage = z.infer<typeof ChangePage>

export const ChangeQuery = z.object({
  repository: z.string().min(1).max(300),
  change: z.coerce.number().int().positive(),
})
export type ChangeQuery = z.infer<typeof ChangeQuery>

export const FindingState = z.enum(['open', 'fixed', 'dismissed', 'outdated', 'reopened'])

export const FindingMove = z.object({
  at: z.string(),
  /** `changed`: found again with other lines or words. */
  what: z.enum(['found', 'changed', 'fixed', 'outdated', 'reopened', 'dismissed', 'restored', 'reacted']),
  /** Who; null for a review. Foreign. */
  by: z.string().nullable(),
  why: z.string().nullable(),
  /** The commit that a review looked at. */
  head: z.string().nullable(),
  run: z.string().nullable(),
})
export type FindingMove = z.infer<typeof FindingMove>

export const ChangeFinding = z.object({
  id: z.string(),
  title: z.string(),
  severity: Severity,
  path: z.string(),
  line: count,
  state: FindingState,
  /** Why it is in no count: a filter hides it, or it was there before the change. Null for one that counts. */
  aside: z.enum(['hidden', 'pre-existing']).nullable(),
  /** The oldest first. */
  moves: z.array(FindingMove),
})
export type ChangeFinding = z.infer<typeof ChangeFinding>

export const ChangeDetail = z.object({
  repository: z.string(),
  change: count,
  url: z.string().nullable(),
  title: z.string(),
  /** Reviews, questions and proofs, the newest first. */
  runs: z.array(RunRow),
  /** Open ones first, then by when they were found. */
  findings: z.array(ChangeFinding),
  /**
   * As in the check and the overview. Each finding once; open includes what was found again, fixed what the change no longer
   * has, dismissed what people had resolved or deleted on the host when a review was last posted.
   */
  counts: z.object({ open: count, fixed: count, dismissed: count }),
  usd,
  unpricedCalls: count,
  /** What of the ledger could not be read, in words; null when all of it could. */
  damage: z.string().nullable(),
})
export type ChangeDetail = z.infer<typeof ChangeDetail>
