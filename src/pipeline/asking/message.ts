/** What is shown to whoever answers a question: material under numbers, the findings, the conversation so far, the question. */
import { numberedLines } from '../../agent/diff-text.ts'
import { type Fence, Untrusted } from '../../base/untrusted/untrusted.ts'
import type { AskedTurn } from '../../domain/asked-turn.ts'
import type { Finding } from '../../domain/finding.ts'
import { type Material, type NumberedHunk, placeOf } from './material.ts'

const mostTurns = 6

export type Conversation = { findings: readonly Finding[]; earlier: readonly AskedTurn[]; question: string }

/** `stable`: the same for every question about this review; `rest`: what was read for this one, and what is asked. */
export function renderQuestion(
  { hunks, evidence, left }: Material,
  conversation: Conversation,
  /** Calls that were made for the question and show nothing, each with the reason. */
  fruitless: readonly string[],
  fence: Fence,
): { stable: string; rest: string } {
  const stable = [
    fence.rule,
    hunks.length > 0
      ? 'The change, hunk by hunk. Numbers are lines after the change, and before it on removed lines.'
      : 'The change has no lines to show.',
    ...hunks.map((one) => renderHunk(one, fence)),
  ]
  const rest = [
    'Evidence:',
    ...evidence.map((item) => {
      const title = item.path === null ? item.title : `${item.title} in ${placeOf(item)}`
      return `${item.id}:\n${fence.render(new Untrusted(title, item.text))}`
    }),
    ...listed('Left out for lack of room:', 'left out', left, fence),
    ...listed('These calls were made for the question and show nothing:', 'calls', fruitless, fence),
    renderConversation(conversation, fence),
  ]
  return { stable: stable.join('\n\n'), rest: rest.join('\n\n') }
}

/** The findings, what was said so far, and the question. */
export function renderConversation({ findings, earlier, question }: Conversation, fence: Fence): string {
  return [
    listFindings(findings, fence),
    ...earlier.slice(-mostTurns).flatMap((turn, at) => renderTurn(turn, at + 1, fence)),
    'The question:',
    fence.render(new Untrusted('question of a person', question)),
  ].join('\n\n')
}

function renderHunk({ id, file, hunk, lines }: NumberedHunk, fence: Fence): string {
  const cut = lines.length < hunk.lines.length ? ['(cut)'] : []
  const text = [...numberedLines(lines), ...cut].join('\n')
  const title = `${file.path}, from line ${hunk.newStart} ${hunk.section}`.trimEnd()
  return `${id}:\n${fence.render(new Untrusted(title, text))}`
}

function listed(head: string, origin: string, lines: readonly string[], fence: Fence): string[] {
  return lines.length === 0 ? [] : [`${head}\n${fence.render(new Untrusted(origin, lines.join('\n')))}`]
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

const outcomes = {
  conceded: 'it was withdrawn',
  held: 'it was upheld',
  undecided: 'nothing was decided',
} as const

/** What was said before is foreign too: a person wrote half of it, and a model the other. The labels are ours. */
function renderTurn(turn: AskedTurn, number: number, fence: Fence): string[] {
  const { question, statements, cannot, disputed, failed } = turn
  const said = statements.map(({ text, isGuess }) => (isGuess ? `(a guess) ${text}` : text))
  return [
    `Earlier question ${number}:\n${fence.render(new Untrusted('earlier question', question))}`,
    ...(failed === null ? [] : ['There was no answer.']),
    ...listed('It was answered:', 'earlier answer', said, fence),
    ...listed('What the evidence did not show:', 'not shown', cannot === '' ? [] : [cannot], fence),
    ...(disputed
      ? listed(
          `An independent check of ${disputed.finding} followed; ${outcomes[disputed.outcome]}:`,
          'reason of the check',
          [disputed.check.reason],
          fence,
        )
      : []),
  ]
}
