/**
 * The refute stage: a judge tries to refute each finding of a model, one finding in one question, with the evidence and at
 * most one look-up. Findings of deterministic planes are not asked about: code found them.
 */
import type { Toolbox } from '../../agent/contract.ts'
import type { Fence } from '../../base/untrusted/untrusted.ts'
import type { FactStore } from '../../code-index/contract.ts'
import type { Config } from '../../config/schema.ts'
import type { EventListener } from '../../domain/events.ts'
import { type EvidenceBook, openEvidenceBook } from '../../domain/evidence.ts'
import { type Finding, isHearsay, type Refutation, type Verdict } from '../../domain/finding.ts'
import type { ReviewContext } from '../../domain/review-context.ts'
import { severityRank } from '../../domain/severity.ts'
import type { RepoSnapshot } from '../../domain/snapshot.ts'
import type { Gateway, Question, Reply, RoleModel } from '../../llm/contract.ts'
import { applyJudgement } from './apply-judgement.ts'
import { type Dossier, gatherDossier, pieceOf } from './dossier.ts'
import { askTool, callOf } from './look-up.ts'
import { evidenceRoom, type JudgeAnswer, refutePrompt, refuteQuestion, secondQuestion } from './question.ts'
import { readJudgement } from './read-judgement.ts'
import type { CodeQuestions, DossierContext } from './sources.ts'

export type RefutationInput = {
  /** Of validation. */
  verdicts: readonly Verdict[]
  /** With the evidence that findings cite. */
  context: ReviewContext
  /** By finding, what a judge said in a review before this one: it is not asked again. */
  known?: ReadonlyMap<string, Refutation>
  base: RepoSnapshot
  head: RepoSnapshot
  facts: FactStore
  /** Null, or not given, where the repository cannot be searched. */
  code?: CodeQuestions | null
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

/** Findings that share a dossier. */
const mostOfAPiece = 8

/** Never throws for what a model does; rejects with the signal's reason after an abort. */
export async function refuteFindings(input: RefutationInput): Promise<RefutationResult> {
  const { verdicts, context, known = new Map<string, Refutation>(), config, gateway, onEvent } = input
  const book = openEvidenceBook(context.evidence)
  const all = verdicts.flatMap(({ finding }) => (finding && isHearsay(finding) ? [finding] : []))
  const model = gateway.modelOf('judge')
  const open = all.filter(({ id }) => !known.has(id))
  const asked = model ? open.sort(byWeight).slice(0, config.review.refutations) : []
  const byFinding = new Map(known)
  const costs = new Map<string, number | null>()
  for (const finding of open.filter((one) => !asked.includes(one)))
    byFinding.set(finding.id, notAsked(finding, model))
  if (model && asked.length > 0)
    for await (const { finding, refutation, usd } of judgeInWaves(asked, { ...input, model, book })) {
      byFinding.set(finding.id, refutation)
      costs.set(finding.id, usd)
    }

  const refutations = all.flatMap(({ id }) => byFinding.get(id) ?? [])
  for (const { finding, outcome } of refutations) onEvent({ type: 'refutation', finding, outcome })
  return {
    verdicts: verdicts.map((verdict) => applyJudgement(verdict, byFinding.get(verdict.finding?.id ?? ''))),
    refutations,
    context: { ...context, evidence: [...book.items] },
    prompts: asked.length > 0 ? [refutePrompt().id] : [],
    costs,
  }
}

type Judged = { finding: Finding; refutation: Refutation; usd: number | null }
type StageInput = RefutationInput & { model: RoleModel; book: EvidenceBook }
type Piece = { findings: Finding[]; dossier: Dossier | null }

/**
 * One wave settles before the next begins, and evidence is numbered in the order of the questions, never of answers. Of a
 * piece that no judge has seen yet only one finding is in a wave: its prompt is then cached for the others.
 */
async function* judgeInWaves(asked: readonly Finding[], input: StageInput): AsyncGenerator<Judged> {
  const { book, code = null, model, onEvent } = input
  const around: DossierContext = { ...input, code, room: evidenceRoom(model) }
  const pieces = await piecesOf(asked, around)
  const ask = askEachOnce(input.gateway)
  const toolbox = onDemand(code)
  let waiting = [...asked]
  while (waiting.length > 0) {
    const wave = nextWave(waiting, pieces)
    waiting = waiting.filter((finding) => !wave.includes(finding))
    const cases: Case[] = []
    for (const finding of wave) {
      const piece = pieces.get(finding)
      if (!piece) continue
      piece.dossier ??= await gatherDossier(piece.findings, around)
      cases.push({ finding, dossier: piece.dossier })
    }
    const questions = cases.map(({ finding, dossier }) => refuteQuestion(finding, dossier, input))
    const first = await ask(questions)
    const second = await lookUp(cases, questions, first, { ...input, ask, toolbox })
    for (const [at, { finding, dossier }] of cases.entries()) {
      const reply = first[at]
      if (!reply) continue
      const more = second.get(at)
      yield {
        finding,
        refutation: more
          ? {
              ...decide(more.reply.outcome === 'answered' ? more.reply : reply, finding, more.dossier, book),
              lookUp: more.call,
            }
          : decide(reply, finding, dossier, book),
        usd: sumOf([reply, ...(more ? [more.reply] : [])]),
      }
    }
    onEvent({
      type: 'stage-progress',
      stage: 'refute',
      done: asked.length - waiting.length,
      total: asked.length,
    })
  }
}

/** By finding; the findings of one definition share a piece, the gravest first. */
async function piecesOf(
  asked: readonly Finding[],
  around: DossierContext,
): Promise<ReadonlyMap<Finding, Piece>> {
  const pieces = new Map<Finding, Piece>()
  const open = new Map<string, Piece>()
  for (const finding of asked) {
    const key = await pieceOf(finding, around)
    const known = open.get(key)
    const piece = known && known.findings.length < mostOfAPiece ? known : { findings: [], dossier: null }
    piece.findings.push(finding)
    open.set(key, piece)
    pieces.set(finding, piece)
  }
  return pieces
}

function nextWave(waiting: readonly Finding[], pieces: ReadonlyMap<Finding, Piece>): Finding[] {
  const wave: Finding[] = []
  const begun = new Set<Piece>()
  for (const finding of waiting) {
    const piece = pieces.get(finding)
    if (wave.length === atOnce) break
    if (piece && piece.dossier === null && begun.has(piece)) continue
    if (piece) begun.add(piece)
    wave.push(finding)
  }
  return wave
}

type Case = { finding: Finding; dossier: Dossier }
type Judgement = Reply<JudgeAnswer> & { isShared: boolean }
type Ask = (questions: readonly Question<JudgeAnswer>[]) => Promise<Judgement[]>
type LookUpParts = StageInput & { ask: Ask; toolbox: () => Promise<Toolbox> | null }

/** By position: the reply to the same question with its look-up answered, for each judge that asked for one. */
async function lookUp(
  cases: readonly Case[],
  questions: readonly Question<JudgeAnswer>[],
  replies: readonly Judgement[],
  { toolbox, ask, book, fence, signal }: LookUpParts,
): Promise<ReadonlyMap<number, { reply: Judgement; dossier: Dossier; call: string }>> {
  const further: { at: number; dossier: Dossier; call: string; question: Question<JudgeAnswer> }[] = []
  for (const [at, { dossier }] of cases.entries()) {
    const [reply, question] = [replies[at], questions[at]]
    if (reply?.outcome !== 'answered' || !reply.value.look_up || !question) continue
    const tools = await toolbox()
    if (!tools) continue
    const { call, evidence } = await askTool(tools, callOf(reply.value.look_up), signal)
    const found = evidence.flatMap((draft) => book.get(book.add(draft)) ?? [])
    further.push({
      at,
      call,
      dossier: { ...dossier, evidence: [...dossier.evidence, ...found] },
      question: secondQuestion(question, reply.text, { found, shown: dossier.shown }, fence),
    })
  }
  const answers = further.length > 0 ? await ask(further.map(({ question }) => question)) : []
  return new Map(
    further.flatMap(({ at, dossier, call }, index) => {
      const reply = answers[index]
      return reply ? [[at, { reply, dossier, call }] as const] : []
    }),
  )
}

function onDemand(code: CodeQuestions | null): () => Promise<Toolbox> | null {
  let opened: Promise<Toolbox> | null = null
  return () => {
    if (code) opened ??= code.openToolbox('refute')
    return opened
  }
}

/** The same question for several findings is asked and paid once, and its answer applies to all. */
function askEachOnce(gateway: Gateway): Ask {
  const known = new Map<string, Reply<JudgeAnswer>>()
  return async (questions) => {
    const keys = questions.map(({ turns }) => JSON.stringify(turns))
    const fresh = questions.filter((_, at) => {
      const key = keys[at] ?? ''
      return !known.has(key) && keys.indexOf(key) === at
    })
    const replies = await gateway.askAll(fresh)
    for (const [at, question] of fresh.entries()) {
      const reply = replies[at]
      if (reply) known.set(JSON.stringify(question.turns), reply)
    }
    return questions.flatMap((question, at) => {
      const reply = known.get(keys[at] ?? '')
      return reply ? [{ ...reply, isShared: !fresh.includes(question) }] : []
    })
  }
}

function decide(reply: Judgement, finding: Finding, dossier: Dossier, book: EvidenceBook): Refutation {
  return reply.outcome === 'answered'
    ? readJudgement(reply.value, finding, dossier, book)
    : unanswered(finding, reply)
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

function sumOf(replies: readonly Judgement[]): number | null {
  const calls = replies.flatMap((reply) => (reply.isShared ? [] : reply.calls))
  return calls.reduce<number | null>((sum, { usd }) => (sum === null || usd === null ? null : sum + usd), 0)
}
