/**
 * The one shape in which a reviewing model answers, first and after a follow-up: a provider that caches prompts caches
 * the shape with them. Flat and without optional keys, records or unions by tag, so that every provider takes it; for
 * "none" stand empty words and 0, because some providers allow but few keys that may be null. Limits on lengths are
 * not in it: what is too long becomes a candidate that validation drops with the reason.
 */
import { z } from 'zod'
import { Category, Severity } from '../../../domain/severity.ts'
import type { AnswerShape } from '../../../llm/contract.ts'

export const claimKinds = [
  'caller-not-updated',
  'undefined',
  'not-exported',
  'missing-path',
  'duplicate-of',
  'no-test-calls',
  'unused',
  'type-mismatch',
  'line-contains',
  'rule-matches',
  'changes-together',
] as const

export const WireClaim = z.object({
  kind: z.enum(claimKinds),
  path: z.string(),
  line: z.number(),
  end_line: z.number(),
  /** The symbol, name, rule or checker. */
  name: z.string(),
  /** The defining, exporting, missing, repeated or partner file. */
  other_path: z.string(),
  other_line: z.number(),
  other_end_line: z.number(),
  side: z.enum(['new', 'old']),
  text: z.string(),
  together: z.number(),
  total: z.number(),
})
export type WireClaim = z.infer<typeof WireClaim>

/** What proves it comes before how bad it is: models judge better what they have just written down. */
export const WireFinding = z.object({
  file: z.string(),
  tags: z.array(z.string()),
  evidence: z.array(z.object({ id: z.string(), quote: z.string() })),
  explanation: z.string(),
  title: z.string(),
  category: Category,
  severity: Severity,
  confidence: z.enum(['certain', 'likely', 'possible']),
  claims: z.array(WireClaim),
  remedy: z.string().nullable(),
  suggestion: z.object({ first_tag: z.string(), last_tag: z.string(), replacement: z.string() }).nullable(),
})
export type WireFinding = z.infer<typeof WireFinding>

/** Numbers may be missing: a request without a range is refused, not asked to be repaired. */
export const ContextRequest = z.object({
  file: z.string(),
  line_start: z.number().nullable(),
  line_end: z.number().nullable(),
  reason: z.string(),
})
export type ContextRequest = z.infer<typeof ContextRequest>

export const ReviewAnswer = z.object({
  findings: z.array(WireFinding),
  verdicts: z.array(
    z.object({ finding: z.string(), verdict: z.enum(['confirmed', 'dismissed']), reason: z.string() }),
  ),
  insufficient_context: z.array(z.object({ file: z.string(), reason: z.string() })),
  context_request: ContextRequest.nullable(),
})
export type ReviewAnswer = z.infer<typeof ReviewAnswer>

export const reviewAnswer: AnswerShape<ReviewAnswer> = { name: 'review_answer', schema: ReviewAnswer }
