/**
 * What was reviewed: every changed file and every plane, and why anything was left out.
 */
import { z } from 'zod'
import { Unlisted } from './change-set.ts'
import { ReaderName } from './finding.ts'

/** How the limit begins that says that no symbol of the change could be compared: checks that need them saw nothing. */
export const symbolsNotCompared = 'the symbols of the changed files were not compared'

/** Why a file is left out that the review was not asked about. */
export const notNamed = 'not among the paths that were named'

export const CoverageState = z.enum(['reviewed', 'partly', 'not-reviewed', 'excluded'])
export type CoverageState = z.infer<typeof CoverageState>

export const FileCoverage = z.object({
  path: z.string(),
  state: CoverageState,
  /** Always set unless `reviewed`. `excluded` is by rule (generated, vendored, lock, binary), not by failure. */
  reason: z.string().nullable(),
  /** Excluded, and not so before the change: `--require-complete` counts it. */
  newlyExcluded: z.literal(true).optional(),
})
export type FileCoverage = z.infer<typeof FileCoverage>

export const PlaneCoverage = z.object({
  plane: z.string(),
  /** `skipped`: the configuration switches it off. `left-out`: an option of this run does, so that something is missing. */
  state: z.enum(['ran', 'partly', 'failed', 'skipped', 'left-out']),
  reason: z.string().nullable(),
  candidates: z.number().int().nonnegative(),
  /** A model looked, beside or instead of the code of the same name. */
  byModel: z.boolean().optional(),
  /** How far each of two readers came; absent where there was one. */
  readers: z
    .array(
      z.object({
        reader: ReaderName,
        state: z.enum(['ran', 'partly', 'failed']),
        reason: z.string().nullable(),
      }),
    )
    .optional(),
})
export type PlaneCoverage = z.infer<typeof PlaneCoverage>

/** How far a review came that the watchdog ended; what it reports comes from the checks that had finished before. */
export const StoppedReview = z.object({
  /** The stage that was running. */
  stage: z.string(),
  /** The limit that was exceeded, as a clause: `it needed more than 4096 MB of memory`. */
  reason: z.string(),
  /** The planes that had finished. */
  finished: z.array(z.string()),
})
export type StoppedReview = z.infer<typeof StoppedReview>

/** Files about which no model was asked this time, since an earlier review of the same change read them as they are. */
export const ReadEarlier = z.object({
  /** The commit, or the tree, that was reviewed then. */
  head: z.string(),
  /** In path order. */
  files: z.array(z.string()).min(1),
})
export type ReadEarlier = z.infer<typeof ReadEarlier>

export const Coverage = z.object({
  files: z.array(FileCoverage),
  /** Changed files that were not reviewed and are too many to be named; absent when there are none. */
  unlisted: Unlisted.extend({ reason: z.string() }).optional(),
  planes: z.array(PlaneCoverage),
  /** Whatever else was cut or missing: a shallow history, a time budget, an absent object. */
  limits: z.array(z.string()),
  /** Absent unless the watchdog ended the review. */
  stopped: StoppedReview.optional(),
  /** Absent when models were asked about every file. */
  earlier: ReadEarlier.optional(),
  /**
   * False as soon as one file or plane is not fully done for a reason other than a rule. Limits about context around the
   * change are notes: they leave it true.
   */
  complete: z.boolean(),
})
export type Coverage = z.infer<typeof Coverage>
