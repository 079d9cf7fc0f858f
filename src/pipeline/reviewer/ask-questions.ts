import { visibleLine } from '../../base/visible-text.ts'
import type { EvidenceBook, EvidenceDraft } from '../../domain/evidence.ts'
import type { Gateway, Question } from '../../llm/contract.ts'
import type { ContextRequest, ReviewAnswer } from './answer/schema.ts'
import type { ReviewerInput } from './contract.ts'
import {
  type Conversation,
  continueConversation,
  keptFindings,
  refuseFollowUp,
  startConversation,
} from './conversation.ts'
import { checkRequest, type GrantedRange, type Refused } from './follow-up/check-request.ts'
import type { PlannedQuestion } from './plan-questions.ts'
import { answerTokensFor } from './question-size.ts'
import { followUpQuestion } from './questions.ts'

/** Asks the planned questions and their follow-ups, in an order that lets providers reuse their prompt cache. */
/** Groups asked about in parallel. */
const atOnce = 4

/**
 * In the order of `questions`. Groups go in waves, each settled before the next begins, so that what a budget allows does
 * not depend on who is faster. In a wave one plane of each group goes first, and the others when it has been answered.
 */
export async function askQuestions(
  questions: readonly PlannedQuestion[],
  input: ReviewerInput,
  book: EvidenceBook,
): Promise<Conversation[]> {
  const { gateway, config, onEvent } = input
  const groups = [...Map.groupBy(questions, ({ group }) => group).values()]
  const done: Conversation[] = []
  for (let from = 0; from < groups.length; from += atOnce) {
    const wave = groups.slice(from, from + atOnce).flat()
    const report = (answered: number): void =>
      onEvent({
        type: 'stage-progress',
        stage: 'review',
        done: done.length + answered,
        total: questions.length,
      })
    let conversations = await askWave(wave, gateway, report)
    // One round more than the follow-ups allowed: in it, further requests are refused and reported.
    for (let round = 1; round <= config.review.followUps + 1; round++)
      conversations = await followUpRound(conversations, round, input, book)
    done.push(...conversations)
  }
  return done
}

async function askWave(
  wave: readonly PlannedQuestion[],
  gateway: Gateway,
  report: (answered: number) => void,
): Promise<Conversation[]> {
  const answered = new Map<PlannedQuestion, Conversation>()
  const first = firstOfEach(wave)
  for (const part of [first, wave.filter((planned) => !first.includes(planned))]) {
    const replies = await gateway.askAll(part.map(({ question }) => question))
    for (const [index, planned] of part.entries()) {
      const reply = replies[index]
      if (reply) answered.set(planned, startConversation(planned, reply))
    }
    if (part.length > 0) report(answered.size)
  }
  return wave.flatMap((planned) => answered.get(planned) ?? [])
}

/** Of each group, and there of each effort: what was read with one effort is not in the cache for another. */
function firstOfEach(wave: readonly PlannedQuestion[]): PlannedQuestion[] {
  const seen = new Set<string>()
  return wave.filter(({ group, plane }) => {
    const key = `${group} ${plane.effort}`
    const isFirst = !seen.has(key)
    seen.add(key)
    return isFirst
  })
}

type Step = { conversation: Conversation; request: ContextRequest; question: Question<ReviewAnswer> }

/** `number`: 1 for the first round. Conversations that want nothing come back as they are. */
async function followUpRound(
  conversations: readonly Conversation[],
  number: number,
  input: ReviewerInput,
  book: EvidenceBook,
): Promise<Conversation[]> {
  const scope = scopeOf(input, book)
  const steps: (Conversation | Step)[] = []
  // One after the other: the range becomes evidence, and its number must not depend on who was read first.
  for (const conversation of conversations)
    steps.push(await prepare(conversation, number, { input, book, scope }))
  // And all questions begin at once, in order, so that a budget is spoken for in the same order every time.
  const replies = await input.gateway.askAll(
    steps.flatMap((step) => ('question' in step ? [step.question] : [])),
  )
  let answered = 0
  return steps.map((step) => {
    if (!('question' in step)) return step
    const reply = replies[answered++]
    if (!reply) return step.conversation
    const next = continueConversation(step.conversation, step.request, step.question, reply)
    reportFollowUp(next, input)
    return next
  })
}

type FollowUpContext = { input: ReviewerInput; book: EvidenceBook; scope: ReadonlySet<string> }

async function prepare(
  conversation: Conversation,
  number: number,
  context: FollowUpContext,
): Promise<Conversation | Step> {
  const { input, book } = context
  const { wants: request, last } = conversation
  const model = input.gateway.modelOf('reviewer')
  if (!request || !last || !model) return conversation
  reportRequest(request, input)
  const granted = await grant(request, number, context)
  if ('refused' in granted) {
    const next = refuseFollowUp(conversation, request, granted)
    reportFollowUp(next, input)
    return next
  }
  const range: EvidenceDraft = {
    source: 'file',
    trust: 'foreign',
    title: 'asked for by the reviewer',
    side: 'new',
    ...granted,
  }
  const id = book.add(range)
  const question = followUpQuestion({
    panel: input.panel,
    address: conversation.planned.address,
    number,
    asked: last.question,
    answer: last.text,
    range: { id, ...range },
    shown: conversation.planned.shown,
    standing: keptFindings(conversation),
    left: input.config.review.followUps - number,
    maxOutputTokens: answerTokensFor(model).followUp,
    fence: input.fence,
  })
  return { conversation, request, question }
}

async function grant(
  request: ContextRequest,
  number: number,
  { input, scope }: FollowUpContext,
): Promise<GrantedRange | Refused> {
  const { followUps, followUpTokens } = input.config.review
  if (followUps === 0)
    return { refused: { kind: 'switched-off', detail: 'follow-ups are switched off for this run' } }
  if (number > followUps)
    return { refused: { kind: 'limit', detail: `${followUps} of ${followUps} follow-ups were made already` } }
  return checkRequest(request, { scope, head: input.head, maxTokens: followUpTokens })
}

/** Changed files, and files that the bundle shows a part of. */
function scopeOf({ context }: ReviewerInput, book: EvidenceBook): ReadonlySet<string> {
  return new Set([
    ...context.change.files.map(({ path }) => path),
    ...book.items.flatMap(({ path, side }) => (path !== null && side !== 'old' ? [path] : [])),
  ])
}

function reportRequest(request: ContextRequest, { onEvent }: ReviewerInput): void {
  onEvent({
    type: 'follow_up_requested',
    path: visibleLine(request.file).slice(0, 500),
    startLine: request.line_start ?? 0,
    endLine: request.line_end ?? 0,
    reason: visibleLine(request.reason).slice(0, 500),
  })
}

function reportFollowUp({ followUps }: Conversation, { onEvent, note }: ReviewerInput): void {
  const made = followUps.at(-1)
  if (!made) return
  const { confirmed, dismissed, added, extraTokens, refused, outcome } = made
  const unanswered = outcome !== null && outcome !== 'answered' ? `it was not answered (${outcome})` : null
  onEvent({
    type: 'follow_up_complete',
    confirmed,
    dismissed,
    added,
    extraTokens,
    refused: refused ? `${refused.kind}: ${refused.detail}` : unanswered,
  })
  note({ type: 'follow-up', address: made.address, detail: { ...made } })
}
