/** Two reviews side by side, finding by finding: of two runs of one change, of two models, or of two versions. */
import { z } from 'zod'
import { Category, Severity } from './severity.ts'

/** A finding as a list shows it. */
export const FindingBrief = z.object({
  id: z.string(),
  fingerprint: z.string(),
  plane: z.string(),
  rule: z.string(),
  severity: Severity,
  category: Category,
  title: z.string(),
  path: z.string(),
  startLine: z.number().int().positive(),
  endLine: z.number().int().positive(),
  byModel: z.boolean(),
})
export type FindingBrief = z.infer<typeof FindingBrief>

/** `kept`: in both, at the same place and severity. `lost`: only in the first. `new`: only in the second. */
export const ComparedKind = z.enum(['kept', 'lost', 'new', 'moved', 'severity-changed'])
export type ComparedKind = z.infer<typeof ComparedKind>

export const ComparedFinding = z.object({
  kind: ComparedKind,
  /** Null when it is new. */
  before: FindingBrief.nullable(),
  /** Null when it was lost. */
  after: FindingBrief.nullable(),
})
export type ComparedFinding = z.infer<typeof ComparedFinding>

export const Comparison = z.object({
  /**
   * 0 to 1: the share of both reviews' findings, weighted by severity, that the other one has as well; a moved finding
   * counts in full, one whose severity changed counts less with each step. 1 when neither has findings.
   */
  fidelity: z.number().min(0).max(1),
  counts: z.record(ComparedKind, z.number().int().nonnegative()),
  /** Lost and new ones first, then changed ones, then those that were kept; the most severe first. */
  findings: z.array(ComparedFinding),
})
export type Comparison = z.infer<typeof Comparison>
