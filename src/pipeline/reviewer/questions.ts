/**
 * The questions to the reviewing model, word for word. What planes have in common comes first, byte for byte the same, so
 * that the provider reads it from its cache; what is for one plane only comes last.
 */

import { renderViews, type ShownLines } from '../../agent/evidence-views.ts'
import { type Fence, Untrusted } from '../../base/untrusted/untrusted.ts'
import type { Evidence } from '../../domain/evidence.ts'
import type { PromptPart, Question } from '../../llm/contract.ts'
import type { ContextRequest, ReviewAnswer } from './answer/schema.ts'
import type { Granted, Refused } from './follow-up/check-request.ts'
import type { TrackedFinding } from './follow-up/merge-answers.ts'
import { type ModelPlane, namePlanes } from './panel/model-planes.ts'
import type { Panel } from './panel/panels.ts'

export type OpeningQuestion = {
  panel: Panel
  /** At least one. */
  planes: readonly ModelPlane[]
  address: string
  /** The diffs of the group, and what else the change touches. */
  change: string
  /** Code and words from around the change; may be empty. Both are the same for every plane of the group. */
  background: string
  /** For these planes only. */
  closing: string
  /** Prompt files that are in the closing, beside those of the planes. */
  further?: readonly string[]
  maxOutputTokens: number
  signal: AbortSignal
}

/** The beginning of a conversation. */
export function openingQuestion(input: OpeningQuestion): Question<ReviewAnswer> {
  const { panel, planes, address, change, background, closing, further = [], maxOutputTokens, signal } = input
  return {
    role: 'reviewer',
    address: `${address}/review`,
    prompt: [...further, ...planes.map(({ prompt }) => prompt)].join('+'),
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
    answer: panel.answer,
    maxOutputTokens,
    effort: highestEffort(planes),
    signal,
  }
}

const efforts = ['low', 'medium', 'high'] as const

function highestEffort(planes: readonly ModelPlane[]): ModelPlane['effort'] {
  return efforts.findLast((effort) => planes.some((plane) => plane.effort === effort)) ?? 'medium'
}

/** A plane with the files that it is asked about, which may be fewer than those that it is shown. */
export type Topic = { plane: ModelPlane; files: ReadonlySet<string> }

export type Closing = {
  topics: readonly Topic[]
  /** For a second reading: what it begins with, and the list of what the first one found; null otherwise. */
  second: { instructions: string; list: string } | null
  /** Fenced; null for planes that do not get them. */
  authorsWords: string | null
  /** What an earlier review found; null without one. */
  earlier: string | null
  /** The files of the group. */
  shown: readonly string[]
  /** With 0 the prompt says that there are no further lines. */
  followUps: number
  fence: Fence
}

export function closingWords({
  topics,
  second,
  authorsWords,
  earlier,
  shown,
  followUps,
  fence,
}: Closing): string {
  const more =
    followUps === 0
      ? 'No more lines are available in this run: leave `context_requests` empty.'
      : 'If lines that you do not see would decide a finding, request up to three small places; otherwise leave `context_requests` empty.'
  const lists = topics.map(({ files }) => shown.filter((path) => files.has(path)).join('\n'))
  const isAlike = new Set(lists).size === 1
  const restriction = (list: string | undefined, beginning: string): string =>
    list === undefined || list === shown.join('\n')
      ? ''
      : `${beginning} these only; the others help to understand them:\n${fence.render(new Untrusted('files to look at', list))}`
  return [
    second?.instructions ?? '',
    topics.length > 1 ? severalTopics(topics) : '',
    ...topics.flatMap(({ plane: { name, text } }, at) => [
      text,
      isAlike ? '' : restriction(lists[at], `For the topic ${name}, look of the files above at`),
    ]),
    isAlike ? restriction(lists[0], 'Of the files above look at') : '',
    second?.list ?? '',
    authorsWords ?? '',
    earlier ?? '',
    `${second ? 'Read these files for your topics' : 'Review these files'}. ${more}`,
  ]
    .filter((text) => text !== '')
    .join('\n\n')
}

function severalTopics(topics: readonly Topic[]): string {
  const names = namePlanes(topics.map(({ plane }) => plane))
  return `You have ${topics.length} topics: ${names}. One answer holds the findings of all of them. What one of them leaves to another of them is yours too.`
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
