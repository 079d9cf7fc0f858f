/**
 * Candidates in, verdicts out. Each candidate walks the steps in order and is dropped by the first one it fails, with
 * the reason; what is left is merged, limited and put in order. One bad candidate never harms another.
 */
import type { FactStore } from '../../code-index/contract.ts'
import type { Config } from '../../config/schema.ts'
import type { Candidate, Verdict } from '../../domain/finding.ts'
import type { ReviewContext } from '../../domain/review-context.ts'
import type { RepoHistory, RepoSnapshot } from '../../domain/snapshot.ts'
import type { Checker } from './checker/contract.ts'
import { judgeCandidate } from './judge.ts'
import { settleTogether, type TogetherStep, togetherSteps } from './settle.ts'
import { openSources } from './sources.ts'
import type { Bench, ValidationStep } from './step.ts'
import { validationSteps } from './steps.ts'
import { testPathsOf } from './test-paths.ts'
import { wantedBy } from './wanted.ts'

export type ValidationInput = {
  candidates: readonly Candidate[]
  context: ReviewContext
  base: RepoSnapshot
  head: RepoSnapshot
  /** Lets counts from history be counted again; without it they stay unverified. */
  history?: RepoHistory
  facts: FactStore
  config: Config
  /** Knows types; without it claims about them stay unverified. */
  checker?: Checker | null
  /** Names of the planes that ran, in the order of their weight. */
  planes: readonly string[]
}

/** The checks of one candidate, then those of all that stand. */
export type Checks = { each: readonly ValidationStep[]; together: readonly TogetherStep[] }

export const allChecks: Checks = { each: validationSteps, together: togetherSteps }

/**
 * One verdict for every candidate: first those that stand, most important first, then the dropped ones in the order
 * they came. Never throws for a bad candidate.
 */
export async function validateCandidates(input: ValidationInput, checks = allChecks): Promise<Verdict[]> {
  const { candidates, config, planes } = input
  const bench = openBench(input)
  // Only to save round trips: should it fail, the step that needs the text meets the failure itself.
  await bench.sources.preload(wantedBy(candidates, bench.evidence)).catch(() => {})
  const verdicts: Verdict[] = []
  for (const [position, candidate] of candidates.entries())
    verdicts.push(await judgeCandidate(candidate, position, bench, checks.each))
  return settleTogether(verdicts, { config, planes }, checks.together)
}

/** What the steps look things up in, for any number of candidates on one change. */
export function openBench(input: Omit<ValidationInput, 'candidates'>): Bench {
  const { context, base, head, facts, history, config, planes, checker } = input
  return {
    context,
    planes,
    checker: checker ?? null,
    sources: openSources({ change: context.change, base, head, facts, history: history ?? null }),
    evidence: new Map(context.evidence.map((item) => [item.id, item])),
    isTest: testPathsOf(context.change, config.paths.tests),
    unread: new Set(context.request.unread.map(({ path }) => path)),
  }
}
