/** What was judged besides the findings, as the terminal shows it. */
import type { Review } from '../../../domain/review.ts'
import {
  conflictLines,
  criterionLines,
  insightLines,
  refutationLines,
  signalLine,
  skippedLines,
} from '../judgement-words.ts'
import type { Paint } from './paint.ts'
import { wrapProse } from './wrap.ts'

const mostSkipped = 5

export function criteria(review: Review, width: number, paint: Paint): string {
  const lines = criterionLines(review).flatMap(({ words, reason, places }) => [
    ...wrapProse(words, width, '  ', paint),
    ...wrapProse(reason, width, '      ', paint),
    ...places.flatMap((place) => wrapProse(place, width, '      ', paint)),
  ])
  return lines.length === 0 ? '' : [paint.bold('Acceptance criteria'), ...lines].join('\n')
}

/** Short: the Markdown and JSON formats have all of it. Signals of planes are for those who want to know why. */
export function judgements(review: Review, explain: boolean, width: number, paint: Paint): string[] {
  const signals = explain ? signalLine(review) : ''
  const skipped = skippedLines(review)
  const rest = skipped.length - mostSkipped
  return [
    ...labelled('Planes', signals === '' ? [] : [signals], width, paint),
    ...labelled('Disagreed', conflictLines(review), width, paint),
    ...labelled(
      'Not asked',
      rest > 0 ? [...skipped.slice(0, mostSkipped), `… and ${rest} more, in --json`] : skipped,
      width,
      paint,
    ),
    ...labelled('To remember?', insightLines(review), width, paint),
  ]
}

export function secondLooks(review: Review, width: number, paint: Paint): string {
  const lines = refutationLines(review).flatMap((line) => wrapProse(line, width, '  ', paint))
  return lines.length === 0 ? '' : [paint.bold('Independent checks'), ...lines].join('\n')
}

function labelled(label: string, lines: readonly string[], width: number, paint: Paint): string[] {
  const wrapped = lines.flatMap((line) => wrapProse(line, width, '  ', paint))
  return wrapped.length === 0 ? [] : [paint.bold(label), ...wrapped]
}
