/** One round of follow-ups over several talks: requests are checked in order, and what is granted is asked at once. */

import { visibleLine } from '../../../base/visible-text.ts'
import type { EvidenceBook } from '../../../domain/evidence.ts'
import type { Question } from '../../../llm/contract.ts'
import type { ContextRequest, ReviewAnswer } from '../answer/schema.ts'
import type { ReviewerInput } from '../contract.ts'
import { type Conversation, goOn, refuseFollowUp, standing } from '../conversation.ts'
import { answerTokensFor } from '../groups/room.ts'
import { followUpQuestion } from '../questions.ts'
import { checkRequest, type GrantedRange, type Refused } from './check-request.ts'

type Step = { talk: Conversation; request: ContextRequest; question: Question<ReviewAnswer> }

/** `number`: 1 for the first round. Conversations that want nothing come back as they are. */
export async function followUpRound(
  talks: readonly Conversation[],
  number: number,
  input: ReviewerInput,
  book: EvidenceBook,
): Promise<Conversation[]> {
  const scope = scopeOf(input, book)
  const steps: (Conversation | Step)[] = []
  // One after the other: the range becomes evidence, and its number must not depend on who was read first.
  for (const talk of talks) steps.push(await prepare(talk, number, { input, book, scope }))
  // And all questions begin at once, in order, so that a budget is spoken for in the same order every time.
  const replies = await input.gateway.askAll(
    steps.flatMap((step) => ('question' in step ? [step.question] : [])),
  )
  let answered = 0
  return steps.map((step) => {
    if (!('question' in step)) return step
    const reply = replies[answered++]
    if (!reply) return step.talk
    const next = goOn(step.talk, step.request, step.question, reply)
    tellEnd(next, input)
    return next
  })
}

type Bench = { input: ReviewerInput; book: EvidenceBook; scope: ReadonlySet<string> }

async function prepare(talk: Conversation, number: number, bench: Bench): Promise<Conversation | Step> {
  const { input, book } = bench
  const { wants: request, last } = talk
  const model = input.gateway.modelOf('reviewer')
  if (!request || !last || !model) return talk
  tellStart(request, input)
  const granted = await grant(request, number, bench)
  if ('refused' in granted) {
    const next = refuseFollowUp(talk, request, granted)
    tellEnd(next, input)
    return next
  }
  const evidence = book.add({
    source: 'file',
    trust: 'foreign',
    title: 'asked for by the reviewer',
    path: granted.path,
    blob: granted.blob,
    side: 'new',
    startLine: granted.startLine,
    endLine: granted.endLine,
    text: granted.text,
  })
  const question = followUpQuestion({
    panel: input.panel,
    address: talk.look.address,
    number,
    asked: last.question,
    answer: last.text,
    range: granted,
    evidence,
    standing: standing(talk),
    left: input.config.review.followUps - number,
    maxOutputTokens: answerTokensFor(model).followUp,
    fence: input.fence,
  })
  return { talk, request, question }
}

async function grant(
  request: ContextRequest,
  number: number,
  { input, scope }: Bench,
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

function tellStart(request: ContextRequest, { onEvent }: ReviewerInput): void {
  onEvent({
    type: 'follow_up_requested',
    path: visibleLine(request.file).slice(0, 500),
    startLine: request.line_start ?? 0,
    endLine: request.line_end ?? 0,
    reason: visibleLine(request.reason).slice(0, 500),
  })
}

function tellEnd({ followUps }: Conversation, { onEvent, note }: ReviewerInput): void {
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
