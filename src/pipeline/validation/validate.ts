/**
 * Candidates in, verdicts out. Each candidate walks the steps in order and is dropped by the first one it fails, with
 * the reason; what is left is merged, limited and put in order. One bad candidate never harms another.
 */
import { visibleLine } from '../../base/visible-text.ts'
import type { FactStore } from '../../code-index/contract.ts'
import type { Config } from '../../config/schema.ts'
import type { Candidate, Finding, Verdict, VerdictStep } from '../../domain/finding.ts'
import type { ReviewContext } from '../../domain/review-context.ts'
import type { RepoHistory, RepoSnapshot } from '../../domain/snapshot.ts'
import { anchorCandidate } from './anchor/anchor-candidate.ts'
import { checkClaims } from './claims/check-claims.ts'
import { checkEvidence, type EvidenceTable } from './evidence.ts'
import { makeFinding } from './make-finding.ts'
import { presentable } from './presentable.ts'
import { settleTogether } from './settle.ts'
import { checkShape } from './shape.ts'
import { openSources, type Sources } from './sources.ts'
import { isDropped, type StepNotes } from './step.ts'
import { checkSuggestion } from './suggestion/check-suggestion.ts'
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
  /** Names of the planes that ran, in the order of their weight. */
  planes: readonly string[]
}

type Bench = {
  input: ValidationInput
  sources: Sources
  evidence: EvidenceTable
  isTest: (path: string) => boolean
  unread: ReadonlySet<string>
}

/**
 * One verdict for every candidate: first those that stand, most important first, then the dropped ones in the order
 * they came. Never throws for a bad candidate.
 */
export async function validateCandidates(input: ValidationInput): Promise<Verdict[]> {
  const { candidates, context, base, head, facts, history, config, planes } = input
  const sources = openSources({ change: context.change, base, head, facts, history: history ?? null })
  const evidence = new Map(context.evidence.map((item) => [item.id, item]))
  // Only to save round trips: should it fail, the step that needs the text meets the failure itself.
  await sources.preload(wantedBy(candidates, evidence)).catch(() => {})
  const bench: Bench = {
    input,
    sources,
    evidence,
    isTest: testPathsOf(context.change, config.paths.tests),
    unread: new Set(context.request.unread.map(({ path }) => path)),
  }
  const verdicts: Verdict[] = []
  for (const [position, candidate] of candidates.entries())
    verdicts.push(await judge(presentable(candidate, position), candidate, bench))
  return settleTogether(verdicts, { config, planes })
}

/** Steps 1 to 5, each on what the one before let through. */
async function judge(shown: Candidate, candidate: unknown, bench: Bench): Promise<Verdict> {
  const { input, sources, evidence } = bench
  const { change } = input.context
  let step: VerdictStep = 'shape'
  const dropped = (reason: string): Verdict => ({
    candidate: shown,
    outcome: 'dropped',
    step,
    reason,
    finding: null,
  })
  try {
    const shaped = checkShape(candidate, { planes: input.planes, change })
    if (isDropped(shaped)) return dropped(shaped.dropped)

    step = 'refutation'
    if (shaped.withdrawn !== undefined)
      return dropped(`Its author took it back: ${visibleLine(shaped.withdrawn).slice(0, 500)}`)

    step = 'anchor'
    const anchored = anchorCandidate(shaped, change)
    if (isDropped(anchored)) return dropped(anchored.dropped)
    const { place } = anchored

    step = 'evidence'
    const evident = await checkEvidence(shaped, place, evidence, sources)
    if (isDropped(evident)) return dropped(evident.dropped)

    step = 'claims'
    const claimBench = {
      sources,
      symbols: input.context.symbols,
      place,
      isTest: bench.isTest,
      unread: bench.unread,
    }
    const proven = await checkClaims(shaped, evidence, claimBench)
    if (isDropped(proven)) return dropped(proven.dropped)

    step = 'suggestion'
    const offered = await checkSuggestion(proven.candidate, place, sources)

    const passed = { anchor: anchored, evidence: evident, claims: proven, suggestion: offered }
    const facts = await sources.facts(place.side, place.file.path)
    return standing(shown, makeFinding(offered.candidate, place, Object.values(passed), facts), passed)
  } catch (error) {
    return dropped(`The check itself failed: ${error instanceof Error ? error.message : String(error)}`)
  }
}

type Passed = Partial<Record<VerdictStep, StepNotes>>

/** Kept when every step let it through whole; demoted when one took something away, and then what. */
function standing(candidate: Candidate, finding: Finding, passed: Passed): Verdict {
  const losses = (Object.keys(passed) as VerdictStep[]).flatMap((step) =>
    (passed[step]?.demotions ?? []).map((reason) => ({ step, reason })),
  )
  const [first] = losses
  return first
    ? {
        candidate,
        outcome: 'demoted',
        step: first.step,
        reason: losses.map(({ reason }) => reason).join('; '),
        finding,
      }
    : { candidate, outcome: 'kept', step: 'kept', reason: finding.verifiedBy.join('; '), finding }
}
