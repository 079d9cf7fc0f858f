/** What one exchange with a model took: tokens, money, time. From these the account of a run is made. */
import { z } from 'zod'

/** A part to be played, not a model's name; the settings say which model plays it. */
export const ModelRole = z.enum(['scout', 'reviewer', 'judge', 'embedder', 'reranker'])
export type ModelRole = z.infer<typeof ModelRole>

const tokens = z.number().int().nonnegative()

/** Tokens as the provider counted them. `input` is the whole, of which the cached parts are shares. */
export const TokenUsage = z.object({
  input: tokens,
  cacheRead: tokens,
  cacheWrite: tokens,
  output: tokens,
  /** The share of `output` that was thinking. */
  reasoning: tokens,
})
export type TokenUsage = z.infer<typeof TokenUsage>

export const ModelCall = z.object({
  role: ModelRole,
  /** Where in the run: `quick/group-1/review`, `quick/group-1/follow-up`, `explore/iter-2`. */
  address: z.string(),
  /** `provider/model`. */
  model: z.string(),
  usage: TokenUsage,
  /** US dollars; null when the price is not known, which is not the same as nothing. */
  usd: z.number().nonnegative().nullable(),
  /** The model of the price table that was taken for it; null when none was. */
  pricedAs: z.string().nullable(),
  durationMs: z.number().nonnegative(),
  /** `record`: answered from the journal, and not paid again. */
  served: z.enum(['live', 'record']),
  outcome: z.enum(['answered', 'refused', 'truncated', 'unusable', 'failed']),
  /** In words, without secrets; set unless it was answered. May quote the provider. */
  reason: z.string().optional(),
})
export type ModelCall = z.infer<typeof ModelCall>

/** The account of a run, the same when the run is replayed: what its answers cost when they were first given. */
export const RunCost = z.object({
  calls: z.number().int().nonnegative(),
  usage: TokenUsage,
  /** The sum of all known prices. */
  usd: z.number().nonnegative(),
  /** Calls to models whose price is not known; their cost is missing from `usd`. */
  unpricedCalls: z.number().int().nonnegative(),
  byRole: z.array(
    z.object({
      role: ModelRole,
      model: z.string(),
      calls: tokens,
      usage: TokenUsage,
      usd: z.number().nullable(),
    }),
  ),
})
export type RunCost = z.infer<typeof RunCost>
