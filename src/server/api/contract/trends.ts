/** How reviews do over time: by day and group, never by person. */
import { z } from 'zod'

const count = z.number().int().nonnegative()
const share = z.number().min(0).max(1)

export const TrendsQuery = z.object({
  /** `2026-11-21`; from inclusive, to exclusive. Default: the last 30 days. */
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
  repository: z.string().max(300).optional(),
})
export type TrendsQuery = z.infer<typeof TrendsQuery>

const severities = z.object({ critical: count, high: count, medium: count, low: count })

export const TrendDay = z.object({
  day: z.iso.date(),
  runs: count,
  findings: severities,
  usd: z.number(),
  tokens: z.object({ input: count, cacheRead: count, output: count }),
  calls: count,
  cachedCalls: count,
  /** Of whole runs; null on a day without any. Within 5 % of the true value. */
  p50Ms: z.number().nullable(),
  p95Ms: z.number().nullable(),
})
export type TrendDay = z.infer<typeof TrendDay>

export const Tally = z.object({ right: count, wrong: count, unimportant: count, undecided: count })

export const Trends = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  /** Every day of the range, also those without runs. */
  days: z.array(TrendDay),
  /** Over the whole range, in the order of the stages. */
  stages: z.array(z.object({ stage: z.string(), runs: count, p50Ms: z.number(), p95Ms: z.number() })),
  /** Findings over the whole range, most first. */
  findings: z.array(
    z.object({ by: z.enum(['plane', 'rule', 'repository']), name: z.string(), ...severities.shape }),
  ),
  /** What became of findings that were first reported in the range. */
  outcomes: z.array(
    z.object({
      by: z.enum(['all', 'plane', 'rule', 'repository', 'model']),
      name: z.string(),
      tally: Tally,
      /** Of the decided ones, how many were right, with the 95 % interval; null when none was decided. */
      precision: z.object({ share, low: share, high: share }).nullable(),
      /** Fixed or accepted, of all; and dismissed as wrong or unimportant, of all. Null without findings. */
      addressed: share.nullable(),
      dismissed: share.nullable(),
    }),
  ),
  totals: TrendDay.pick({ runs: true, usd: true, tokens: true, calls: true, cachedCalls: true }),
})
export type Trends = z.infer<typeof Trends>
