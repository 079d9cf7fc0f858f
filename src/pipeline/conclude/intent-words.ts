/** What a change does and what it set out to do, in our own words around names from the code. */
import type { SymbolChange } from '../../domain/code-symbol.ts'
import type { PlaneSignal } from '../../domain/review.ts'
import type { ReviewContext } from '../../domain/review-context.ts'
import type { CriterionCheck } from '../../domain/ticket.ts'
import { rankSymbolChanges } from './importance.ts'
import { describeSymbolChange } from './symbol-words.ts'
import { code, count, list } from './words.ts'

const toldInFull = 3

const kindWords: Record<SymbolChange['kind'], string> = {
  added: 'added',
  removed: 'removed',
  renamed: 'renamed',
  moved: 'moved',
  'signature-changed': 'with another signature',
  'body-changed': 'with another body only',
}

/** The weightiest changes of symbols in words, and of many the numbers. */
export function describeDoing(changes: readonly SymbolChange[]): string {
  if (changes.length === 0) return 'No symbol of an indexed language changed.'
  const told = rankSymbolChanges(changes).slice(0, toldInFull).map(describeSymbolChange)
  const what = `What it does: ${told.join('; ')}.`
  if (changes.length <= toldInFull) return what
  const counts = Object.entries(kindWords).flatMap(([kind, words]) => {
    const number = changes.filter((change) => change.kind === kind).length
    return number > 0 ? [`${number} ${words}`] : []
  })
  return `${what} Symbols in all: ${counts.join(', ')}.`
}

/**
 * Only when the intent plane looked: what the author and the tickets say, and how much of it stands. The author's words
 * are code between backticks, and no word is a model's.
 */
export function describeAim(
  { request }: ReviewContext,
  signals: readonly PlaneSignal[],
  criteria: readonly CriterionCheck[],
): string {
  const signal = signals.find(({ plane }) => plane === 'intent')
  if (!signal) return ''
  const tickets = (request.tickets ?? []).map(({ id }) => code(id))
  const aims = [
    ...(request.title.trim() === '' ? [] : [`its author calls it ${code(request.title)}`]),
    ...(tickets.length > 0 ? [`it points to ${list(tickets)}`] : []),
    ...(criteria.length > 0 ? [describeCriteria(criteria)] : []),
    ...describeMisses(signal.findings, criteria),
  ]
  return `What it set out to do: ${aims.join('; ')}.`
}

function describeCriteria(criteria: readonly CriterionCheck[]): string {
  const number = (state: CriterionCheck['state']) => criteria.filter((one) => one.state === state).length
  const [missed, open] = [number('not-covered'), number('undecidable')]
  return [
    `${number('covered')} of ${count(criteria.length, 'acceptance criterion', 'acceptance criteria')} covered`,
    ...(missed > 0 ? [`${missed} not covered`] : []),
    ...(open > 0 ? [`${open} not decidable`] : []),
  ].join(', ')
}

/** A criterion that is not covered speaks against the aim as well as a finding does. */
function describeMisses(findings: number, criteria: readonly CriterionCheck[]): string[] {
  if (findings > 0)
    return [`${count(findings, 'finding')} ${findings === 1 ? 'speaks' : 'speak'} of where it misses its aim`]
  return criteria.some(({ state }) => state === 'not-covered')
    ? []
    : ['nothing that was found speaks against its aim']
}
