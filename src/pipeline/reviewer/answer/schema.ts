/**
 * The shapes in which a reviewing model answers, first and after a follow-up, one for each panel: a provider that caches
 * prompts caches the shape with them. Flat and without optional keys, records or unions by tag, so that every provider takes it; for
 * "none" stand empty words and 0, because some providers allow but few keys that may be null. Limits on lengths are
 * not in it: what is too long becomes a candidate that validation drops with the reason.
 */
import { z } from 'zod'
import { Category, Severity } from '../../../domain/severity.ts'
import { CriterionState } from '../../../domain/ticket.ts'
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

const Answer = z.object({
  findings: z.array(WireFinding),
  verdicts: z.array(
    z.object({ finding: z.string(), verdict: z.enum(['confirmed', 'dismissed']), reason: z.string() }),
  ),
  insufficient_context: z.array(z.object({ file: z.string(), reason: z.string() })),
  context_request: ContextRequest.nullable(),
})

/** Where the change does what one criterion of a ticket asks for, or that it does not. */
const WireCriterion = z.object({
  ticket: z.string(),
  criterion: z.string(),
  lines: z.array(z.object({ file: z.string(), tags: z.array(z.string()) })),
  reason: z.string(),
  state: CriterionState,
})
export type WireCriterion = z.infer<typeof WireCriterion>

/** `file`: empty for the repository as a whole. */
const WireInsight = z.object({ sentence: z.string(), file: z.string() })
export type WireInsight = z.infer<typeof WireInsight>

const PlaneAnswer = Answer.extend({
  criteria: z.array(WireCriterion),
  memory_insights: z.array(WireInsight),
})

/** What any panel may answer; the one reviewer is not asked for the last two. */
export type ReviewAnswer = z.infer<typeof Answer> &
  Partial<Pick<z.infer<typeof PlaneAnswer>, 'criteria' | 'memory_insights'>>

export const reviewAnswer: AnswerShape<ReviewAnswer> = { name: 'review_answer', schema: Answer }
export const planeAnswer: AnswerShape<ReviewAnswer> = { name: 'plane_answer', schema: PlaneAnswer }

/** `L42#k7f`, also where a model copied the brackets around it. */
export function bareTag(tag: string): string {
  return tag.trim().replace(/^\[(.*)\]$/, '$1')
}
