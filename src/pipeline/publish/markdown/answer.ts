/** The answer to a question about a review, as a comment on a host. All of its words come from models, and are foreign. */
import { z } from 'zod'
import { AskedTurn } from '../../../domain/asked-turn.ts'
import { paragraphs } from '../words.ts'
import { codeSpan, proseToMarkdown } from './escape.ts'
import { paragraphToMarkdown } from './finding.ts'

/** What a publisher is handed. */
export const PostedAnswer = z.object({
  turn: AskedTurn,
  /** Titles of the findings of the review, by id. */
  titles: z.record(z.string(), z.string()),
  /** Where what is cited lies, such as `src/a.ts:12`, by its id. */
  places: z.record(z.string(), z.string()),
})
export type PostedAnswer = z.infer<typeof PostedAnswer>

const verdicts = { conceded: 'withdrawn', held: 'upheld', undecided: 'kept' } as const

/** `room`: most characters. */
export function answerToMarkdown({ turn, titles, places }: PostedAnswer, room: number): string {
  const { statements, cannot, disputed, failed } = turn
  const said = statements.map(({ text, citations, isGuess }) =>
    [
      isGuess ? '**A guess, which the code does not show:**' : '',
      ...paragraphs(text).map(paragraphToMarkdown),
      citations.map(({ evidence, quote }) => cited(places[evidence] ?? evidence, quote)).join('\n'),
    ]
      .filter((part) => part !== '')
      .join('\n\n'),
  )
  const missing = cannot === '' ? [] : [`The evidence does not show: ${proseToMarkdown(cannot)}`]
  const checked = disputed
    ? [
        `An independent check of “${proseToMarkdown(titles[disputed.finding] ?? disputed.finding)}”: **${verdicts[disputed.outcome]}**. ${proseToMarkdown(disputed.check.reason)}`,
      ]
    : []
  const parts =
    failed === null
      ? [...said, ...missing, ...checked]
      : [`The question could not be answered: ${proseToMarkdown(failed)}`]
  // Whole parts only: half of a code span would bring the rest to life.
  while (parts.join('\n\n').length > room) parts.pop()
  return parts.join('\n\n') || 'There is nothing to say about it.'
}

function cited(place: string, quote: string): string {
  return `- ${codeSpan(place)}: ${codeSpan(quote.replaceAll('\n', ' '))}`
}
