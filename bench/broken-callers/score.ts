/** Compares what the plane named with what a judge says. */
import type { CandidateDraft } from '../../src/domain/finding.ts'

export type Place = { path: string; line: number; endLine: number; rule: string; title: string }

export function placesOf(candidates: readonly CandidateDraft[]): Place[] {
  return candidates.flatMap(({ evidence, rule, title }) =>
    evidence.flatMap(({ item }) =>
      item.path !== null && item.startLine !== null
        ? [{ path: item.path, line: item.startLine, endLine: item.endLine ?? item.startLine, rule, title }]
        : [],
    ),
  )
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
