/** The result: what was found, what was looked at, and what follows from it. */
import { z } from 'zod'
import { Side } from './change-set.ts'
import { Contest } from './contest.ts'
import { Coverage } from './coverage.ts'
import { Evidence } from './evidence.ts'
import { Finding, Refutation, Verdict } from './finding.ts'
import { MemoryUse } from './memory.ts'
import { RunCost } from './model-call.ts'
import { isUnread, ModelReport } from './model-report.ts'
import { depths } from './names.ts'
import { Reproduction } from './reproduction.ts'
import { ReviewRequest } from './review-request.ts'
import { Confidence, Severity } from './severity.ts'
import { CriterionCheck } from './ticket.ts'

export const Depth = z.enum(depths)
export type Depth = z.infer<typeof Depth>

/**
 * What a review comes to. `APPROVE` is only for a change that a model has read as well; without one it is `CHECKS_ONLY`,
 * however little was found. `INCOMPLETE`: part of it was not reviewed, and what was has nothing above low.
 */
export const Conclusion = z.enum([
  'REQUEST_CHANGES',
  'NEEDS_DISCUSSION',
  'APPROVE',
  'CHECKS_ONLY',
  'INCOMPLETE',
  'NOTHING_REVIEWED',
])
export type Conclusion = z.infer<typeof Conclusion>

/** A finding that a filter keeps out of sight. It counts like any other; its whole text is among the verdicts. */
export const HiddenFinding = z.object({
  id: z.string(),
  severity: Severity,
  preExisting: z.boolean(),
  /** The filter as it was given: `--min-severity critical`. */
  by: z.string(),
})
export type HiddenFinding = z.infer<typeof HiddenFinding>

/** A finding that was dismissed before, or that a comment beside the code asks to ignore. It does not count. */
export const DismissedFinding = z.object({
  finding: Finding,
  /** Its name in the ledger; null where a comment or a wider dismissal met it before it was ever reported. */
  ledger: z.string().nullable(),
  /** `here`, `file`, `rule`: how far the dismissal reaches; `comment`: beside the code; `team-file` and `memory`: of the base. */
  how: z.enum(['here', 'file', 'rule', 'comment', 'team-file', 'memory']),
  /** Foreign, like the reason. */
  by: z.string(),
  because: z.string(),
})
export type DismissedFinding = z.infer<typeof DismissedFinding>

export const FileSummary = z.object({
  path: z.string(),
  status: z.string(),
  added: z.number().int().nonnegative(),
  removed: z.number().int().nonnegative(),
  /** One line on what changed, from the syntactic diff: `parse() gained a parameter; 2 functions added`. */
  summary: z.string(),
})

/** What one plane says as a whole, counted from its findings that code confirmed, never from a model's word. */
export const PlaneSignal = z.object({
  plane: z.string(),
  /** The worst of its findings; null when it has none. */
  severity: Severity.nullable(),
  findings: z.number().int().nonnegative(),
  /** The surest of those of that severity; null when it has none. */
  confidence: Confidence.nullable(),
})
export type PlaneSignal = z.infer<typeof PlaneSignal>

/** Two findings of different planes that contradict each other, and how the evidence decided. */
export const Conflict = z.object({
  /** Ids of findings; the first one's word holds. */
  upheld: z.string(),
  yielded: z.string(),
  /** What they differ in: the severity, or the suggested fix. */
  about: z.enum(['severity', 'suggestion']),
  reason: z.string(),
})
export type Conflict = z.infer<typeof Conflict>

/** One sentence of a model on what the change does, with lines of the diff that show it; code checked that they exist. */
export const WalkthroughStep = z.object({
  text: z.string(),
  places: z.array(z.object({ path: z.string(), side: Side, line: z.number().int().positive() })).min(1),
})
export type WalkthroughStep = z.infer<typeof WalkthroughStep>

/** What a reviewing model asks the author, because the answer is outside the repository. Never counted as a finding. */
export const AuthorQuestion = z.object({
  plane: z.string(),
  text: z.string(),
  /** The lines that raise it; null when it is about the change as a whole. */
  path: z.string().nullable(),
  line: z.number().int().positive().nullable(),
})
export type AuthorQuestion = z.infer<typeof AuthorQuestion>

export const Review = z.object({
  schemaVersion: z.literal(1),
  tool: z.object({ name: z.literal('sightline'), version: z.string() }),
  depth: Depth,
  request: ReviewRequest,
  /** Hash of the bundle the review rests on. */
  context: z.string(),
  summary: z.string(),
  keyChanges: z.array(z.string()),
  /** Takes the place of the key changes in what people read; absent where no model wrote one that holds. */
  walkthrough: z.array(WalkthroughStep).optional(),
  files: z.array(FileSummary),
  /** Those that are shown, most important first. */
  findings: z.array(Finding),
  /** Absent when no filter hides any. */
  hidden: z.array(HiddenFinding).optional(),
  /** Absent when there are none. */
  dismissed: z.array(DismissedFinding).optional(),
  evidence: z.array(Evidence),
  verdicts: z.array(Verdict),
  coverage: Coverage,
  conclusion: z.object({
    word: Conclusion,
    /** The first line of every report: what was found and who looked, in words of ours alone. */
    headline: z.string(),
    /** What belongs right below it: findings that are hidden, models that could not be asked. May quote a provider. */
    notices: z.array(z.string()),
  }),
  /**
   * 1 to 5 by the written rule in docs/reading-a-review.md, with the reasons. Null where no model read the change: what
   * code can check is no measure of the whole.
   */
  confidence: z.object({ score: z.number().int().min(1).max(5).nullable(), reasons: z.array(z.string()) }),
  /** What this run cost and when it ran. The only part that differs between two runs on the same input. */
  run: z.object({
    startedAt: z.string(),
    durationMs: z.number().nonnegative(),
    stagesMs: z.record(z.string(), z.number()),
    repository: z.string(),
    /** Of the run on record, the same in logs and exported spans; absent when the run was not kept. */
    trace: z.object({ run: z.string(), traceId: z.string(), spanId: z.string() }).optional(),
    /** Absent when no model was to be asked. */
    cost: RunCost.optional(),
  }),
  /** Absent when no model was to be asked. */
  models: ModelReport.optional(),
  /** One for each plane that ran, in their order. */
  signals: z.array(PlaneSignal).optional(),
  conflicts: z.array(Conflict).optional(),
  refutations: z.array(Refutation).optional(),
  /** What reviewing models contested of what checks found; absent when nothing was. */
  contests: z.array(Contest).optional(),
  /** Findings that a test was to show, with what came of it; absent where none was tried. */
  reproductions: z.array(Reproduction).optional(),
  /** Every acceptance criterion of the tickets that the change points to; absent without a ticket. */
  criteria: z.array(CriterionCheck).optional(),
  /** Files of the base that told the reviewing models about the repository, such as `AGENTS.md`; absent when none did. */
  instructions: z.array(z.string()).optional(),
  questions: z.array(AuthorQuestion).optional(),
  /** Notes of the team that had a part in this review; absent when none had. */
  memory: z.array(MemoryUse).optional(),
})
export type Review = z.infer<typeof Review>

/** `files`: some were not read, or the change adds some that a rule leaves out. */
export const Shortfall = z.enum(['limits', 'budget', 'model-unavailable', 'files'])
export type Shortfall = z.infer<typeof Shortfall>

/**
 * Why a review is not whole, null when it is: for exit codes, gates and the states of jobs. What a rule leaves out is no gap,
 * unless the change itself adds it: whoever names a new file `i.min.js` decides nothing about who reads it.
 */
export function shortfallOf({ coverage, models }: Pick<Review, 'coverage' | 'models'>): Shortfall | null {
  const groups = models?.groups ?? []
  if (groups.some(({ outcome }) => outcome === 'over-budget')) return 'budget'
  if (coverage.stopped) return 'limits'
  if (groups.some(isUnread)) return 'model-unavailable'
  return coverage.complete && !coverage.files.some(({ newlyExcluded }) => newlyExcluded) ? null : 'files'
}

/** All of the change was reviewed, nothing was found or hidden, and there is no notice: a quiet command leaves the first line out. */
export function isPlainPass({ conclusion, findings }: Pick<Review, 'conclusion' | 'findings'>): boolean {
  const { word, notices } = conclusion
  return findings.length === 0 && notices.length === 0 && (word === 'APPROVE' || word === 'CHECKS_ONLY')
}
