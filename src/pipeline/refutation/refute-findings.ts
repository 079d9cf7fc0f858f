/**
 * The refute stage: a judge tries to refute each finding of a model, one finding in one question, with the evidence and
 * no tools. Findings of deterministic planes are not asked about: code found them.
 */

import type { Fence } from '../../base/untrusted/untrusted.ts'
import type { FactStore } from '../../code-index/contract.ts'
import type { Config } from '../../config/schema.ts'
import type { EventListener } from '../../domain/events.ts'
import { openEvidenceBook } from '../../domain/evidence.ts'
import type { Finding, FindingVerdict, Refutation, Verdict } from '../../domain/finding.ts'
import { isConfirmedByCode, upheldWords } from '../../domain/proof.ts'
import type { ReviewContext } from '../../domain/review-context.ts'
import { isAtLeast, severityRank } from '../../domain/severity.ts'
import type { RepoSnapshot } from '../../domain/snapshot.ts'

import type { Gateway, Question, Reply, RoleModel } from '../../llm/contract.ts'
import { type Dossier, gatherDossier, type JudgeAnswer, refutePrompt, refuteQuestion } from './question.ts'
import { readJudgement } from './read-judgement.ts'

export type RefutationInput = {
  /** Of validation. */
  verdicts: readonly Verdict[]
  /** With the evidence that findings cite. */
  context: ReviewContext
  base: RepoSnapshot
  head: RepoSnapshot
  facts: FactStore
  config: Config
  gateway: Gateway
  fence: Fence
  onEvent: EventListener
  signal: AbortSignal
}

export type RefutationResult = {
  /** One for each that came in, in the same order. */
  verdicts: Verdict[]
  /** One for each finding of a model, in the order of the verdicts. */
  refutations: Refutation[]
  /** The bundle with the lines that judges cited. */
  context: ReviewContext
  /** The prompt files used; empty when no question was asked. */
  prompts: string[]
  /** US dollars for each finding that was asked about; null when a price is not known. */
  costs: ReadonlyMap<string, number | null>
}

/** Questions asked in parallel. */
const atOnce = 4

/** Never throws for what a model does; rejects with the signal's reason after an abort. */
export async function refuteFindings(input: RefutationInput): Promise<RefutationResult> {
  const { verdicts, context, config, gateway, onEvent } = input
  const book = openEvidenceBook(context.evidence)
  const all = verdicts.flatMap(({ finding }) => (finding?.byModel ? [finding] : []))
  const model = gateway.modelOf('judge')
  const asked = model ? [...all].sort(byWeight).slice(0, config.review.refutations) : []
  const byFinding = new Map<string, Refutation>()
  const costs = new Map<string, number | null>()
  for (const finding of all.filter((one) => !asked.includes(one)))
    byFinding.set(finding.id, notAsked(finding, model))

  // One wave settles before the next begins, and evidence is numbered in the order of the questions, never of answers.
  for (let from = 0; model && from < asked.length; from += atOnce) {
    const dossiers: Dossier[] = []
    for (const finding of asked.slice(from, from + atOnce))
      dossiers.push(await gatherDossier(finding, { ...input, book }))
    const replies = await askEachOnce(
      gateway,
      dossiers.map((dossier) => refuteQuestion(dossier, { ...input, model })),
    )
    for (const [index, dossier] of dossiers.entries()) {
      const reply = replies[index]
      if (!reply) continue
      byFinding.set(
        dossier.finding.id,
        reply.outcome === 'answered'
          ? readJudgement(reply.value, dossier, book)
          : unanswered(dossier.finding, reply),
      )
      costs.set(dossier.finding.id, reply.isShared ? 0 : costOf(reply))
    }
    onEvent({ type: 'stage-progress', stage: 'refute', done: from + dossiers.length, total: asked.length })
  }

  const refutations = all.flatMap(({ id }) => byFinding.get(id) ?? [])
  for (const { finding, outcome } of refutations) onEvent({ type: 'refutation', finding, outcome })
  return {
    verdicts: verdicts.map((verdict) => afterwards(verdict, byFinding)),
    refutations,
    context: { ...context, evidence: [...book.items] },
    prompts: asked.length > 0 ? [refutePrompt().id] : [],
    costs,
  }
}

/** The same question for several categories is asked and paid once, and its answer applies to all. */
async function askEachOnce(
  gateway: Gateway,
  questions: readonly Question<JudgeAnswer>[],
): Promise<(Reply<JudgeAnswer> & { isShared: boolean })[]> {
  const firstOf = questions.map(({ turns }) => {
    const words = JSON.stringify(turns)
    return questions.findIndex((other) => JSON.stringify(other.turns) === words)
  })
  const replies = await gateway.askAll(questions.filter((_, index) => firstOf[index] === index))
  const firsts = questions.flatMap((_, index) => (firstOf[index] === index ? [index] : []))
  return firstOf.flatMap((first, index) => {
    const reply = replies[firsts.indexOf(first)]
    return reply ? [{ ...reply, isShared: first !== index }] : []
  })
}

/** Most severe first, so that a cap or a budget cuts the least. */
function byWeight(a: Finding, b: Finding): number {
  return (
    Number(a.preExisting) - Number(b.preExisting) ||
    severityRank(a.severity) - severityRank(b.severity) ||
    a.id.length - b.id.length ||
    (a.id < b.id ? -1 : 1)
  )
}

function notAsked({ id }: Finding, model: RoleModel | null): Refutation {
  const reason = model ? 'beyond review.refutations' : 'no model plays the judge'
  return { finding: id, outcome: 'not-asked', reason, citations: [] }
}

/** A model that was not reached was not asked; one that did not answer properly has decided nothing. */
function unanswered(
  { id }: Finding,
  reply: Exclude<Reply<JudgeAnswer>, { outcome: 'answered' }>,
): Refutation {
  const { outcome, reason } = reply
  const isUnasked = outcome === 'failed' || outcome === 'over-budget'
  return {
    finding: id,
    outcome: isUnasked ? 'not-asked' : 'undecided',
    reason: `${words[outcome]}: ${reason}`.slice(0, 500),
    citations: [],
  }
}

const words = {
  refused: 'the model declined',
  truncated: 'the model ran into its output limit',
  unusable: 'the answer could not be read',
  failed: 'no model was available',
  'over-budget': 'the budget does not allow it',
} as const

function costOf({ calls }: Reply<JudgeAnswer>): number | null {
  return calls.reduce<number | null>((sum, { usd }) => (sum === null || usd === null ? null : sum + usd), 0)
}

function afterwards(verdict: Verdict, byFinding: ReadonlyMap<string, Refutation>): Verdict {
  const { finding } = verdict
  const refutation = finding && byFinding.get(finding.id)
  return finding && refutation ? applyRefutation({ ...verdict, finding }, refutation) : verdict
}

function applyRefutation(verdict: FindingVerdict, { outcome, reason }: Refutation): Verdict {
  switch (outcome) {
    case 'refuted':
      return {
        ...verdict,
        outcome: 'dropped',
        step: 'refutation',
        reason: `An independent check refuted it: ${reason}`,
        finding: null,
      }
    case 'upheld':
      return uphold(verdict)
    case 'undecided':
      return doubt(verdict, reason)
    case 'not-asked':
      return verdict
  }
}

function uphold(verdict: FindingVerdict): FindingVerdict {
  const finding = { ...verdict.finding, verifiedBy: [...verdict.finding.verifiedBy, upheldWords] }
  return verdict.step === 'kept'
    ? { ...verdict, finding, reason: finding.verifiedBy.join('; ') }
    : { ...verdict, finding }
}

/**
 * An undecided finding is kept with confidence `possible` and a severity of at most `medium`. One that code confirmed
 * keeps its severity.
 */
function doubt(verdict: FindingVerdict, reason: string): FindingVerdict {
  const { finding } = verdict
  const isCapped = isAtLeast(finding.severity, 'high') && !isConfirmedByCode(finding)
  const words = [
    `an independent check could not decide it: ${reason}`,
    ...(isCapped ? [`severity capped at medium, from ${finding.severity}`] : []),
  ].join('; ')
  return {
    ...verdict,
    outcome: 'demoted',
    step: verdict.step === 'kept' ? 'refutation' : verdict.step,
    reason: verdict.step === 'kept' ? words : `${verdict.reason}; ${words}`,
    finding: { ...finding, confidence: 'possible', severity: isCapped ? 'medium' : finding.severity },
  }
}
