/** One plane's talk with the model about one group: the first answer, and the follow-up with what it changed. */
import { count } from '../../base/count.ts'
import type { ModelCall } from '../../domain/model-call.ts'
import type { FollowUp, GroupOutcome } from '../../domain/model-report.ts'
import type { MemoryInsight } from '../../domain/review.ts'
import type { Question, Reply } from '../../llm/contract.ts'
import { criteriaIn, insightsIn } from './answer/extras.ts'
import type { ContextRequest, ReviewAnswer, WireFinding } from './answer/schema.ts'
import type { CriterionAnswer } from './contract.ts'
import type { Refused } from './follow-up/check-request.ts'
import {
  type MergeCounts,
  mergeAnswers,
  type TrackedFinding,
  trackFindings,
} from './follow-up/merge-answers.ts'
import type { PlannedLook } from './plan-questions.ts'
import { followUpAddress } from './questions.ts'

/** More in one answer is not a review any more. */
const mostFindings = 50
const mostNotes = 50

export type Conversation = {
  look: PlannedLook
  outcome: GroupOutcome
  /** Set unless answered. */
  reason: string | null
  calls: readonly ModelCall[]
  tracked: readonly TrackedFinding[]
  insufficient: readonly { path: string; reason: string }[]
  unfit: readonly { what: string; reason: string }[]
  followUps: readonly FollowUp[]
  /** By ticket and criterion: the last word on each. */
  criteria: ReadonlyMap<string, CriterionAnswer>
  insights: readonly MemoryInsight[]
  /** The question and the text that were exchanged last; null when there was no answer. */
  last: { question: Question<ReviewAnswer>; text: string } | null
  /** What it asked for in its last answer. */
  wants: ContextRequest | null
}

export function notAsked(look: PlannedLook, outcome: GroupOutcome, reason: string | null): Conversation {
  const nothing = {
    calls: [],
    tracked: [],
    insufficient: [],
    unfit: [],
    followUps: [],
    criteria: new Map(),
    insights: [],
    last: null,
    wants: null,
  }
  return { look, outcome, reason, ...nothing }
}

export function begin(look: PlannedLook, reply: Reply<ReviewAnswer>): Conversation {
  if (reply.outcome !== 'answered')
    return { ...notAsked(look, reply.outcome, reply.reason), calls: reply.calls }
  const { value, text, repaired, calls } = reply
  const { findings, unfit } = capFindings(value.findings)
  return {
    ...notAsked(look, 'answered', null),
    calls,
    tracked: trackFindings(findings, repaired),
    insufficient: value.insufficient_context.slice(0, mostNotes).map(asNote),
    unfit,
    ...withExtras({ criteria: new Map(), insights: [] }, value, look),
    last: { question: look.question, text },
    wants: value.context_request,
  }
}

export function standing({ tracked }: Conversation): TrackedFinding[] {
  return tracked.filter(({ withdrawn }) => withdrawn === null)
}

export function refuseFollowUp(
  talk: Conversation,
  request: ContextRequest,
  { refused }: Refused,
): Conversation {
  const none = { confirmed: 0, dismissed: 0, added: 0, unmentioned: standing(talk).length }
  return withFollowUp({ ...talk, wants: null }, request, { refused, outcome: null, ...none, calls: [] })
}

/** An answer that cannot be used changes nothing: earlier findings remain. */
export function goOn(
  talk: Conversation,
  request: ContextRequest,
  question: Question<ReviewAnswer>,
  reply: Reply<ReviewAnswer>,
): Conversation {
  const calls = [...talk.calls, ...reply.calls]
  const told = { refused: null, outcome: reply.outcome, calls: reply.calls }
  if (reply.outcome !== 'answered') {
    const none = { confirmed: 0, dismissed: 0, added: 0, unmentioned: standing(talk).length }
    return withFollowUp({ ...talk, calls, wants: null }, request, { ...told, ...none })
  }
  const { findings, unfit } = capFindings(reply.value.findings)
  const merged = mergeAnswers(talk.tracked, { ...reply.value, findings }, reply.repaired)
  const strange = merged.strange.slice(0, mostNotes).map((id) => ({
    what: `a verdict on ${id.slice(0, 20)}`,
    reason: 'there is no such finding',
  }))
  const next: Conversation = {
    ...talk,
    calls,
    tracked: merged.tracked,
    insufficient: [...talk.insufficient, ...reply.value.insufficient_context.slice(0, mostNotes).map(asNote)],
    unfit: [...talk.unfit, ...unfit, ...strange],
    ...withExtras(talk, reply.value, talk.look),
    last: { question, text: reply.text },
    wants: reply.value.context_request,
  }
  return withFollowUp(next, request, { ...told, ...merged.counts })
}

function withFollowUp(
  talk: Conversation,
  request: ContextRequest,
  { calls, ...told }: Pick<FollowUp, 'refused' | 'outcome'> & MergeCounts & { calls: readonly ModelCall[] },
): Conversation {
  const followUp: FollowUp = {
    address: followUpAddress(talk.look.address, talk.followUps.length + 1),
    path: request.file.slice(0, 500),
    startLine: wholeNumber(request.line_start),
    endLine: wholeNumber(request.line_end),
    reason: request.reason.slice(0, 500),
    ...told,
    extraTokens: calls.reduce((sum, { usage }) => sum + usage.input + usage.output, 0),
    cachedTokens: calls.reduce((sum, { usage }) => sum + usage.cacheRead, 0),
  }
  return { ...talk, followUps: [...talk.followUps, followUp] }
}

function wholeNumber(value: number | null): number | null {
  return value !== null && Number.isSafeInteger(value) ? value : null
}

function withExtras(
  { criteria, insights }: Pick<Conversation, 'criteria' | 'insights'>,
  answer: ReviewAnswer,
  { plane }: PlannedLook,
): Pick<Conversation, 'criteria' | 'insights'> {
  const said = criteriaIn(answer, plane.name)
  return {
    criteria: new Map([
      ...criteria,
      ...said.map((one) => [JSON.stringify([one.ticket, one.id]), one] as const),
    ]),
    insights: [...insights, ...insightsIn(answer, plane.name)],
  }
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
