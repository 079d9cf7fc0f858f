/** Asks the planned questions and their follow-ups, in an order that lets providers reuse their prompt cache. */
import { visibleLine } from '../../base/visible-text.ts'
import type { Evidence, EvidenceBook } from '../../domain/evidence.ts'
import type { Gateway, Question } from '../../llm/contract.ts'
import type { ContextRequest, ReviewAnswer } from './answer/schema.ts'
import type { ReviewerInput } from './contract.ts'
import {
  type AnsweredPlace,
  type Conversation,
  continueConversation,
  keptFindings,
  refuseFollowUp,
  startConversation,
} from './conversation.ts'
import { checkRequests, type Refused } from './follow-up/check-request.ts'
import type { PlannedQuestion } from './plan-questions.ts'
import { answerTokensFor } from './question-size.ts'
import { followUpQuestion } from './questions.ts'

/** Groups asked about in parallel. */
const atOnce = 4

/**
 * In the order of `questions`. Groups go in waves, each settled before the next begins, so that what a budget allows does
 * not depend on who is faster. In a wave one question of each group goes first, and the others when it has been answered.
 */
export async function askQuestions(
  questions: readonly PlannedQuestion[],
  input: ReviewerInput,
  book: EvidenceBook,
): Promise<Conversation[]> {
  const { gateway, config, onEvent } = input
  const groups = [...Map.groupBy(questions, ({ group }) => group).values()]
  const done: Conversation[] = []
  const open = new Set(questions)
  const total = filesOf(questions).size
  const report = (answered: readonly PlannedQuestion[]): void => {
    for (const planned of answered) open.delete(planned)
    onEvent({
      type: 'stage-progress',
      stage: 'review',
      done: questions.length - open.size,
      total: questions.length,
      files: { done: total - filesOf(open).size, total },
    })
  }
  report([])
  for (let from = 0; from < groups.length; from += atOnce) {
    const wave = groups.slice(from, from + atOnce).flat()
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
  report: (answered: readonly PlannedQuestion[]) => void,
): Promise<Conversation[]> {
  const answered = new Map<PlannedQuestion, Conversation>()
  const first = firstOfEach(wave)
  for (const part of [first, wave.filter((planned) => !first.includes(planned))]) {
    const replies = await gateway.askAll(part.map(({ question }) => question))
    for (const [index, planned] of part.entries()) {
      const reply = replies[index]
      if (reply) answered.set(planned, startConversation(planned, reply))
    }
    if (part.length > 0) report(part.filter((planned) => answered.has(planned)))
  }
  return wave.flatMap((planned) => answered.get(planned) ?? [])
}

function filesOf(questions: Iterable<PlannedQuestion>): ReadonlySet<string> {
  return new Set([...questions].flatMap(({ files }) => [...files]))
}

/** Of each group, and there of each effort: what was read with one effort is not in the cache for another. */
function firstOfEach(wave: readonly PlannedQuestion[]): PlannedQuestion[] {
  const seen = new Set<string>()
  return wave.filter(({ group, question }) => {
    const key = `${group} ${question.effort}`
    const isFirst = !seen.has(key)
    seen.add(key)
    return isFirst
  })
}

type Step = { conversation: Conversation; places: AnsweredPlace[]; question: Question<ReviewAnswer> }

/** `number`: 1 for the first round. Conversations that want nothing come back as they are. */
async function followUpRound(
  conversations: readonly Conversation[],
  number: number,
  input: ReviewerInput,
  book: EvidenceBook,
): Promise<Conversation[]> {
  const steps: (Conversation | Step)[] = []
  // One after the other: the lines become evidence, and their numbers must not depend on who was read first.
  for (const conversation of conversations) steps.push(await prepare(conversation, number, input, book))
  // And all questions begin at once, in order, so that a budget is spoken for in the same order every time.
  const replies = await input.gateway.askAll(
    steps.flatMap((step) => ('question' in step ? [step.question] : [])),
  )
  let answered = 0
  return steps.map((step) => {
    if (!('question' in step)) return step
    const reply = replies[answered++]
    if (!reply) return step.conversation
    const next = continueConversation(step.conversation, step.places, step.question, reply)
    reportFollowUp(next, input)
    return next
  })
}

async function prepare(
  conversation: Conversation,
  number: number,
  input: ReviewerInput,
  book: EvidenceBook,
): Promise<Conversation | Step> {
  const { wants, last } = conversation
  const model = input.gateway.modelOf('reviewer')
  if (wants.length === 0 || !last || !model) return conversation
  for (const request of wants) reportRequest(request, input)
  const places = await answerRequests(wants, number, input)
  const left = input.config.review.followUps - number
  const isGiven = places.some(({ answer }) => 'text' in answer)
  // Without lines and without another try, a question would change nothing.
  if (!isGiven && left <= 0) {
    const next = refuseFollowUp(conversation, places)
    reportFollowUp(next, input)
    return next
  }
  const question = followUpQuestion({
    panel: input.panel,
    address: conversation.planned.address,
    number,
    asked: last.question,
    answer: last.text,
    places,
    given: numberGiven(places, book),
    shown: conversation.planned.shown,
    standing: keptFindings(conversation),
    left,
    maxOutputTokens: answerTokensFor(model).followUp,
    fence: input.fence,
  })
  return { conversation, places, question }
}

/** The lines that are given, as evidence. */
function numberGiven(places: readonly AnsweredPlace[], book: EvidenceBook): Evidence[] {
  return places.flatMap(({ answer }) => {
    if ('refused' in answer) return []
    const { cut, ...lines } = answer
    const title = `requested by the reviewer${cut === null ? '' : `, ${cut}`}`
    const range = { source: 'file', trust: 'foreign', title, side: 'new', ...lines } as const
    return [{ id: book.add(range), ...range }]
  })
}

async function answerRequests(
  requests: readonly ContextRequest[],
  number: number,
  { config, head, facts }: ReviewerInput,
): Promise<AnsweredPlace[]> {
  const { followUps, followUpTokens } = config.review
  const none = whyNone(number, followUps)
  const answers = none
    ? requests.map(() => none)
    : await checkRequests(requests, { head, facts, maxTokens: followUpTokens })
  return requests.flatMap((request, at) => {
    const answer = answers[at]
    return answer ? [{ request, answer }] : []
  })
}

function whyNone(number: number, followUps: number): Refused | null {
  if (followUps === 0)
    return { refused: { kind: 'switched-off', detail: 'follow-ups are switched off for this run' } }
  if (number > followUps)
    return { refused: { kind: 'limit', detail: `${followUps} of ${followUps} follow-ups were made already` } }
  return null
}

function reportRequest(request: ContextRequest, { onEvent }: ReviewerInput): void {
  const named = request.symbol.trim() === '' ? [] : [request.symbol]
  onEvent({
    type: 'follow_up_requested',
    path: visibleLine([request.file, ...named].filter((part) => part !== '').join(' ')).slice(0, 500),
    startLine: request.line_start,
    endLine: request.line_end,
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
