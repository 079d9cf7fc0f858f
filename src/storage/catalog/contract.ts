/**
 * The catalog of runs: a row for each run that lists, filters and trends are answered from, beside the store that keeps the
 * runs themselves. All of it can be computed again from the runs, so a catalog that is lost is only rebuilt.
 */
import { z } from 'zod'
import { Conclusion, Depth } from '../../domain/review.ts'

const count = z.number().int().nonnegative()

export const RunRow = z.object({
  /** `20261121-061502-3fa94c`. */
  run: z.string(),
  /** `2026-11-21T06:15:02.103Z`. */
  startedAt: z.string(),
  /** `question`: it answers a question about a review. `proof`: it looked for a test that shows a finding of a review. */
  kind: z.enum(['review', 'question', 'proof']),
  /** A review from the record of another one, with another model: no push of its change. */
  isReplay: z.boolean().optional(),
  /** `github.com/owner/repo`, or the name of a local repository. */
  repository: z.string(),
  /** Number of the change request; null for a local change. */
  change: count.nullable(),
  /** Where the change request is on its host; null for a local change. */
  url: z.string().nullable(),
  /** `branch feature against main`. */
  label: z.string(),
  /** What its author called the change; empty until the run has finished. Foreign. */
  title: z.string(),
  /** `host/owner/repo/number` or `local/name/head`. */
  place: z.string(),
  depth: Depth,
  state: z.enum(['finished', 'running', 'killed']),
  /** Null until the run has finished. */
  word: Conclusion.nullable(),
  headline: z.string().nullable(),
  /** Nothing that was to be reviewed was left out; null until the run has finished. */
  complete: z.boolean().nullable(),
  findings: z.object({ critical: count, high: count, medium: count, low: count }),
  /** What planes and models reported, before validation. */
  candidates: count,
  /** Calls of models, embedders and rerankers. */
  calls: count,
  /** Of these, how many were answered from the record of an earlier run. */
  cachedCalls: count,
  tokens: z.object({ input: count, cacheRead: count, output: count }),
  /** US dollars at the prices that were known. */
  usd: z.number().nonnegative(),
  unpricedCalls: count,
  durationMs: z.number().nonnegative(),
  /** What is wrong with its record, in words; null when nothing is. */
  damage: z.string().nullable(),
})
export type RunRow = z.infer<typeof RunRow>

export function isReviewOfPush({ kind, isReplay }: Pick<RunRow, 'kind' | 'isReplay'>): boolean {
  return kind === 'review' && !isReplay
}

/** Filters that are absent let everything through; those that are there must all fit. */
export const RunFilter = z.object({
  repository: z.string().max(300).optional(),
  change: z.coerce.number().int().nonnegative().optional(),
  state: RunRow.shape.state.optional(),
  word: Conclusion.optional(),
  depth: Depth.optional(),
  kind: RunRow.shape.kind.optional(),
  /** Words that the title, the label, the repository or the name of the run contains, whatever the case. */
  text: z.string().max(200).optional(),
  /** `2026-11-21` or a time; from inclusive, to exclusive. */
  from: z.string().max(30).optional(),
  to: z.string().max(30).optional(),
})
export type RunFilter = z.infer<typeof RunFilter>

/** Repositories that an answer is kept to; null or absent: all. It comes from what the caller may see, never from a query. */
export type Within = { among?: readonly string[] | null | undefined }

/** What a catalogued run adds to trends: amounts by day, under a kind and a name. */
export type Amount = {
  kind: AmountKind
  name: string
  /** A severity's rank, or the bucket of a duration; 0 for sums. */
  bucket: number
  amount: number
}

/**
 * `sum`: runs, calls, tokens, dollars; `severity`, `plane`, `rule`, `repository`: findings by the rank of their severity;
 * `stage`: durations in buckets, `run` for the whole.
 */
export type AmountKind = 'sum' | 'severity' | 'plane' | 'rule' | 'repository' | 'stage'

/** `graph`: what its review says of who and what belongs together; absent where it has none. */
export type CataloguedRun = { row: RunRow; amounts: readonly Amount[]; graph?: GraphPart }

export type GraphNode = {
  kind: 'change' | 'commit' | 'person' | 'file' | 'symbol' | 'ticket' | 'finding' | 'error'
  /** `#12`, a login, a path, a qualified name, `github:owner/repo#3`, a fingerprint, `sentry:API-1`. */
  key: string
  /** Title of a change, a ticket, a finding or an error, day and subject of a commit; the key of all else. */
  label: string
}

type NodeName = Pick<GraphNode, 'kind' | 'key'>
export type GraphEdge = {
  from: NodeName
  relation: 'by' | 'discussed-by' | 'changes' | 'answers' | 'has' | 'in' | 'knew' | 'overlaps'
  to: NodeName
}
export type GraphPart = { nodes: readonly GraphNode[]; edges: readonly GraphEdge[] }

/** A change of which a review, or the review of another change, told. */
export type RelatedReview = {
  change: string
  title: string
  /** Start of the newest run that tells of it. */
  reviewedAt: string
  by: string | null
  discussedBy: string[]
  files: string[]
  /** Symbols that it adds, removes or changes. */
  symbols: string[]
  tickets: string[]
  /** Titles. */
  findings: string[]
  /** Change requests that were open beside it and change the same files. */
  overlaps: string[]
  /** Errors in production that a later review saw in the same symbols or files, and that were not known when it was reviewed. */
  errorsAfter: string[]
}

/** A commit that was there before a reviewed change of the same files. */
export type EarlierCommit = {
  commit: string
  /** `2026-11-21 Subject` */
  title: string
  by: string | null
  tickets: string[]
}

/** Of one tenant. Rejects only when its database cannot be used. */
export interface TeamGraph {
  /** Changes of these files, or with findings about these symbols, the newest first. */
  reviewsOf(
    repository: string,
    asked: { paths: readonly string[]; symbols?: readonly string[]; limit: number },
  ): Promise<RelatedReview[]>
  /** Who was in these files last, and what for: commits as reviews saw them, the newest first. */
  commitsOf(repository: string, asked: { paths: readonly string[]; limit: number }): Promise<EarlierCommit[]>
}

export type DayAmount = Amount & { day: string }

/** How many findings that were first reported on a day came to an outcome. */
export type OutcomeAmount = { day: string; by: string; name: string; outcome: string; amount: number }

export type TrendRange = {
  /** `2026-11-21`; from inclusive, to exclusive. */
  from: string
  to: string
  /** Undefined: all. */
  repository?: string | undefined
} & Within

/** Of one tenant. Rejects only when its database cannot be used. */
export interface Catalog {
  /** Adds runs, or replaces their rows. Amounts of a run count once, when it is first put without being `running`. */
  put(runs: readonly CataloguedRun[]): Promise<void>
  /** Removes the rows of runs that the store no longer has; their amounts stay. */
  remove(runs: readonly string[]): Promise<void>
  get(run: string): Promise<RunRow | null>
  /** Newest first, those that are older than `before`. */
  list(filter: RunFilter & Within, page: { before: string | null; limit: number }): Promise<RunRow[]>
  /**
   * One for each change request of which a review fits, and each fitting run about something else; the newest review that
   * there is has to fit. `about`: all runs about it, the newest first.
   */
  changes(
    filter: RunFilter & Within,
    page: { before: string | null; limit: number },
  ): Promise<{ newest: RunRow; about: RunRow[] }[]>
  /** All names, newest first; of those whose row can still change only when `unfinished`. */
  names(only?: 'unfinished'): Promise<string[]>
  /** By name. */
  /** `runs`: reviews; replays, questions and proofs are none. */
  repositories(): Promise<{ name: string; runs: number; lastRunAt: string }[]>
  /** Summed over the range: durations and findings as a whole, all else for each day. */
  trends(range: TrendRange): Promise<{ days: DayAmount[]; whole: Amount[] }>
  /** Replaces what was known of a repository. */
  putOutcomes(repository: string, outcomes: readonly OutcomeAmount[]): Promise<void>
  outcomes(range: TrendRange): Promise<Omit<OutcomeAmount, 'day'>[]>
}
