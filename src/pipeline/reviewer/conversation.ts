/** The conversation with one reader about one group: the first answer, and what follow-ups changed. */
import { count } from '../../base/count.ts'
import { bareId } from '../../domain/line-tag.ts'
import type { ModelCall } from '../../domain/model-call.ts'
import type { FollowUp, GroupOutcome, RequestedPlace } from '../../domain/model-report.ts'
import type { Question, Reply } from '../../llm/contract.ts'
import type { ContextRequest, ReviewAnswer, WireContest, WireFinding } from './answer/schema.ts'
import type { AskedAuthor, WalkthroughSentence } from './contract.ts'
import type { Granted, Refused } from './follow-up/check-request.ts'
import {
  type MergeCounts,
  mergeAnswers,
  type TrackedFinding,
  trackFindings,
} from './follow-up/merge-answers.ts'
import type { PlannedQuestion } from './group-questions.ts'
import { reviewerName } from './panel.ts'
import { followUpAddress } from './questions.ts'

/** Further findings and notes of one answer are ignored. */
const mostFindings = 50
const mostNotes = 50
const mostRequests = 10
const longestName = 200

export type Conversation = Extras & {
  planned: PlannedQuestion
  outcome: GroupOutcome
  /** Set unless answered. */
  reason: string | null
  calls: readonly ModelCall[]
  tracked: readonly TrackedFinding[]
  insufficient: readonly { path: string; reason: string }[]
  unfit: readonly { what: string; reason: string }[]
  followUps: readonly FollowUp[]
  walkthrough: readonly WalkthroughSentence[]
  /** The question and the text that were exchanged last; null when there was no answer. */
  last: { question: Question<ReviewAnswer>; text: string } | null
  /** What it asked for in its last answer. */
  wants: readonly ContextRequest[]
}

export function notAsked(
  planned: PlannedQuestion,
  outcome: GroupOutcome,
  reason: string | null,
): Conversation {
  const nothing = {
    calls: [],
    tracked: [],
    insufficient: [],
    unfit: [],
    followUps: [],
    ...noExtras,
    walkthrough: [],
    last: null,
    wants: [],
  }
  return { planned, outcome, reason, ...nothing }
}

export function startConversation(planned: PlannedQuestion, reply: Reply<ReviewAnswer>): Conversation {
  if (reply.outcome !== 'answered')
    return { ...notAsked(planned, reply.outcome, reply.reason), calls: reply.calls }
  const { value, text, repaired, calls } = reply
  const { findings, unfit } = capFindings(value.findings)
  return {
    ...notAsked(planned, 'answered', null),
    calls,
    tracked: trackFindings(findings, repaired),
    insufficient: value.insufficient_context.slice(0, mostNotes).map(asNote),
    unfit,
    ...withExtras(noExtras, value),
    walkthrough: walkthroughIn(value),
    last: { question: planned.question, text },
    wants: value.context_requests.slice(0, mostRequests),
  }
}

export function keptFindings({ tracked }: Conversation): TrackedFinding[] {
  return tracked.filter(({ withdrawn }) => withdrawn === null)
}

/** What became of each place that was asked for. */
export type AnsweredPlace = { request: ContextRequest; answer: Granted | Refused }

/** No further question is asked: nothing that was asked for can be given. */
export function refuseFollowUp(conversation: Conversation, places: readonly AnsweredPlace[]): Conversation {
  const none = { confirmed: 0, dismissed: 0, added: 0, unmentioned: keptFindings(conversation).length }
  const [first] = places.flatMap(({ answer }) => ('refused' in answer ? [answer.refused] : []))
  return withFollowUp({ ...conversation, wants: [] }, places, {
    refused: first ?? null,
    outcome: null,
    ...none,
    calls: [],
  })
}

/** An unusable answer changes nothing: the earlier findings are kept. */
export function continueConversation(
  conversation: Conversation,
  places: readonly AnsweredPlace[],
  question: Question<ReviewAnswer>,
  reply: Reply<ReviewAnswer>,
): Conversation {
  const calls = [...conversation.calls, ...reply.calls]
  const result = { refused: null, outcome: reply.outcome, calls: reply.calls }
  if (reply.outcome !== 'answered') {
    const none = { confirmed: 0, dismissed: 0, added: 0, unmentioned: keptFindings(conversation).length }
    return withFollowUp({ ...conversation, calls, wants: [] }, places, { ...result, ...none })
  }
  const { findings, unfit } = capFindings(reply.value.findings)
  const { verdicts } = reply.value
  const merged = mergeAnswers(conversation.tracked, { verdicts, findings }, reply.repaired)
  const strange = merged.strange.slice(0, mostNotes).map((id) => ({
    what: `a verdict on ${id.slice(0, 20)}`,
    reason: 'there is no such finding',
  }))
  const next: Conversation = {
    ...conversation,
    calls,
    tracked: merged.tracked,
    insufficient: [
      ...conversation.insufficient,
      ...reply.value.insufficient_context.slice(0, mostNotes).map(asNote),
    ],
    unfit: [...conversation.unfit, ...unfit, ...strange],
    ...withExtras(conversation, reply.value),
    last: { question, text: reply.text },
    wants: reply.value.context_requests.slice(0, mostRequests),
  }
  return withFollowUp(next, places, { ...result, ...merged.counts })
}

function withFollowUp(
  conversation: Conversation,
  places: readonly AnsweredPlace[],
  { calls, ...result }: Pick<FollowUp, 'refused' | 'outcome'> & MergeCounts & { calls: readonly ModelCall[] },
): Conversation {
  const requested = places.map(describePlace)
  const shown = requested.find(({ refused }) => refused === null) ?? requested[0]
  const followUp: FollowUp = {
    address: followUpAddress(conversation.planned.address, conversation.followUps.length + 1),
    path: shown?.path ?? '',
    startLine: shown?.startLine ?? null,
    endLine: shown?.endLine ?? null,
    reason: shown?.reason ?? '',
    places: requested,
    ...result,
    extraTokens: calls.reduce((sum, { usage }) => sum + usage.input + usage.output, 0),
    cachedTokens: calls.reduce((sum, { usage }) => sum + usage.cacheRead, 0),
  }
  return { ...conversation, followUps: [...conversation.followUps, followUp] }
}

/** What was given, where the request named a symbol; else the lines as they were asked for. */
function describePlace({ request, answer }: AnsweredPlace): RequestedPlace {
  const given = 'text' in answer ? answer : null
  const symbol = request.symbol.trim().slice(0, longestName)
  return {
    ...(request.what === 'code' ? {} : { what: request.what }),
    path: (given?.path ?? request.file).slice(0, 500),
    symbol: symbol === '' ? null : symbol,
    startLine: symbol !== '' && given ? given.startLine : wholeNumber(request.line_start),
    endLine: symbol !== '' && given ? given.endLine : wholeNumber(request.line_end),
    reason: request.reason.slice(0, 500),
    refused: 'refused' in answer ? answer.refused : null,
  }
}

/** 0 is how a model says that it names no line. */
function wholeNumber(value: number): number | null {
  return Number.isSafeInteger(value) && value !== 0 ? value : null
}

function capFindings(findings: readonly WireFinding[]) {
  const beyond = findings.length - mostFindings
  return {
    findings: findings.slice(0, mostFindings),
    unfit:
      beyond > 0
        ? [{ what: `${count(beyond, 'finding')}`, reason: `more than ${mostFindings} in one answer` }]
        : [],
  }
}

function asNote({ file, reason }: { file: string; reason: string }) {
  return { path: file.slice(0, 500), reason: reason.slice(0, 1000) }
}

const most = { questions: 3, steps: 8, contests: 20, places: 6 }
const longest = { tag: 40, path: 1_000, sentence: 300, question: 500 }

/** What one conversation gathers of it, answer by answer. */
type Extras = {
  questions: readonly AskedAuthor[]
  /** By the finding of code that is contested: the last word on each. */
  contests: ReadonlyMap<string, WireContest>
}

const noExtras: Extras = { questions: [], contests: new Map() }

function withExtras({ questions, contests }: Extras, answer: ReviewAnswer): Extras {
  return {
    questions: [...questions, ...questionsIn(answer)].slice(0, most.questions),
    contests: new Map([
      ...contests,
      ...answer.contests.slice(0, most.contests).map((one) => [one.finding, one] as const),
    ]),
  }
}

function questionsIn({ author_questions: asked }: ReviewAnswer): AskedAuthor[] {
  return asked.slice(0, most.questions).flatMap(({ question, file, tag }) => {
    const [text, path] = [question.trim().slice(0, longest.question), plainPath(file)]
    const place = { path: path === '' ? null : path, tag: bareId(tag).slice(0, longest.tag) }
    return text === '' ? [] : [{ plane: reviewerName, text, ...place }]
  })
}

function walkthroughIn({ walkthrough }: ReviewAnswer): WalkthroughSentence[] {
  return walkthrough.slice(0, most.steps).map(asStep)
}

function asStep({ sentence, places }: ReviewAnswer['walkthrough'][number]): WalkthroughSentence {
  return {
    text: sentence.trim().slice(0, longest.sentence),
    places: places
      .slice(0, most.places)
      .map(({ file, tag }) => ({ path: plainPath(file), tag: bareId(tag).slice(0, longest.tag) })),
  }
}

function plainPath(file: string): string {
  return file.trim().replace(/^\.\//, '').slice(0, longest.path)
}
