/** What one reviewed case says, as plain facts: every score of an evaluation is a sum over these. */
import { z } from 'zod'

export const FaultScore = z.object({
  severity: z.string().nullable(),
  category: z.string().nullable(),
  context: z.string().nullable(),
  /** False when the list names no lines; then only `named` counts. */
  placed: z.boolean(),
  /** A finding lies within the tolerance of its lines. */
  hit: z.boolean(),
  /** Such a finding is of its category as well. */
  hitInCategory: z.boolean(),
  /** A judge holds a finding to say this. Null when nobody judged. */
  named: z.boolean().nullable(),
  /** How probable a hit was by as many random lines as there were findings, and by five. */
  byRandomLines: z.number(),
  byFiveRandomLines: z.number(),
  /** Whether as many of the largest hunks as there were findings lie on it, and the five largest. */
  byLargestHunks: z.boolean(),
  byFiveLargestHunks: z.boolean(),
})
export type FaultScore = z.infer<typeof FaultScore>

export const FindingScore = z.object({
  plane: z.string(),
  rule: z.string(),
  severity: z.string(),
  category: z.string(),
  confidence: z.string(),
  /** It lies within the tolerance of a known fault. */
  correct: z.boolean(),
  /** Its lines overlap those of the fault. */
  exact: z.boolean(),
  /** It is not correct, and lies within the tolerance of what people found wrong to say. */
  rejected: z.boolean(),
  /** All its lines are lines of a hunk of the change. */
  onDiff: z.boolean(),
  citations: z.number().int(),
  /** Citations whose evidence exists and holds the quoted words. */
  validCitations: z.number().int(),
  /** Null when nobody judged. */
  judged: z.enum(['fault', 'other', 'duplicate']).nullable(),
})
export type FindingScore = z.infer<typeof FindingScore>

/** A finding of a check that a reviewing model contested: a label of that check. */
export const ContestScore = z.object({
  rule: z.string(),
  outcome: z.enum(['dropped', 'open', 'rejected', 'unfounded']),
})
export type ContestScore = z.infer<typeof ContestScore>

/** Of what one must see besides the diff, how much lies in the bundle. */
export const RetrievalScore = z.object({
  needed: z.number().int(),
  /** By the name of the bundle, the needed units that it holds within each of the budgets. */
  held: z.record(z.string(), z.array(z.number().int())),
})
export type RetrievalScore = z.infer<typeof RetrievalScore>

export const CaseScore = z.object({
  id: z.string(),
  kind: z.enum(['fault', 'clean']),
  source: z.string(),
  language: z.string().nullable(),
  /** False when there is no review: then nothing was found, and nothing was said. */
  reviewed: z.boolean(),
  /** The review says that it saw all of the change. */
  complete: z.boolean(),
  faults: z.array(FaultScore),
  findings: z.array(FindingScore),
  /** Absent when nothing was contested. */
  contests: z.array(ContestScore).optional(),
  usd: z.number(),
  /** Calls to models whose price is not known. */
  unpricedCalls: z.number().int(),
  tokens: z.number().int(),
  calls: z.number().int(),
  seconds: z.number(),
  /** Only where retrieval was measured; then nothing was reviewed, and no fault can be hit. */
  retrieval: RetrievalScore.optional(),
})
export type CaseScore = z.infer<typeof CaseScore>

export const ScoreSheet = z.object({
  format: z.literal(1),
  set: z.string(),
  /** SHA-256 of the cases: two sheets can be held to each other when it is the same, or by case. */
  cases: z.string(),
  /** Depth, planes, models: for people. */
  about: z.string(),
  /** Lines between a finding and a fault that still count. */
  tolerance: z.number().int(),
  scores: z.array(CaseScore),
})
export type ScoreSheet = z.infer<typeof ScoreSheet>
