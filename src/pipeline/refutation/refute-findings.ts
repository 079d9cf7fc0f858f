/**
 * The refute stage: a judge tries to refute each finding of a model, with the evidence and at most one look-up for each.
 * Findings share a question where one message holds all that each would be judged by alone. What is severe, or was left open, is
 * judged a second time. Findings of deterministic
 * planes are not asked about, since code found them, unless a reviewer contests them.
 */

import { once } from '../../base/remembered.ts'
import { type EvidenceBook, openEvidenceBook } from '../../domain/evidence.ts'
import {
  type Citation,
  type Finding,
  isHearsay,
  type Refutation,
  type Verdict,
} from '../../domain/finding.ts'
import type { ModelReport } from '../../domain/model-report.ts'
import type { ReviewContext } from '../../domain/review-context.ts'
import { severityRank } from '../../domain/severity.ts'
import type { RoleModel } from '../../llm/contract.ts'
import type { ModelStageInput } from '../stage-input.ts'
import { applyJudgement, joinSame, type Twins } from './apply-judgement.ts'
import { askPacks, type Decision, type PackAnswer } from './ask-packs.ts'
import { gatherDossier } from './dossier.ts'
import { type Case, type Pack, packAlone, packFindings } from './pack-findings.ts'
import { evidenceRoom, refutePrompt } from './question.ts'
import { joinChecks, needsSecondCheck } from './second-check.ts'
import type { CodeQuestions } from './sources.ts'

export type RefutationInput = ModelStageInput & {
  /** Of validation. */
  verdicts: readonly Verdict[]
  /** By finding, what a judge said in a review before this one: it is not asked again. */
  known?: ReadonlyMap<string, Refutation>
  /** By finding of code that is judged because it is contested, what the contest cites. */
  contested?: ReadonlyMap<string, readonly Citation[]>
  /** Null, or not given, where the repository cannot be searched. */
  code?: CodeQuestions | null
}

export type RefutationResult = {
  /** One for each that came in, in the same order; those of code are as they were. What a judge calls one is told once. */
  verdicts: Verdict[]
  /** One for each finding of a model, and for each contested one of code that was judged, in the order of the verdicts. */
  refutations: Refutation[]
  /** The bundle with the lines that judges cited. */
  context: ReviewContext
  /** The prompt files used; empty when no question was asked. */
  prompts: string[]
  /** US dollars for each finding that was asked about: its even share of its questions; null when a price is not known. */
  costs: ReadonlyMap<string, number | null>
  /** What answers say of findings that their question does not have. */
  unfit: ModelReport['unfit']
}

/** Questions asked in parallel. */
const atOnce = 4

/** Never throws for what a model does; rejects with the signal's reason after an abort. */
export async function refuteFindings(input: RefutationInput): Promise<RefutationResult> {
  const { verdicts, context, known = new Map<string, Refutation>(), config, gateway, onEvent } = input
  const { contested = new Map<string, readonly Citation[]>() } = input
  const book = openEvidenceBook(context.evidence)
  const all = verdicts.flatMap(({ finding }) =>
    finding && (isHearsay(finding) || contested.has(finding.id)) ? [finding] : [],
  )
  const model = gateway.modelOf('judge')
  const open = all.filter(({ id }) => !known.has(id))
  const asked = model ? open.sort(byWeight).slice(0, config.review.refutations) : []
  const byFinding = new Map(known)
  const costs = new Map<string, number | null>()
  const unfit: RefutationResult['unfit'] = []
  const twins: Twins[] = []
  for (const finding of open.filter((one) => !asked.includes(one)))
    byFinding.set(finding.id, notAsked(finding, model))
  const take = (judged: Judged, settle: (refutation: Refutation) => Refutation): void => {
    for (const { refutation } of judged.decided) byFinding.set(refutation.finding, settle(refutation))
    addShares(costs, judged)
    unfit.push(...judged.unfit)
    twins.push(...judged.twins)
  }
  if (model && asked.length > 0) {
    const stage = withToolbox({ ...input, model, book })
    const cases = await gatherCases(asked, stage)
    for await (const judged of judgeInWaves(cases, { ...stage, turn: 'first' })) take(judged, (one) => one)
    const again = cases.filter(({ finding }) => needsSecondCheck(finding, byFinding.get(finding.id)))
    for await (const judged of judgeInWaves(again, { ...stage, turn: 'second' }))
      take(judged, (second) => {
        const first = byFinding.get(second.finding)
        return first ? joinChecks(first, second) : second
      })
  }

  const refutations = all.flatMap((finding) => {
    const one = byFinding.get(finding.id)
    return one && (isHearsay(finding) || one.outcome !== 'not-asked') ? [one] : []
  })
  for (const { finding, outcome } of refutations) onEvent({ type: 'refutation', finding, outcome })
  const judged = verdicts.map((verdict) =>
    verdict.finding && isHearsay(verdict.finding)
      ? applyJudgement(verdict, byFinding.get(verdict.finding.id))
      : verdict,
  )
  return {
    verdicts: joinSame(judged, twins),
    refutations,
    context: { ...context, evidence: [...book.items] },
    prompts: asked.length > 0 ? [refutePrompt().id] : [],
    costs,
    unfit,
  }
}

/** What a question cost is shared evenly by its findings; one that is asked about again has a share of both. */
function addShares(costs: Map<string, number | null>, { decisions, usd }: PackAnswer): void {
  for (const { refutation } of decisions) {
    const before = costs.get(refutation.finding) ?? (costs.has(refutation.finding) ? null : 0)
    costs.set(refutation.finding, usd === null || before === null ? null : before + usd / decisions.length)
  }
}

type StageInput = Omit<RefutationInput, 'code'> & {
  model: RoleModel
  book: EvidenceBook
  /** One toolbox for all, so that what several findings need is asked once. */
  code: CodeQuestions | null
}
type Judged = PackAnswer & { decided: Decision[] }

function withToolbox(input: RefutationInput & Pick<StageInput, 'model' | 'book'>): StageInput {
  const { code = null } = input
  return { ...input, code: code && { ...code, openToolbox: once(() => code.openToolbox('refute')) } }
}

async function gatherCases(asked: readonly Finding[], input: StageInput): Promise<Case[]> {
  const cases: Case[] = []
  for (const finding of asked) {
    const room = evidenceRoom(input.model, finding.reader === 'first' || finding.reader === 'second')
    const cited = [...finding.evidence, ...(input.contested?.get(finding.id) ?? [])]
    cases.push({ finding, dossier: await gatherDossier({ ...finding, evidence: cited }, { ...input, room }) })
  }
  return cases
}

/**
 * One wave settles before the next begins. What an answer to several findings leaves open is asked about alone, before the
 * packs that are less severe.
 */
async function* judgeInWaves(
  cases: readonly Case[],
  input: StageInput & { turn: 'first' | 'second' },
): AsyncGenerator<Judged> {
  const { model, code, onEvent } = input
  const toolbox = () => code?.openToolbox() ?? null
  let waiting = packFindings(cases, evidenceRoom(model))
  while (waiting.length > 0) {
    const wave = waiting.slice(0, atOnce)
    const answers = await askPacks(wave, { ...input, toolbox })
    const again: Pack[] = []
    for (const answer of answers) {
      const open = answer.decisions.filter(({ isOpen }) => isOpen && answer.decisions.length > 1)
      again.push(...open.map((one) => packAlone(one.case)))
      yield { ...answer, decided: answer.decisions.filter((one) => !open.includes(one)) }
    }
    waiting = [...again, ...waiting.slice(atOnce)]
    const left = waiting.reduce((sum, { cases: { length } }) => sum + length, 0)
    onEvent({ type: 'stage-progress', stage: 'refute', done: cases.length - left, total: cases.length })
  }
}

/** Most severe first, so that a cap or a budget cuts the least. */
function byWeight(a: Finding, b: Finding): number {
  return (
    Number(a.preExisting) - Number(b.preExisting) ||
    severityRank(claimedSeverity(a)) - severityRank(claimedSeverity(b)) ||
    a.id.length - b.id.length ||
    (a.id < b.id ? -1 : 1)
  )
}

function claimedSeverity({ lowered, severity }: Finding): Finding['severity'] {
  return lowered?.from ?? severity
}

function notAsked({ id }: Finding, model: RoleModel | null): Refutation {
  const reason = model ? 'beyond review.refutations' : 'no model plays the judge'
  return { finding: id, outcome: 'not-asked', reason, citations: [] }
}
