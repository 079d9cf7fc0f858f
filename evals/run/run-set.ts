/** Runs an evaluation: fetches the repository of each case, has it reviewed, keeps the review; several at a time, and never one twice. */
import { UserError } from '../../src/index.ts'
import { messageOf } from '../base/errors.ts'
import { count } from '../base/text.ts'
import type { EvalCase } from '../cases/eval-case.ts'
import { readChangedLines } from '../repositories/changed-lines.ts'
import { type FetchRepository, fetchRepository } from '../repositories/fetch-repository.ts'
import { type EvaluationBudget, openEvaluationBudget } from './budget.ts'
import { type CaseProgress, eachCase } from './each-case.ts'
import type { RecordedReview } from './recorded-review.ts'
import type { Reviewer } from './reviewer.ts'
import type { RunFolder } from './run-folder.ts'

export type RunSetOptions = {
  run: RunFolder
  reviewer: Reviewer
  mirrors: string | null
  /** Where the repository of a case comes from; `fetchRepository` when not given. */
  repositoryOf?: FetchRepository
  jobs: number
  /** US dollars for all that is reviewed in this folder; null is without limit. */
  budget: number | null
  signal: AbortSignal
  onCase?: (progress: CaseProgress) => void
}

export type RunSetReport = {
  reviewed: number
  /** Those a killed evaluation had done before. */
  kept: number
  failed: { id: string; reason: string }[]
  /** Cases that were not begun because the money was spent. */
  unpaid: number
  usd: number
}

/** Rejects with the signal's reason after an abort; whatever was reviewed by then is kept. */
export async function runSet(options: RunSetOptions): Promise<RunSetReport> {
  const { run, jobs, budget } = options
  const report: RunSetReport = { reviewed: 0, kept: 0, failed: [], unpaid: 0, usd: 0 }
  const waiting: EvalCase[] = []
  let before = 0
  for (const one of run.cases) {
    const there = run.find(one.id)
    if (there?.review) {
      report.kept++
      before += there.review.run.cost?.usd ?? 0
    } else waiting.push(one)
  }
  const shared = openEvaluationBudget(budget, jobs, before)
  await eachCase(waiting, options, async (one) => {
    const record = await reviewCase(one, options, shared, () => report.reviewed + report.kept > 0)
    if (record === 'unpaid') {
      report.unpaid++
      return 'no money left'
    }
    run.keep(record)
    if (record.failure === null) report.reviewed++
    else report.failed.push({ id: one.id, reason: record.failure })
    return record.failure ?? count(record.review?.findings.length ?? 0, 'finding')
  })
  report.failed.sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
  return { ...report, usd: shared.spent }
}

/** What is wrong with one case for these reasons is wrong with all of them. */
export const fatalCodes: ReadonlySet<string> = new Set(['no-model', 'settings-invalid', 'git-missing'])

/** In words, as long as a record holds them. */
export function failureOf(error: unknown): string {
  return messageOf(error).slice(0, 1000)
}

async function reviewCase(
  one: EvalCase,
  { reviewer, mirrors, repositoryOf = fetchRepository, run, signal }: RunSetOptions,
  shared: EvaluationBudget,
  /** Where others were reviewed, what is wrong with this one is not wrong with all. */
  isUnderWay: () => boolean,
): Promise<RecordedReview | 'unpaid'> {
  const budget = shared.reserve()
  if (budget === 0) {
    shared.settle(budget, 0)
    return 'unpaid'
  }
  let usd = 0
  let changed: RecordedReview['changed'] = []
  try {
    const fetched = await repositoryOf(one, { mirrors, history: run.head.settings.history, signal })
    try {
      const { folder } = fetched
      changed = await readChangedLines(folder, one.base, one.head)
      const review = await reviewer({ folder, base: one.base, head: one.head, budget, signal })
      usd = review.run.cost?.usd ?? 0
      return { case: one.id, review, failure: null, changed }
    } finally {
      await fetched.close()
    }
  } catch (error) {
    if (signal.aborted || (error instanceof UserError && fatalCodes.has(error.code) && !isUnderWay()))
      throw error
    return { case: one.id, review: null, failure: failureOf(error), changed }
  } finally {
    shared.settle(budget, usd)
  }
}
