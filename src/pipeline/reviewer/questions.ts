/** The questions put to the reviewing model, word for word. What stays the same stands first, for the provider's cache. */
import { readPrompt } from '../../base/prompt-file.ts'
import { type Fence, Untrusted } from '../../base/untrusted/untrusted.ts'
import type { PromptPart, Question } from '../../llm/contract.ts'
import { type ReviewAnswer, reviewAnswer } from './answer/schema.ts'
import type { GrantedRange } from './follow-up/check-request.ts'
import type { TrackedFinding } from './follow-up/merge-answers.ts'

export const reviewPrompt = () => readPrompt('quick-review', 1)
export const followUpPrompt = () => readPrompt('follow-up', 1)

export type FirstQuestion = {
  address: string
  /** The same for every group of the run. */
  overview: string
  group: string
  /** 0: the model is told that it cannot ask for more. */
  followUps: number
  maxOutputTokens: number
  signal: AbortSignal
}

export function firstQuestion({
  address,
  overview,
  group,
  followUps,
  maxOutputTokens,
  signal,
}: FirstQuestion): Question<ReviewAnswer> {
  const prompt = reviewPrompt()
  return {
    role: 'reviewer',
    address: `${address}/review`,
    prompt: prompt.id,
    instructions: [{ text: prompt.text, stable: true }],
    turns: [
      {
        from: 'user',
        parts: [
          { text: overview, stable: true },
          { text: `The files that you review now:\n\n${group}`, stable: true },
          { text: task(followUps) },
        ],
      },
    ],
    answer: reviewAnswer,
    maxOutputTokens,
    effort: 'medium',
    signal,
  }
}

function task(followUps: number): string {
  const more =
    followUps === 0
      ? 'There are no further lines to be had in this run: leave `context_request` null.'
      : 'If a finding hangs on lines that you do not see, you may ask for one range; else leave `context_request` null.'
  return `Review these files. ${more}`
}

export type FollowUpQuestion = {
  number: number
  /** The question that was answered, and the answer. */
  asked: Question<ReviewAnswer>
  answer: string
  range: GrantedRange
  /** The number of the range as evidence. */
  evidence: string
  standing: readonly TrackedFinding[]
  /** How many more there may be after this one. */
  left: number
  maxOutputTokens: number
  fence: Fence
}

/** Goes on with the conversation, so that all that was read is read from the cache. */
export function followUpQuestion(input: FollowUpQuestion): Question<ReviewAnswer> {
  const { number, asked, answer } = input
  const prompt = followUpPrompt()
  return {
    ...asked,
    address: `${asked.address.replace(/\/(?:review|follow-up(?:-\d+)?)$/, '')}/follow-up${number === 1 ? '' : `-${number}`}`,
    prompt: prompt.id,
    turns: [
      ...asked.turns,
      { from: 'model', parts: [{ text: answer }] },
      { from: 'user', parts: followUpParts(prompt.text, input) },
    ],
    maxOutputTokens: input.maxOutputTokens,
  }
}

function followUpParts(
  instructions: string,
  { range, evidence, standing, fence, left }: FollowUpQuestion,
): PromptPart[] {
  const { path, startLine, endLine, text } = range
  const width = String(endLine).length
  const lines = text
    .split('\n')
    .map((line, index) => `${String(startLine + index).padStart(width)}| ${line}`)
    .join('\n')
  const list = standing
    .map(({ id, finding }) => `${id} ${finding.file} ${finding.tags.slice(0, 3).join(' ')}: ${finding.title}`)
    .join('\n')
  return [
    {
      text: [
        instructions,
        `${evidence}:\n${fence.render(new Untrusted(`${path}:${startLine}-${endLine} after the change`, lines))}`,
        standing.length === 0 ? 'You had no findings.' : 'Your findings:',
        ...(standing.length === 0 ? [] : [fence.render(new Untrusted('your own earlier answer', list))]),
        left > 0
          ? 'You may ask for one more range.'
          : 'There are no further lines to be had: leave `context_request` null.',
      ].join('\n\n'),
    },
  ]
}
