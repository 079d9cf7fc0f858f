/** A change whose truth is known: what a good review of it says, and what it must not say. */
import { z } from 'zod'

/** Lines of a file, 1-based and inclusive; `left` is the old side. */
export const LineRange = z.object({
  file: z.string().min(1),
  start: z.number().int().positive(),
  end: z.number().int().positive(),
  side: z.enum(['left', 'right']),
})
export type LineRange = z.infer<typeof LineRange>

/** What one must see to notice a fault. */
export const NeededContext = z.enum(['diff', 'file', 'repo'])
export type NeededContext = z.infer<typeof NeededContext>

export const KnownFault = z.object({
  /** Null when the list names no lines (golden comments): then only a judge can match it. */
  place: LineRange.nullable(),
  /** Other lines on which showing the fault is as good. */
  also: z.array(LineRange),
  /** In the words of its list. */
  severity: z.string().nullable(),
  category: z.string().nullable(),
  description: z.string(),
  context: NeededContext.nullable(),
})
export type KnownFault = z.infer<typeof KnownFault>

/** `fault`: something is wrong with it; `clean`: nothing is known to be. */
export const CaseKind = z.enum(['fault', 'clean'])
export type CaseKind = z.infer<typeof CaseKind>

export const EvalCase = z.object({
  /** Unique in its set. */
  id: z.string().min(1),
  /** `owner/name`. */
  repo: z.string().min(1),
  /** Where to clone from when no mirror has it. */
  url: z.string().nullable(),
  base: z.string().min(1),
  head: z.string().min(1),
  kind: CaseKind,
  /** The list or the operator it comes from: scores are broken down by it. */
  source: z.string(),
  language: z.string().nullable(),
  expected: z.array(KnownFault),
  /** Findings that people looked at and found wrong. */
  rejected: z.array(KnownFault),
  /** The id of the case with the same change and without the fault. */
  twin: z.string().nullable(),
})
export type EvalCase = z.infer<typeof EvalCase>
