/**
 * The questions to the reviewing model, word for word. What both readers of a group are told comes first, byte for byte the
 * same, so that the provider reads it from its cache.
 */

import { renderViews, type ShownLines } from '../../agent/evidence-views.ts'
import { type Fence, Untrusted } from '../../base/untrusted/untrusted.ts'
import type { Evidence } from '../../domain/evidence.ts'
import type { PromptPart, Question } from '../../llm/contract.ts'
import { type ContextRequest, type ReviewAnswer, reviewAnswer } from './answer/schema.ts'
import type { Granted, Refused } from './follow-up/check-request.ts'
import type { TrackedFinding } from './follow-up/merge-answers.ts'
import type { Panel } from './panel.ts'

export type OpeningQuestion = {
  panel: Panel
  address: string
  /** The diffs of the group, and what else the change touches. */
  change: string
  /** Code and words from around the change; may be empty. */
  background: string
  closing: string
  /** A model, one of another provider than which is to be asked where reviewers have any; null for none. */
  apartFrom: string | null
  maxOutputTokens: number
  signal: AbortSignal
}

/** The beginning of a conversation. */
export function openingQuestion(input: OpeningQuestion): Question<ReviewAnswer> {
  const { panel, address, change, background, closing, apartFrom, maxOutputTokens, signal } = input
  return {
    role: 'reviewer',
    address: `${address}/review`,
    prompt: panel.instructions.id,
    instructions: [{ text: panel.instructions.text, stable: true }],
    turns: [
      {
        from: 'user',
        parts: [
          { text: change, stable: true },
          ...(background === '' ? [] : [{ text: background, stable: true }]),
          { text: closing },
        ],
      },
    ],
    answer: reviewAnswer,
    maxOutputTokens,
    effort: 'medium',
    ...(apartFrom === null ? {} : { apartFrom }),
    signal,
  }
}

export type Closing = {
  /** Fenced; null where they are left out. */
  authorsWords: string | null
  /** What an earlier review found; null without one. */
  earlier: string | null
  /** What this reader is told and the other is not; may be empty. */
  reader: string
  /** With 0 the prompt says that there are no further lines. */
  followUps: number
}

export function closingWords({ authorsWords, earlier, reader, followUps }: Closing): string {
  const more =
    followUps === 0
      ? 'No more lines are available in this run: leave `context_requests` empty.'
      : 'If lines that you do not see would decide a finding, request up to three small places; otherwise leave `context_requests` empty.'
  return [authorsWords ?? '', earlier ?? '', reader, `Review these files. ${more}`]
    .filter((text) => text !== '')
    .join('\n\n')
}

export type FollowUpQuestion = {
  panel: Panel
  /** Of the conversation that it goes on with. */
  address: string
  number: number
  /** The question that was answered, and the answer. */
  asked: Question<ReviewAnswer>
  answer: string
  /** Every place that it asked for, with what became of it. */
  places: readonly { request: ContextRequest; answer: Granted | Refused }[]
  /** What is given of them. */
  given: readonly Evidence[]
  /** What the conversation showed before: only other lines are shown now. */
  shown: ShownLines
  standing: readonly TrackedFinding[]
  /** How many more there may be after this one. */
  left: number
  maxOutputTokens: number
  fence: Fence
}

/** Goes on with the conversation, so that all that was read is read from the cache. */
export function followUpQuestion(input: FollowUpQuestion): Question<ReviewAnswer> {
  const { panel, address, number, asked, answer } = input
  return {
    ...asked,
    address: followUpAddress(address, number),
    prompt: panel.followUp.id,
    turns: [
      ...asked.turns,
      { from: 'model', parts: [{ text: answer }] },
      { from: 'user', parts: followUpParts(panel.followUp.text, input) },
    ],
    maxOutputTokens: input.maxOutputTokens,
  }
}

/** `number`: 1 for the first one of a conversation. */
export function followUpAddress(address: string, number: number): string {
  return `${address}/follow-up${number === 1 ? '' : `-${number}`}`
}

function followUpParts(
  instructions: string,
  { places, given, shown, standing, fence, left }: FollowUpQuestion,
): PromptPart[] {
  const missing = places.flatMap(({ request, answer }) =>
    'refused' in answer ? [`${nameOf(request)}: ${answer.refused.detail}`] : [],
  )
  const list = standing
    .map(({ id, finding }) => `${id} ${finding.file} ${finding.tags.slice(0, 3).join(' ')}: ${finding.title}`)
    .join('\n')
  return [
    {
      text: [
        instructions,
        ...renderViews(given, shown, fence),
        ...(missing.length === 0
          ? []
          : [
              `Not given, with the reason:\n${fence.render(new Untrusted('places that you requested', missing.join('\n')))}`,
            ]),
        standing.length === 0 ? 'You had no findings.' : 'Your findings:',
        ...(standing.length === 0 ? [] : [fence.render(new Untrusted('your own earlier answer', list))]),
        left > 0
          ? 'You may request places once more.'
          : 'No more lines are available: leave `context_requests` empty.',
      ].join('\n\n'),
    },
  ]
}

/** As the model named it. */
function nameOf({ what, file, symbol, line_start: start, line_end: end }: ContextRequest): string {
  const lines = start === 0 ? '' : `:${start}-${end}`
  return [what === 'code' ? '' : `${what} of`, file === '' ? '' : `${file}${lines}`, symbol]
    .filter((part) => part !== '')
    .join(' ')
    .slice(0, 300)
}
