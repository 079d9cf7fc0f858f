/**
 * A question about a review: a scout gathers what answers it, with the tools and limits of a review; a reviewer answers from
 * numbered evidence, and code checks every quote. Whoever disputes a finding starts an independent check of it, which never
 * sees his words: only what was read because of them can change its mind.
 */
import { z } from 'zod'
import { evidenceOf } from '../agent/answer.ts'
import { accountFor, explore } from '../agent/explore.ts'
import { defaultLimits } from '../agent/limits.ts'
import { readPrompt } from '../base/package-root.ts'
import { Untrusted } from '../base/untrusted/untrusted.ts'
import { visibleText } from '../base/visible-text.ts'
import type { AskedTurn } from '../domain/asked-turn.ts'
import { type EvidenceBook, openEvidenceBook } from '../domain/evidence.ts'
import type { Finding } from '../domain/finding.ts'
import type { ReviewContext } from '../domain/review-context.ts'
import type { AnswerShape, Reply } from '../llm/contract.ts'
import type { Explorer } from './ask-models.ts'
import { chooseMaterial, findQuoted, listOfFiles, type Material } from './asking/material.ts'
import { renderConversation, renderQuestion } from './asking/message.ts'
import { renderScoutRequest } from './explore/scout-request.ts'
import { refuteFindings } from './refutation/refute-findings.ts'
import type { ModelStageInput } from './stage-input.ts'

export type AskInput = ModelStageInput & {
  question: string
  /** Earlier turns of the conversation. */
  earlier: readonly AskedTurn[]
  /** Of the review. */
  findings: readonly Finding[]
  explorer: Explorer
}

const longestQuestion = 4_000
const mostStatements = 8
const mostQuotes = 6
/** Of what was read, so many items go to an independent check. */
const mostRead = 12

/** With the evidence that was read for it. Never throws for what a model or a tool does. */
export async function answerQuestion(input: AskInput): Promise<{ turn: AskedTurn; context: ReviewContext }> {
  const { context, findings, earlier, gateway, fence, signal } = input
  const question = input.question.slice(0, longestQuestion)
  const book = openEvidenceBook(context.evidence)
  book.add(listOfFiles(context.change))
  const { read, fruitless } = await gather(input, question, book)
  const paths = findings.map(({ anchor }) => anchor.path)
  const material = chooseMaterial({
    change: context.change,
    evidence: book.items,
    read: new Set(read),
    paths,
  })
  const { stable, rest } = renderQuestion(material, { findings, earlier, question }, fruitless, fence)
  const prompt = readPrompt('ask', 2)
  const reply = await gateway.ask({
    role: 'reviewer',
    address: `ask/turn-${earlier.length + 1}`,
    prompt: prompt.id,
    instructions: [{ text: prompt.text, stable: true }],
    turns: [{ from: 'user', parts: [{ text: stable, stable: true }, { text: `\n\n${rest}` }] }],
    answer: shape,
    maxOutputTokens: 4_000,
    effort: 'medium',
    signal,
  })
  if (reply.outcome !== 'answered')
    return { turn: noAnswer(question, reply), context: { ...context, evidence: [...book.items] } }
  const { statements, disputed, cannot } = reply.value
  const said = statements.slice(0, mostStatements).map((one) => checked(one, material, book))
  const after = { ...context, evidence: [...book.items] }
  const finding = findings.find(({ id }) => id === disputed.trim()) ?? null
  const check = finding && (await checkAgain(input, withEvidence(finding, read), after))
  return {
    context: check?.context ?? after,
    turn: {
      question,
      statements: said,
      cannot: cannot.slice(0, 1_000),
      disputed: check?.disputed ?? null,
      failed: null,
    },
  }
}

/**
 * What the scout reads becomes evidence of the book, after that of the review: the ids of it, and the calls that show
 * nothing, each with the reason.
 */
async function gather(
  { gateway, fence, context, explorer, config, findings, earlier, signal }: AskInput,
  question: string,
  book: EvidenceBook,
): Promise<{ read: string[]; fruitless: string[] }> {
  const toolbox = await explorer.openToolbox('explore', { changed: [], related: [] })
  const startedAt = performance.now()
  const prompt = readPrompt('ask-explore', 2)
  const { iterations } = await explore({
    gateway,
    toolbox,
    limits: { ...defaultLimits, ...config.explore, iterations: Math.min(4, config.explore.iterations) },
    prompt: prompt.id,
    instructions: prompt.text,
    change: [
      renderScoutRequest(context, fence),
      renderConversation({ findings, earlier, question }, fence),
    ].join('\n\n'),
    seed: [],
    fence: (origin, text) => fence.render(new Untrusted(origin, text)),
    elapsedSeconds: (iteration) =>
      explorer.elapsedSeconds(`${context.hash} ask ${question}`, iteration, startedAt),
    signal,
  })
  const answers = iterations.flatMap((one) => one.answers)
  const read = answers.flatMap((answer) => evidenceOf(answer).map((item) => book.add(item)))
  const fruitless = iterations.flatMap(accountFor).flatMap(({ call, outcome, detail }) => {
    return outcome === 'left-out' ? [`${call}: ${detail}`] : []
  })
  return { read: [...new Set(read)], fruitless }
}

type WireStatement = { text: string; quotes: { id: string; quote: string }[] }
type WireAnswer = { statements: WireStatement[]; disputed: string; cannot: string }

const shape: AnswerShape<WireAnswer> = {
  name: 'answer',
  schema: z.object({
    statements: z.array(
      z.object({ text: z.string(), quotes: z.array(z.object({ id: z.string(), quote: z.string() })) }),
    ),
    disputed: z.string(),
    cannot: z.string(),
  }),
}

/** A statement is shown when every quote that it gives is where it says; with one that is not, it is a guess. */
function checked(
  { text, quotes }: WireStatement,
  material: Material,
  book: EvidenceBook,
): AskedTurn['statements'][number] {
  const given = quotes.slice(0, mostQuotes)
  const citations = given.flatMap(({ id, quote }) => {
    const words = quote.trim()
    const item = words.length < 3 ? null : findQuoted(id, words, material)
    return item ? [{ evidence: book.add(item), quote: words }] : []
  })
  const isGuess = citations.length === 0 || citations.length < given.length
  return { text: visibleText(text).slice(0, 1_500), citations, isGuess }
}

/** What was read for the question belongs to its dossier; without quotes, so that it is news to the finding. */
function withEvidence(finding: Finding, read: readonly string[]): Finding {
  const added = read.slice(0, mostRead).map((evidence) => ({ evidence, quote: '' }))
  return { ...finding, byModel: true, evidence: [...finding.evidence, ...added] }
}

/** The judge sees the finding, its dossier and what was read, and not one word of the person. */
async function checkAgain(
  input: AskInput,
  finding: Finding,
  context: ReviewContext,
): Promise<{ context: ReviewContext; disputed: AskedTurn['disputed'] }> {
  const { base, head, facts, explorer, gateway, fence, config, onEvent, signal } = input
  const kept = { outcome: 'kept', step: 'kept', reason: '' } as const
  const result = await refuteFindings({
    verdicts: [{ ...kept, candidate: finding, finding }],
    context,
    base,
    head,
    facts,
    code: explorer,
    config: { ...config, review: { ...config.review, refutations: 1 } },
    gateway,
    fence,
    onEvent,
    signal,
  })
  const [check] = result.refutations
  if (!check) return { context, disputed: null }
  const outcome =
    check.outcome === 'refuted'
      ? 'conceded'
      : ['upheld', 'narrowed', 'overstated'].includes(check.outcome)
        ? 'held'
        : 'undecided'
  return { context: result.context, disputed: { finding: finding.id, outcome, check } }
}

function noAnswer(question: string, reply: Exclude<Reply<WireAnswer>, { outcome: 'answered' }>): AskedTurn {
  const failed = `${reply.outcome}: ${reply.reason}`.slice(0, 500)
  return { question, statements: [], cannot: '', disputed: null, failed }
}
