/** What models had to do with a review: who was asked about what, what came of it, and what it cost. */
import { z } from 'zod'
import { RestsOn } from './earlier-review.ts'

/** `declined`: whoever was asked whether to spend the money said no; `not-asked`: beyond a cap. */
export const GroupOutcome = z.enum([
  'answered',
  'refused',
  'truncated',
  'unusable',
  'failed',
  'over-budget',
  'declined',
  'not-asked',
])
export type GroupOutcome = z.infer<typeof GroupOutcome>

/** Why a follow-up was not made. */
export const FollowUpRefusal = z.enum([
  'switched-off',
  'limit',
  'out-of-scope',
  'no-range',
  // Until 30 November 2026; what is asked for is cut to what fits since.
  'whole-file',
  'too-long',
  'absent',
  'unknown-symbol',
  'ambiguous',
])
export type FollowUpRefusal = z.infer<typeof FollowUpRefusal>

const count = z.number().int().nonnegative()

const Refusal = z.object({ kind: FollowUpRefusal, detail: z.string() })

/** One place that a model asked to see, by lines or by symbol, as asked for; foreign words. */
export const RequestedPlace = z.object({
  /** Absent for the code itself. */
  what: z.enum(['uses', 'callers']).optional(),
  path: z.string(),
  /** Null without a symbol. */
  symbol: z.string().nullable(),
  startLine: z.number().int().nullable(),
  endLine: z.number().int().nullable(),
  reason: z.string(),
  /** Why it was not given; null when it was. */
  refused: Refusal.nullable(),
})
export type RequestedPlace = z.infer<typeof RequestedPlace>

export const FollowUp = z.object({
  address: z.string(),
  /** The first place that was given, else the first one asked for. */
  path: z.string(),
  startLine: z.number().int().nullable(),
  endLine: z.number().int().nullable(),
  reason: z.string(),
  /** All places, in order; absent in runs of earlier versions, which had one. */
  places: z.array(RequestedPlace).optional(),
  /** Why it was not made, with the words for it; null when it was. */
  refused: Refusal.nullable(),
  /** What became of the question; null when it was refused. */
  outcome: GroupOutcome.nullable(),
  confirmed: count,
  dismissed: count,
  added: count,
  /** Findings it did not speak of; they stand. */
  unmentioned: count,
  /** All tokens of the second exchange, in and out; of these, `cachedTokens` were read from the provider's cache. */
  extraTokens: count,
  cachedTokens: count,
})
export type FollowUp = z.infer<typeof FollowUp>

/** One question about some of the files. */
export const ReviewGroup = z.object({
  address: z.string(),
  files: z.array(z.string()),
  outcome: GroupOutcome,
  /** In words, unless it was answered. */
  reason: z.string().nullable(),
  findings: count,
  /** US dollars; null when a price is not known. */
  usd: z.number().nonnegative().nullable(),
})
export type ReviewGroup = z.infer<typeof ReviewGroup>

/** A model was to read these files and did not, for a reason that is neither money nor a limit of the configuration. */
export function isUnread({ outcome }: Pick<ReviewGroup, 'outcome'>): boolean {
  return outcome === 'failed' || outcome === 'refused' || outcome === 'truncated' || outcome === 'unusable'
}

export const ModelReport = z.object({
  /** `provider/model` of the reviewer that was to be asked first. */
  model: z.string().nullable(),
  /** `quick-review@1` and the like. */
  prompts: z.array(z.string()),
  groups: z.array(ReviewGroup),
  followUps: z.array(FollowUp),
  /** Where the model said that what it saw does not suffice for a judgement. */
  insufficient: z.array(z.object({ path: z.string(), reason: z.string() })),
  /** What was gathered and did not fit into what a model was shown, in words. */
  trimmed: z.array(z.string()).default([]),
  /** What it said that could not even become a candidate, or a part of one. */
  unfit: z.array(z.object({ address: z.string(), what: z.string(), reason: z.string() })),
  /** Text that seems to be written for a reviewing model. */
  suspicions: z.array(
    z.object({
      origin: z.string(),
      line: z.number().int().positive(),
      sign: z.string(),
      excerpt: z.string(),
    }),
  ),
  /** What a finding cost: the price of its group's calls, shared evenly among the group's findings that stand. */
  findingCosts: z.array(z.object({ finding: z.string(), usd: z.number().nonnegative().nullable() })),
  /** For the next review of the same change; absent where no model read anything. */
  restsOn: RestsOn.optional(),
})
export type ModelReport = z.infer<typeof ModelReport>

/** US dollars; null when a price is not known. */
export type EstimateOf = { calls: number; inputTokens: number; outputTokens: number; usd: number | null }

/** What a review would take at most: every answer at its full length. */
export type ModelEstimate = EstimateOf & {
  model: string
  /** On top, if every group had its follow-ups. */
  followUps: EstimateOf
  /** On top, for a scout that gathers more first; null where none does. */
  explore: EstimateOf | null
  /** On top, for second looks at what was found; absent where none are due. */
  refutation?: EstimateOf
}

/** US dollars; a price that is not known makes the sum unknown. */
export function sumPrices(prices: readonly (number | null)[]): number | null {
  return prices.reduce((sum, usd) => (sum === null || usd === null ? null : sum + usd), 0)
}

/** Of single calls. */
export function sumCalls(calls: readonly Omit<EstimateOf, 'calls'>[]): EstimateOf {
  return sumEstimates(calls.map((call) => ({ ...call, calls: 1 })))
}

function sumEstimates(parts: readonly EstimateOf[]): EstimateOf {
  return {
    calls: parts.reduce((total, { calls }) => total + calls, 0),
    inputTokens: parts.reduce((total, { inputTokens }) => total + inputTokens, 0),
    outputTokens: parts.reduce((total, { outputTokens }) => total + outputTokens, 0),
    usd: sumPrices(parts.map(({ usd }) => usd)),
  }
}
