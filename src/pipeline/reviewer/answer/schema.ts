/**
 * The shape in which a reviewing model answers, first and after a follow-up: a provider that caches prompts caches the shape
 * with them. On the wire every key is required, few may be null, and a union holds whole objects,
 * so that every provider takes it; for "none" stand empty words, empty lists and 0. Reading is more lenient: a list that is
 * missing is empty, and a claim without the fields of its kind costs the claim, not the answer. Limits on lengths are not
 * in it: what is too long becomes a candidate that validation drops with the reason.
 */
import { z } from 'zod'
import type { ClaimKind } from '../../../domain/claim.ts'
import { Category, Severity } from '../../../domain/severity.ts'
import type { AnswerShape } from '../../../llm/contract.ts'

const at = { path: z.string(), line: z.number() }
const kind = <Kind extends ClaimKind>(name: Kind) => z.literal(name)

/** Each kind with the fields that it needs. Code alone counts history, runs rules and compares calls: no model claims these. */
const claimShapes = [
  z.object({ kind: kind('caller-not-updated'), ...at, symbol: z.string(), defined_in: z.string() }),
  z.object({ kind: kind('undefined'), ...at, name: z.string() }),
  z.object({ kind: kind('not-exported'), ...at, name: z.string(), from: z.string() }),
  z.object({ kind: kind('missing-path'), ...at, target: z.string() }),
  z.object({
    kind: kind('duplicate-of'),
    ...at,
    end_line: z.number(),
    other_path: z.string(),
    other_line: z.number(),
    other_end_line: z.number(),
  }),
  z.object({ kind: kind('no-test-calls'), ...at, symbol: z.string() }),
  z.object({ kind: kind('unused'), ...at, name: z.string() }),
  z.object({ kind: kind('type-mismatch'), ...at, checker: z.string(), message: z.string() }),
  z.object({ kind: kind('line-contains'), ...at, side: z.enum(['new', 'old']), text: z.string() }),
] as const
export const claimKinds = claimShapes.map(({ shape }) => shape.kind.value)

const Claims = z.union(claimShapes)
export type WireClaim = z.infer<typeof Claims>

/** Takes the place of a claim that could not be read. */
export const unreadClaim: WireClaim = { kind: 'line-contains', path: '', line: 0, side: 'new', text: '' }

/** A tag of the diff or the number of evidence, and words from exactly there. */
const WireCitation = z.object({ id: z.string(), quote: z.string() })

/** What proves it comes before how bad it is: models judge better what they have just written down. */
export const WireFinding = z.object({
  file: z.string(),
  tags: z.array(z.string()),
  evidence: z.array(WireCitation),
  also_at: z.array(WireCitation.extend({ file: z.string() })).default([]),
  documented: z.object({ name: z.string(), behaviour: z.string() }).nullable(),
  explanation: z.string(),
  /** What would show that it is wrong, before how bad it is: whoever names it looks for it first. */
  wrong_if: z.string().nullable().default(null),
  title: z.string(),
  category: Category,
  severity: Severity,
  confidence: z.enum(['likely', 'possible']).catch('likely'),
  claims: z.array(Claims.catch(unreadClaim)).default([]),
  /** A finding of code, by its id or by the number of its evidence; empty for none. */
  enriches: z.string().default(''),
  remedy: z.string().nullable(),
  edits: z.array(z.object({ old: z.string(), new: z.string() })).default([]),
})
export type WireFinding = z.infer<typeof WireFinding>

/** What is wanted of a place: its code, every use of the symbol, or what calls the function on the line. */
export const wanted = ['code', 'uses', 'callers'] as const

/** A place by its lines, or by its symbol with both lines 0. Numbers that make no range are refused, not asked to be repaired. */
export const ContextRequest = z.object({
  what: z.enum(wanted).catch('code'),
  file: z.string(),
  symbol: z.string().default(''),
  line_start: z.number().default(0),
  line_end: z.number().default(0),
  reason: z.string(),
})
export type ContextRequest = z.infer<typeof ContextRequest>

const WireVerdict = z.object({
  finding: z.string(),
  verdict: z.enum(['confirmed', 'dismissed']),
  reason: z.string(),
})
export type WireVerdict = z.infer<typeof WireVerdict>

/** A finding of code, by its id, and what shows that it is wrong. */
const WireContest = z.object({ finding: z.string(), evidence: z.array(WireCitation), reason: z.string() })
export type WireContest = z.infer<typeof WireContest>

const WirePlace = z.object({ file: z.string(), tag: z.string() })

/** What the change does comes first: whoever has put it in words judges it better. */
const Answer = z.object({
  walkthrough: z.array(z.object({ sentence: z.string(), places: z.array(WirePlace) })).default([]),
  findings: z.array(WireFinding),
  verdicts: z.array(WireVerdict).default([]),
  contests: z.array(WireContest).default([]),
  insufficient_context: z.array(z.object({ file: z.string(), reason: z.string() })).default([]),
  context_requests: z.array(ContextRequest).default([]),
  author_questions: z.array(WirePlace.extend({ question: z.string() })).default([]),
})

export type ReviewAnswer = z.infer<typeof Answer>

export const reviewAnswer: AnswerShape<ReviewAnswer> = { name: 'review_answer', schema: Answer }
