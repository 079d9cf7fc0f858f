/** Compares what the plane named with what a judge says. */
import type { CandidateDraft } from '../../src/domain/finding.ts'
import { type BrokenUse, ruleFor } from '../../src/pipeline/planes/contract/breakage.ts'

export type Place = { path: string; line: number; endLine: number; rule: string; name: string; words: string }

/** Only places that a finding speaks of: one without an anchor in the diff is not published. */
export function placesOf(candidates: readonly CandidateDraft[], found: readonly BrokenUse[]): Place[] {
  const published = new Set(candidates.map(({ rule }) => rule))
  const places = new Map<string, Place>()
  for (const { path, line, endLine, subject, failure, name, words } of found) {
    const rule = ruleFor(subject, failure)
    if (published.has(rule)) places.set(`${path}:${line}`, { path, line, endLine, rule, name, words })
  }
  return [...places.values()]
}

/** Same file, same or adjacent line, or inside a call that spans lines. */
export function meets(place: Place, truth: { path: string; line: number }): boolean {
  return place.path === truth.path && truth.line >= place.line - 1 && truth.line <= place.endLine + 1
}

export type Tally = { cases: number; truth: number; named: number; reported: number; right: number }

export function emptyTally(): Tally {
  return { cases: 0, truth: 0, named: 0, reported: 0, right: 0 }
}

export function ratio(part: number, whole: number): string {
  return whole === 0 ? '-' : (part / whole).toFixed(3)
}
