/**
 * A question about a review: a scout gathers what answers it, with the tools and limits of a review; a reviewer answers from
 * numbered evidence, and code checks every quote. Whoever disputes a finding starts an independent check of it, which never
 * sees his words: only what was read because of them can change its mind.
 */
import { z } from 'zod'
import { evidenceOf } from '../agent/answer.ts'
import type { Toolbox } from '../agent/contract.ts'
import { explore } from '../agent/explore.ts'
import { usualLimits } from '../agent/limits.ts'
import { readPrompt } from '../base/package-root.ts'
import { type Fence, Untrusted } from '../base/untrusted/untrusted.ts'
import { holdsQuote, visibleText } from '../base/visible-text.ts'
import type { FactStore } from '../code-index/contract.ts'
import type { Config } from '../config/schema.ts'
import type { AskedTurn } from '../domain/asked-turn.ts'
import type { EventListener } from '../domain/events.ts'
import { type EvidenceBook, openEvidenceBook } from '../domain/evidence.ts'
import type { Finding } from '../domain/finding.ts'
import type { ReviewContext } from '../domain/review-context.ts'
import type { RepoSnapshot } from '../domain/snapshot.ts'
import type { AnswerShape, Gateway, Reply } from '../llm/contract.ts'
import type { Explorer } from './ask-models.ts'
import { renderScoutRequest } from './explore/scout-request.ts'
import { refuteFindings } from './refutation/refute-findings.ts'

export type AskInput = {
  question: string
  /** Earlier turns of the conversation. */
  earlier: readonly AskedTurn[]
  /** Of the review, with the evidence that its findings cite. */
  context: ReviewContext
  findings: readonly Finding[]
  base: RepoSnapshot
  head: RepoSnapshot
  facts: FactStore
  explorer: Explorer
  gateway: Gateway
  fence: Fence
  config: Config
  onEvent: EventListener
  signal: AbortSignal
}

const longestQuestion = 4_000
const mostStatements = 8
const mostQuotes = 6
const mostTurns = 6
const evidenceBytes = 60_000
/** Of what was read, so many items go to an independent check. */
const mostRead = 12

/** With the evidence that was read for it. Never throws for what a model or a tool does. */
export async function answerQuestion(input: AskInput): Promise<{ turn: AskedTurn; context: ReviewContext }> {
  const { context, findings, gateway, fence, signal } = input
  const question = input.question.slice(0, longestQuestion)
  const book = openEvidenceBook(context.evidence)
  const toolbox = await input.explorer.openToolbox('explore', { changed: [], related: [] })
  const before = book.items.length
  await gather(input, question, book, toolbox)
  const reply = await gateway.ask({
    role: 'reviewer',
    address: `ask/turn-${input.earlier.length + 1}`,
    prompt: readPrompt('ask', 1).id,
    instructions: [{ text: readPrompt('ask', 1).text, stable: true }],
    turns: [
      {
        from: 'user',
        parts: [
          { text: renderScoutRequest(context, fence), stable: true },
          { text: `\n\n${rest(input, question, book.items)}` },
        ],
      },
    ],
    answer: shape,
    maxOutputTokens: 4_000,
    effort: 'medium',
    signal,
  })
  const after = { ...context, evidence: [...book.items] }
  if (reply.outcome !== 'answered') return { turn: noAnswer(question, reply), context: after }
  const { statements, disputed, cannot } = reply.value
  const finding = findings.find(({ id }) => id === disputed.trim()) ?? null
  const read = book.items.slice(before).map(({ id }) => id)
  const check = finding && (await checkAgain(input, withEvidence(finding, read), after))
  return {
    context: check?.context ?? after,
    turn: {
      question,
      statements: statements.slice(0, mostStatements).map((one) => checked(one, book)),
      cannot: cannot.slice(0, 1_000),
      disputed: check?.disputed ?? null,
      failed: null,
    },
  }
}

/** What the scout reads becomes evidence of the book, after that of the review. */
async function gather(
  { gateway, fence, context, explorer, config, findings, earlier, signal }: AskInput,
  question: string,
  book: EvidenceBook,
  toolbox: Toolbox,
): Promise<void> {
  const startedAt = performance.now()
  const prompt = readPrompt('ask-explore', 1)
  const { iterations } = await explore({
    gateway,
    toolbox,
    limits: { ...usualLimits, ...config.explore, iterations: Math.min(4, config.explore.iterations) },
    prompt: prompt.id,
    instructions: prompt.text,
    change: [
      renderScoutRequest(context, fence),
      listFindings(findings, fence),
      ...talk(earlier, fence),
      fence.render(new Untrusted('question of a person', question)),
    ].join('\n\n'),
    seed: [],
    fence: (origin, text) => fence.render(new Untrusted(origin, text)),
    elapsedSeconds: (iteration) =>
      explorer.elapsedSeconds(`${context.hash} ask ${question}`, iteration, startedAt),
    signal,
  })
  for (const { number, answers } of iterations)
    if (number > 0) for (const answer of answers) for (const item of evidenceOf(answer)) book.add(item)
}

function rest(
  { findings, earlier, fence }: AskInput,
  question: string,
  evidence: readonly { id: string; title: string; text: string }[],
): string {
  let bytes = 0
  const shown = evidence.flatMap(({ id, title, text }) => {
    bytes += Buffer.byteLength(text)
    return bytes > evidenceBytes ? [] : [`${id}:\n${fence.render(new Untrusted(title, text))}`]
  })
  return [
    'Evidence:',
    ...shown,
    listFindings(findings, fence),
    ...talk(earlier, fence),
    'The question:',
    fence.render(new Untrusted('question of a person', question)),
  ].join('\n\n')
}

function listFindings(findings: readonly Finding[], fence: Fence): string {
  const lines = findings.map(
    ({ id, anchor, startLine, severity, title, explanation }) =>
      `${id} ${anchor.path}:${startLine} (${severity}) ${title}\n${explanation}`,
  )
  return lines.length === 0
    ? 'The review has no findings.'
    : `Findings of the review, each with its id:\n\n${fence.render(new Untrusted('findings', lines.join('\n\n')))}`
}

/** What was said before is foreign too: a person wrote half of it, and a model the other. */
function talk(earlier: readonly AskedTurn[], fence: Fence): string[] {
  const turns = earlier.slice(-mostTurns).map(({ question, statements, cannot }) => {
    const answer = [...statements.map(({ text, isGuess }) => (isGuess ? `(a guess) ${text}` : text)), cannot]
    return `Question: ${question}\nAnswer: ${answer.join(' ')}`
  })
  return turns.length === 0
    ? []
    : [fence.render(new Untrusted('the conversation so far', turns.join('\n\n')))]
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
function checked({ text, quotes }: WireStatement, book: EvidenceBook): AskedTurn['statements'][number] {
  const given = quotes.slice(0, mostQuotes)
  const citations = given.flatMap(({ id, quote }) => {
    const name = id.trim().replace(/^\[(.*)\]$/, '$1')
    const item = book.get(name)
    const words = quote.trim()
    return item && words.length >= 3 && holdsQuote(item.text, words) ? [{ evidence: name, quote: words }] : []
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
      : check.outcome === 'upheld' || check.outcome === 'narrowed'
        ? 'held'
        : 'undecided'
  return { context: result.context, disputed: { finding: finding.id, outcome, check } }
}

function noAnswer(question: string, reply: Exclude<Reply<WireAnswer>, { outcome: 'answered' }>): AskedTurn {
  const failed = `${reply.outcome}: ${reply.reason}`.slice(0, 500)
  return { question, statements: [], cannot: '', disputed: null, failed }
}
