/**
 * Between validation and conclusion: the independent check of the findings that models reported, what becomes of findings of
 * code that they contest, and what models cost.
 */
import type { Contest, RaisedContest } from '../domain/contest.ts'
import { type EvidenceDraft, openEvidenceBook } from '../domain/evidence.ts'
import type { Citation, Refutation, Verdict } from '../domain/finding.ts'
import type { RunCost } from '../domain/model-call.ts'
import type { ModelReport } from '../domain/model-report.ts'
import type { ReviewContext } from '../domain/review-context.ts'
import { openFence } from '../llm/fence-of-run.ts'
import type { ModelAnswer, ModelParts } from './ask-models.ts'
import type { JudgedBefore } from './incremental/carry-over.ts'
import { provePrompt } from './prove/write-test.ts'
import { type RefutationInput, type RefutationResult, refuteFindings } from './refutation/refute-findings.ts'
import { forJudge, settleContests, weighContests } from './refutation/settle-contests.ts'
import type { StageClock } from './stage-clock.ts'

export type VerificationInput = Omit<RefutationInput, 'gateway' | 'fence' | 'code' | 'known'> & {
  answer: ModelAnswer
  /** Hash of the bundle before models added to it, under which the fence of the run is recorded. */
  frozenHash: string
  /** How many candidates of code are numbered before those of models. */
  ofCode: number
}

export type Verified = Pick<RefutationResult, 'verdicts' | 'context'> & {
  /** Null where the depth asks for no check. */
  refutations: Refutation[] | null
  contests: Contest[]
  check: (Pick<RefutationResult, 'prompts' | 'costs' | 'unfit'> & { cost: RunCost }) | null
}

/** Only at depths standard and deep, and only where a model read the change. */
export async function verifyFindings(
  models: ModelParts | null,
  { answer, frozenHash, ofCode, ...input }: VerificationInput,
  stage: StageClock,
): Promise<Verified> {
  const { depth } = input.config.review
  const isDue = answer.depth !== 'offline' && (depth === 'standard' || depth === 'deep')
  const { known, contests: before, context: numbered } = judgedBefore(answer, ofCode, input.context)
  const weighed = weighContests({
    raised: [...answer.contests, ...before],
    verdicts: input.verdicts,
    context: numbered,
    isSuspicious: (answer.outcome?.report.suspicions.length ?? 0) > 0,
  })
  if (!models || !isDue) {
    const settled = settleContests(weighed, input.verdicts, [])
    return { ...settled, context: numbered, refutations: null, check: null }
  }
  const fence = await openFence(frozenHash, models.journal)
  const result = await stage.run('refute', () =>
    refuteFindings({
      ...input,
      context: numbered,
      known,
      contested: forJudge(weighed),
      code: models.explorer,
      gateway: models.gateway,
      fence,
    }),
  )
  const { context, refutations, prompts, costs, unfit } = result
  const settled = settleContests(weighed, result.verdicts, refutations)
  return { ...settled, context, refutations, check: { prompts, costs, unfit, cost: models.gateway.cost() } }
}

/**
 * What judges said of findings that are carried over, and what was contested, by the numbers that findings and evidence have
 * now.
 */
function judgedBefore(
  { drafts, carried }: ModelAnswer,
  ofCode: number,
  context: ReviewContext,
): { known: Map<string, Refutation>; contests: RaisedContest[]; context: ReviewContext } {
  const book = openEvidenceBook(context.evidence)
  const known = new Map<string, Refutation>()
  const refutations = carried?.refutations ?? []
  const first = ofCode + drafts.length - refutations.length + 1
  for (const [at, judged] of refutations.entries()) {
    if (!judged) continue
    know(`C${first + at}`, judged)
  }
  const contests = (carried?.contests ?? []).map(({ raised, items, judged }) => {
    if (judged) know(raised.finding, judged)
    return { ...raised, citations: numbered(raised.citations, items) }
  })
  return { known, contests, context: { ...context, evidence: [...book.items] } }

  function know(finding: string, { refutation, items }: JudgedBefore): void {
    known.set(finding, { ...refutation, finding, citations: numbered(refutation.citations, items) })
  }

  function numbered(citations: readonly Citation[], items: readonly EvidenceDraft[]): Citation[] {
    return citations.flatMap((citation, index) => {
      const item = items[index]
      return item ? [{ ...citation, evidence: book.add(item) }] : []
    })
  }
}

export type Reported = { report: ModelReport; cost: RunCost }

/**
 * What models were asked, and what each finding cost: its share of the review plus its share of the checks. `ofCode`: how
 * many candidates of code are numbered before those of models. Null when no model was to be asked.
 */
export function reportModels(
  answer: ModelAnswer,
  { verdicts, check }: Verified,
  ofCode: number,
): Reported | null {
  const first = reportReview(answer, verdicts, ofCode)
  if (!first || !check) return first
  const { report } = first
  return {
    cost: check.cost,
    report: {
      ...report,
      prompts: [...report.prompts, ...check.prompts],
      unfit: [...report.unfit, ...check.unfit],
      findingCosts: withFurther(report.findingCosts, check.costs),
    },
  }
}

/** The same with what the tests of findings took, where some were to be written. `cost`: of everything. */
export function withProofs(
  reported: Reported | null,
  proofs: { costs: ReadonlyMap<string, number | null> } | null,
  cost: RunCost | null,
): Reported | null {
  if (!reported || !proofs || proofs.costs.size === 0) return reported
  const { report } = reported
  return {
    cost: cost ?? reported.cost,
    report: {
      ...report,
      prompts: [...report.prompts, provePrompt().id],
      findingCosts: withFurther(report.findingCosts, proofs.costs),
    },
  }
}

/** A finding without further costs keeps its own; of an unknown price, the sum is unknown too. */
function withFurther(
  costs: ModelReport['findingCosts'],
  further: ReadonlyMap<string, number | null>,
): ModelReport['findingCosts'] {
  return costs.map(({ finding, usd }) => {
    const more = further.get(finding)
    return { finding, usd: usd === null || more === null ? null : usd + (more ?? 0) }
  })
}

/** Without the check: the calls of a group are shared evenly among its findings. */
function reportReview(answer: ModelAnswer, verdicts: readonly Verdict[], ofCode: number): Reported | null {
  if (!answer.outcome) return null
  const { report, groupOfDraft, cost } = answer.outcome
  const groupOf = new Map(groupOfDraft.map((group, index) => [`C${ofCode + index + 1}`, group]))
  const kept = verdicts.flatMap(({ finding }) => {
    const group = groupOf.get(finding?.id ?? '')
    return finding && group !== undefined ? [{ id: finding.id, group }] : []
  })
  const findingCosts = kept.map(({ id, group }) => {
    const usd = report.groups[group]?.usd ?? null
    const sharers = kept.filter((other) => other.group === group).length
    return { finding: id, usd: usd === null ? null : usd / sharers }
  })
  const { restsOn } = answer
  return { report: { ...report, findingCosts, ...(restsOn ? { restsOn } : {}) }, cost }
}
