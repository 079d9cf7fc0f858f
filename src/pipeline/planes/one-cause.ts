/** One cause is one finding, however many places a change has it in: the first place is shown, the others are named in it. */
import { visibleLine } from '../../base/visible-text.ts'
import type { CandidateDraft } from '../../domain/finding.ts'

/** Places that a finding names besides its own. */
const mostPlaces = 10
const longestExplanation = 4_000

/** Candidates with the same key become one; their claims are checked together. In the order of the first of each. */
export function oncePerCause(
  candidates: readonly CandidateDraft[],
  keyOf: (candidate: CandidateDraft) => string,
): CandidateDraft[] {
  return [...Map.groupBy(candidates, keyOf).values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [withPlaces(first, others)],
  )
}

/** `others`: the same thing elsewhere. */
export function withPlaces(first: CandidateDraft, others: readonly CandidateDraft[]): CandidateDraft {
  if (others.length === 0) return first
  const shown = others.slice(0, mostPlaces)
  const all = [first, ...shown]
  const rest = others.length - shown.length
  const places = [...shown.map(placeOf), ...(rest > 0 ? [`${rest} more`] : [])].join(', ')
  return {
    ...first,
    confidence: shown.every(({ confidence }) => confidence === first.confidence)
      ? first.confidence
      : 'likely',
    explanation: `${first.explanation}\n\nThe same is in ${places}.`.slice(0, longestExplanation),
    claims: all.flatMap(({ claims }) => claims),
    evidence: all.flatMap(({ evidence }) => evidence),
  }
}

function placeOf({ anchor, claims }: CandidateDraft): string {
  const line = claims.flatMap((claim) => ('line' in claim ? [claim.line] : []))[0]
  return `\`${visibleLine(anchor.path)}${line === undefined ? '' : `:${line}`}\``
}
