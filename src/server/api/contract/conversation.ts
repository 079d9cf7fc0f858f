/** Conversations about a run, and repeating it: what is asked, what is answered, and what a page hears until then. */
import { z } from 'zod'
import { Side } from '../../../domain/change-set.ts'
import { Comparison } from '../../../domain/comparison.ts'
import { Citation } from '../../../domain/finding.ts'
import { CutText } from './common.ts'

const count = z.number().int().nonnegative()

/** A place in the diff or in evidence that an answer points to. */
export const AnswerCitation = Citation.extend({
  /** Among the evidence of the review; if not, it was found for the answer. */
  isOfReview: z.boolean(),
  title: z.string(),
  path: z.string().nullable(),
  side: Side.nullable(),
  startLine: z.number().int().nullable(),
  endLine: z.number().int().nullable(),
  text: CutText,
})
export type AnswerCitation = z.infer<typeof AnswerCitation>

export const AskRequest = z.strictObject({
  question: z.string().min(1).max(4000),
  /** Start a conversation instead of continuing the last one about this run. */
  isNew: z.boolean().default(false),
})
export type AskRequest = z.infer<typeof AskRequest>

export const Answer = z.object({
  /** Name of the run that keeps the answer; null when it could not be recorded. */
  run: z.string().nullable(),
  question: z.string(),
  statements: z.array(
    z.object({
      text: z.string(),
      /** No quote shows it. */
      isGuess: z.boolean(),
      citations: z.array(AnswerCitation),
    }),
  ),
  /** What the evidence does not show, in words; empty when nothing is missing. */
  cannot: z.string(),
  /** A finding that the question disputes, and how an independent check of it ended. */
  disputed: z
    .object({ finding: z.string(), outcome: z.enum(['conceded', 'held', 'undecided']), reason: z.string() })
    .nullable(),
  /** Why there is no answer; null when there is one. */
  failed: z.string().nullable(),
  usd: z.number().nullable(),
  remarks: z.array(z.string()),
})
export type Answer = z.infer<typeof Answer>

/** The last conversation about a review, its oldest question first. */
export const Conversation = z.object({ turns: z.array(Answer) })
export type Conversation = z.infer<typeof Conversation>

const progress = z.object({
  event: z.literal('progress'),
  data: z.object({ stage: z.string(), detail: z.string() }),
})
const failure = z.object({ event: z.literal('error'), data: z.object({ message: z.string() }) })

/** Server-sent events of `ask`, by their names. The stream ends after `answer` or `error`. */
export const AskEvent = z.discriminatedUnion('event', [
  progress,
  z.object({ event: z.literal('answer'), data: Answer }),
  failure,
])
export type AskEvent = z.infer<typeof AskEvent>

export const ModelSwap = z.strictObject({
  role: z.enum(['scout', 'reviewer', 'judge']),
  /** `provider/model`. */
  model: z.string().min(3).max(200),
})
export type ModelSwap = z.infer<typeof ModelSwap>

export const ReplayRequest = z.strictObject({
  /** Another model for one role; absent: everything from the record, at no cost. */
  swap: ModelSwap.optional(),
  /** US dollars that a swap may cost. */
  budgetUsd: z.number().positive().max(1000).optional(),
})
export type ReplayRequest = z.infer<typeof ReplayRequest>

export const ReplayResult = z.object({
  /** The same bytes as the recorded review. Always false for a swap. */
  isIdentical: z.boolean(),
  served: z.object({ record: count, live: count }).nullable(),
  comparison: Comparison,
  /** Of the replayed review. */
  word: z.string(),
  headline: z.string(),
  usd: z.number().nullable(),
  remarks: z.array(z.string()),
})
export type ReplayResult = z.infer<typeof ReplayResult>

/** The stream ends after `result` or `error`. */
export const ReplayEvent = z.discriminatedUnion('event', [
  progress,
  z.object({ event: z.literal('result'), data: ReplayResult }),
  failure,
])
export type ReplayEvent = z.infer<typeof ReplayEvent>
