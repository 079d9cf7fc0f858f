/** What was judged besides the findings: acceptance criteria in sight, the rest folded. */
import type { Review } from '../../../domain/review.ts'
import {
  conflictLines,
  criterionLines,
  insightLines,
  refutationLines,
  signalLine,
  skippedLines,
} from '../judgement-words.ts'
import { proseToMarkdown } from './escape.ts'
import { folded } from './finding.ts'

const icons = { covered: '🟢', 'not-covered': '🔴', undecidable: '🟡' } as const

export function criteria(review: Review): string {
  const lines = criterionLines(review).map(({ state, words, reason, places }) => {
    const where = places.length > 0 ? `\\\n  ${places.map(proseToMarkdown).join(', ')}` : ''
    return `- ${icons[state]} ${proseToMarkdown(words)}\\\n  ${proseToMarkdown(reason)}${where}`
  })
  return lines.length === 0 ? '' : `## Acceptance criteria\n\n${lines.join('\n')}`
}

/** Signals of planes are for those who want to know why. */
export function judgements(review: Review, explain: boolean): string {
  const signals = explain ? signalLine(review) : ''
  return [
    list('Where planes did not agree', conflictLines(review)),
    list('Questions that were skipped', skippedLines(review)),
    list('Suggested by models to remember (unchecked)', insightLines(review)),
    signals === '' ? '' : `**Planes:** ${proseToMarkdown(signals)}.`,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

export function secondLooks(review: Review): string {
  const lines = refutationLines(review).map((line) => `- ${proseToMarkdown(line)}`)
  return lines.length === 0 ? '' : `## Independent checks\n\n${lines.join('\n')}`
}

function list(summary: string, lines: readonly string[]): string {
  return lines.length === 0
    ? ''
    : folded(summary, lines.map((line) => `- ${proseToMarkdown(line)}`).join('\n'))
}
