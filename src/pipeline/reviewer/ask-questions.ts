/** Asks the planned questions and their follow-ups, in an order that lets providers reuse their prompt cache. */
import { visibleLine } from '../../base/visible-text.ts'
import type { Evidence, EvidenceBook } from '../../domain/evidence.ts'
import type { Question } from '../../llm/contract.ts'
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
import type { PlannedQuestion } from './group-questions.ts'
import { answerTokensFor } from './question-size.ts'
import { followUpQuestion } from './questions.ts'
import { settleReaders } from './two-readers.ts'

/** Groups asked about in parallel. */
const atOnce = 4

/**
 * In the order of `questions`: all first readers, then all second ones, who read the beginning of their question from the cache, and
 * then follow-ups of both. So a budget that ends has every file read once before one is read twice. Groups go in waves, each
 * settled before the next begins, so that what a budget allows does not depend on who is faster.
 */
export async function askQuestions(
  questions: readonly PlannedQuestion[],
  input: ReviewerInput,
  book: EvidenceBook,
): Promise<Conversation[]> {
  const waves = wavesOf([...Map.groupBy(questions, ({ group }) => group).values()])
  const report = progressOf(questions, input)
  report([])
  const opened: Conversation[] = []
  for (const reader of [0, 1])
    for (const wave of waves) {
      const round = wave.flatMap((group) => group[reader] ?? [])
      opened.push(...(await askRound(round, input, report)))
    }
  const done: Conversation[] = []
  for (const wave of waves) {
    const own = new Set(wave.flat())
    const ended = await followUp(
      opened.filter(({ planned }) => own.has(planned)),
      input,
      book,
    )
    for (const [one, other] of Map.groupBy(ended, ({ planned }) => planned.group).values())
      if (one) done.push(...(other ? settleReaders(one, other) : [one]))
  }
  return done
}

function wavesOf<Group>(groups: readonly Group[]): Group[][] {
  const starts = [...groups.keys()].filter((at) => at % atOnce === 0)
  return starts.map((from) => groups.slice(from, from + atOnce))
}

/** Reports how many of the questions, and of the files that they are about, are answered with those given. */
function progressOf(questions: readonly PlannedQuestion[], { onEvent }: ReviewerInput) {
  const open = new Set(questions.map(({ address }) => address))
  const total = filesOf(questions).size
  return (answered: readonly PlannedQuestion[]): void => {
    for (const { address } of answered) open.delete(address)
    const left = questions.filter(({ address }) => open.has(address))
    onEvent({
      type: 'stage-progress',
      stage: 'review',
      done: questions.length - open.size,
      total: questions.length,
      files: { done: total - filesOf(left).size, total },
    })
  }
}

function filesOf(questions: Iterable<PlannedQuestion>): ReadonlySet<string> {
  return new Set([...questions].flatMap(({ files }) => [...files]))
}

/** Questions side by side. */
async function askRound(
  round: readonly PlannedQuestion[],
  { gateway }: ReviewerInput,
  report: (answered: readonly PlannedQuestion[]) => void,
): Promise<Conversation[]> {
  if (round.length === 0) return []
  const replies = await gateway.askAll(round.map(({ question }) => question))
  report(round)
  return round.flatMap((planned, index) => {
    const reply = replies[index]
    return reply ? [startConversation(planned, reply)] : []
  })
}

/** One round more than the follow-ups allowed: in it, further requests are refused and reported. */
async function followUp(
  opened: readonly Conversation[],
  input: ReviewerInput,
  book: EvidenceBook,
): Promise<readonly Conversation[]> {
  let conversations = opened
  for (let number = 1; number <= input.config.review.followUps + 1; number++)
    conversations = await followUpRound(conversations, number, input, book)
  return conversations
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
  const isGiven = places.some(({ answer }) => !('refused' in answer))
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
    if ('uses' in answer) return answer.uses.flatMap((item) => book.get(book.add(item)) ?? [])
    const { cut, ...lines } = answer
    const title = `requested by the reviewer${cut === null ? '' : `, ${cut}`}`
    const range = { source: 'file', trust: 'foreign', title, side: 'new', ...lines } as const
    return [{ id: book.add(range), ...range }]
  })
}

async function answerRequests(
  requests: readonly ContextRequest[],
  number: number,
  { config, head, facts, openTools = null, signal }: ReviewerInput,
): Promise<AnsweredPlace[]> {
  const { followUps, followUpTokens } = config.review
  const none = whyNone(number, followUps)
  const answers = none
    ? requests.map(() => none)
    : await checkRequests(requests, {
        head,
        facts,
        maxTokens: followUpTokens,
        tools: openTools && { open: openTools, signal },
      })
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
