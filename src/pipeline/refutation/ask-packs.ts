/**
 * Asks judges about one wave of packs: the questions side by side, then the same ones again with their look-ups answered.
 * What comes back is one decision for each finding, or the reason why the answer holds none.
 */
import { askTool } from '../../agent/ask-tool.ts'
import type { Toolbox } from '../../agent/contract.ts'
import type { Fence } from '../../base/untrusted/untrusted.ts'
import type { Evidence, EvidenceBook } from '../../domain/evidence.ts'
import type { Finding, Refutation } from '../../domain/finding.ts'
import { type ModelReport, sumPrices } from '../../domain/model-report.ts'
import type { ReviewContext } from '../../domain/review-context.ts'
import type { Gateway, Question, Reply, RoleModel } from '../../llm/contract.ts'
import type { Twins } from './apply-judgement.ts'
import { type Dossier, numberDossier } from './dossier.ts'
import { callOf } from './look-up.ts'
import type { Case, Pack } from './pack-findings.ts'
import { type Found, type JudgeAnswer, refuteQuestion, secondQuestion } from './question.ts'
import { readJudgement, type Said, sortAnswer } from './read-judgement.ts'

export type WaveParts = {
  gateway: Gateway
  model: RoleModel
  context: Pick<ReviewContext, 'change'>
  book: EvidenceBook
  fence: Fence
  signal: AbortSignal
  /** The second knows nothing of what was said in the first. */
  turn: 'first' | 'second'
  /** For look-ups; null where the repository cannot be searched. */
  toolbox: () => Promise<Toolbox> | null
}

export type Decision = {
  refutation: Refutation
  case: Case
  /** The answer to several holds nothing on this one, and a question about it alone might. */
  isOpen: boolean
}

export type PackAnswer = {
  /** One for each finding of the pack. */
  decisions: Decision[]
  /** What the judge calls one. */
  twins: Twins[]
  /** US dollars of both questions; null when a price is not known. */
  usd: number | null
  unfit: ModelReport['unfit']
}

/** One for each pack. Evidence is numbered in the order of the packs, whoever answers first. */
export async function askPacks(packs: readonly Pack[], parts: WaveParts): Promise<PackAnswer[]> {
  const { book, gateway } = parts
  const asked = packs.map((pack): Asked => {
    const dossier = numberDossier(pack.dossier, book)
    return {
      pack,
      dossier,
      question: refuteQuestion(pack.findings, dossier, { ...parts, files: parts.context.change.files }),
    }
  })
  const replies = await gateway.askAll(asked.map(({ question }) => question))
  const answered = asked.flatMap((one, at): Answered[] => {
    const reply = replies[at]
    return reply ? [{ ...one, reply, ...heard(reply, one.pack.findings.length) }] : []
  })
  const further = await askFurther(answered, parts)
  return answered.map((one) => settle(one, further.get(one) ?? null, parts))
}

type Asked = { pack: Pack; dossier: Dossier; question: Question<JudgeAnswer> }
type Heard = ReturnType<typeof sortAnswer>
type Answered = Asked & Heard & { reply: Reply<JudgeAnswer> }
type LookedUp = Found & { call: string }
type Further = Heard & { reply: Reply<JudgeAnswer>; dossier: Dossier; lookedUp: readonly LookedUp[] }

function heard(reply: Reply<JudgeAnswer>, findings: number): Heard {
  return reply.outcome === 'answered' ? sortAnswer(reply.value, findings) : { said: [], strange: [] }
}

/** The second question of each that asked for a look-up. */
async function askFurther(
  answered: readonly Answered[],
  parts: WaveParts,
): Promise<ReadonlyMap<Answered, Further>> {
  const asked: { one: Answered; dossier: Dossier; lookedUp: LookedUp[]; question: Question<JudgeAnswer> }[] =
    []
  for (const one of answered) {
    const { dossier, question, reply } = one
    const lookedUp = await lookUp(one.said, parts)
    if (reply.outcome !== 'answered' || lookedUp.length === 0) continue
    const found: Evidence[] = lookedUp.flatMap(({ evidence }) => evidence)
    asked.push({
      one,
      lookedUp,
      dossier: { ...dossier, evidence: [...new Set([...dossier.evidence, ...found])] },
      question: secondQuestion(question, reply.text, { found: lookedUp, shown: dossier.shown }, parts.fence),
    })
  }
  const replies = asked.length > 0 ? await parts.gateway.askAll(asked.map(({ question }) => question)) : []
  return new Map(
    asked.flatMap(({ one, dossier, lookedUp }, at) => {
      const reply = replies[at]
      if (!reply) return []
      return [[one, { reply, dossier, lookedUp, ...heard(reply, one.pack.findings.length) }] as const]
    }),
  )
}

/** Asked side by side, numbered in the order of the findings. */
async function lookUp(said: readonly Said[], { toolbox, book, signal }: WaveParts): Promise<LookedUp[]> {
  const wanted = said.flatMap((one, at) => (one.lookUp ? [{ at, wanted: one.lookUp }] : []))
  const tools = wanted.length > 0 ? await toolbox() : null
  if (!tools) return []
  const answers = await Promise.all(wanted.map((one) => askTool(tools, callOf(one.wanted), signal)))
  return answers.flatMap(({ call, evidence }, index) => {
    const found = evidence.flatMap((draft) => book.get(book.add(draft)) ?? [])
    return wanted[index] ? [{ at: wanted[index].at, call, evidence: found }] : []
  })
}

function settle(first: Answered, further: Further | null, parts: WaveParts): PackAnswer {
  const { pack, question, reply } = first
  const decisions = pack.cases.map((one, at): Decision => {
    const call = further?.lookedUp.find((found) => found.at === at)?.call
    const { refutation, isOpen } = decide(one.finding, at, { first, further, parts })
    return {
      case: one,
      isOpen,
      refutation: call === undefined ? refutation : { ...refutation, lookUp: call },
    }
  })
  const strange = [...new Set([...first.strange, ...(further?.strange ?? [])])]
  const twins = pack.findings.flatMap(({ id }, at): Twins[] => {
    const same = first.said[at]?.sameAs ?? further?.said[at]?.sameAs
    const earlier = pack.findings[same ?? -1]
    return earlier ? [[earlier.id, id]] : []
  })
  return {
    decisions,
    twins,
    usd: sumPrices(
      [reply, ...(further ? [further.reply] : [])].flatMap(({ calls }) => calls).map(({ usd }) => usd),
    ),
    unfit: strange.map((name) => ({
      address: question.address,
      what: `what an independent check says of "${name}"`,
      reason: 'no finding of its question has this number',
    })),
  }
}

type Grounds = { first: Answered; further: Further | null; parts: WaveParts }

/** What the last answer says of a finding counts; a second answer need not repeat what it does not change. */
function decide(
  finding: Finding,
  at: number,
  { first, further, parts: { book, context } }: Grounds,
): Pick<Decision, 'refutation' | 'isOpen'> {
  const { reply } = first
  if (reply.outcome !== 'answered')
    return { refutation: unanswered(finding, reply), isOpen: reply.outcome !== 'failed' }
  const judgement = further?.said[at]?.judgement ?? first.said[at]?.judgement ?? null
  if (judgement !== null && judgement !== 'contradictory') {
    const dossier = further?.dossier ?? first.dossier
    const lookedUp = further?.lookedUp.filter((found) => found.at === at).flatMap(({ evidence }) => evidence)
    const { files } = context.change
    return {
      refutation: readJudgement(judgement, finding, dossier, { book, files, lookedUp: lookedUp ?? [] }),
      isOpen: false,
    }
  }
  const reason =
    judgement === null ? 'the answer does not judge it' : 'the answer judges it twice, and differently'
  return { refutation: { finding: finding.id, outcome: 'undecided', reason, citations: [] }, isOpen: true }
}

/** A model that was not reached was not asked; one that did not answer properly has decided nothing. */
function unanswered(
  { id }: Finding,
  { outcome, reason }: Exclude<Reply<JudgeAnswer>, { outcome: 'answered' }>,
): Refutation {
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
