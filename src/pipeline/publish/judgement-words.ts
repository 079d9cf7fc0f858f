/**
 * What a review judged besides its findings, in lines that the formats for people share: criteria, signals, conflicts,
 * second looks, what was not asked about, what might be remembered. Foreign words stay raw; code stands between backticks.
 */

import { parseTag } from '../../domain/line-tag.ts'
import type { Conflict, PlaneSignal, Review } from '../../domain/review.ts'
import type { CriterionCheck } from '../../domain/ticket.ts'
import { count } from './words.ts'

const most = { skipped: 20, insights: 20 }

const stateWords: Readonly<Record<CriterionCheck['state'], string>> = {
  covered: 'covered',
  'not-covered': 'NOT covered',
  undecidable: 'not decidable',
}

export type CriterionLine = {
  state: CriterionCheck['state']
  words: string
  reason: string
  places: string[]
}

export function criterionLines({ criteria = [] }: Review): CriterionLine[] {
  const tickets = new Set(criteria.map(({ ticket }) => ticket))
  return criteria.map(({ ticket, id, text, state, reason, lines, by }) => ({
    state,
    words: `${tickets.size > 1 ? `${ticket} ` : ''}${id} ${stateWords[state]} (says ${by === 'code' ? 'code' : 'a model'}): ${text}`,
    reason,
    places: lines.map(({ path, tags }) => `\`${ticks(path)}${lineNumbers(tags.slice(0, 3))}\``),
  }))
}

/** `:64, 66`; empty for what has no line of the head. */
function lineNumbers(tags: readonly string[]): string {
  const numbers = tags.flatMap((tag) => {
    const parsed = parseTag(tag)
    return parsed?.side === 'new' ? [parsed.line] : []
  })
  return numbers.length > 0 ? `:${numbers.join(', ')}` : ''
}

/** `contract high (2, certain), rules low (1, likely)`: the planes with findings in one line; empty without any. */
export function signalLine({ signals = [] }: Review): string {
  return signals
    .filter(({ severity }) => severity !== null)
    .map(tellSignal)
    .join(', ')
}

function tellSignal({ plane, severity, findings, confidence }: PlaneSignal): string {
  return `${plane} ${severity} (${findings}, ${confidence})`
}

export function conflictLines({ conflicts = [], findings }: Review): string[] {
  const titleOf = (id: string) => findings.find((finding) => finding.id === id)?.title ?? id
  return conflicts.map(
    ({ upheld, yielded, about, reason }) =>
      `${aboutWords[about]}: "${titleOf(upheld)}" prevails over "${titleOf(yielded)}": ${reason}`,
  )
}

const aboutWords: Readonly<Record<Conflict['about'], string>> = {
  severity: 'how bad it is',
  suggestion: 'suggested fix',
}

/** Every second look, with what it came to. */
export function refutationLines({ refutations = [], verdicts }: Review): string[] {
  const titles = new Map(verdicts.map(({ candidate }) => [candidate.id, candidate.title]))
  return refutations.map(
    ({ finding, outcome, reason, citations }) =>
      `${outcome}: ${titles.get(finding) ?? finding}${citations.length > 0 ? ` (${citations.map(({ evidence }) => evidence).join(', ')})` : ''}: ${reason}`,
  )
}

/** Questions that were skipped, gathered by reason. */
export function skippedLines({ coverage: { skipped = [] } }: Review): string[] {
  const byReason = new Map<string, Map<string, string[]>>()
  for (const { path, category, reason, by } of skipped) {
    const words = by === 'scout' ? `${reason} (says a scout)` : reason
    const paths = byReason.get(words) ?? new Map<string, string[]>()
    paths.set(path, [...(paths.get(path) ?? []), category])
    byReason.set(words, paths)
  }
  const lines = [...byReason].flatMap(([reason, paths]) =>
    [...paths].map(
      ([path, categories]) => `\`${ticks(path)}\`: not asked about ${categories.join(', ')}: ${reason}`,
    ),
  )
  return capped(lines, most.skipped)
}

export function insightLines({ memoryInsights = [] }: Review): string[] {
  const lines = memoryInsights.map(
    ({ plane, text, path }) => `${plane}${path === null ? '' : `, of \`${ticks(path)}\``}: ${text}`,
  )
  return capped(lines, most.insights)
}

function capped(lines: readonly string[], number: number): string[] {
  const rest = lines.length - number
  return rest > 0 ? [...lines.slice(0, number), `… and ${count(rest, 'more line')}, in --json`] : [...lines]
}

function ticks(text: string): string {
  return text.replaceAll('`', "'")
}
