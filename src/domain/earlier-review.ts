/** What is kept of a review for the next one of the same change, which then asks models only about what is new. */
import { z } from 'zod'
import { Contest } from './contest.ts'
import { Evidence } from './evidence.ts'
import { Refutation, Verdict } from './finding.ts'

/** What the answers of models rest on. */
export const RestsOn = z.object({
  /** Hash of the bundle before checks and models added to it. */
  bundle: z.string(),
  /** Names all that every question depends on: base, configuration, prompts, models, tickets. */
  basis: z.string(),
  /** By path, for each file that models read whole: names the file and what it depends on in the rest of the change. */
  files: z.record(z.string(), z.string()),
})
export type RestsOn = z.infer<typeof RestsOn>

export const EarlierReview = z.object({
  /** The commit that was reviewed, or the tree of what was never committed. */
  head: z.string(),
  /** It took over part of its findings from the review before it. */
  isPartial: z.boolean(),
  restsOn: RestsOn,
  /** In the order of their candidates: all findings of code, and those of models unless a check dropped them. */
  verdicts: z.array(Verdict),
  evidence: z.array(Evidence),
  refutations: z.array(Refutation),
  contests: z.array(Contest).default([]),
})
export type EarlierReview = z.infer<typeof EarlierReview>
