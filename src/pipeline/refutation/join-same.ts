/**
 * Findings that a judge calls one are told once. Two readers say the same in other words and on other lines, which code cannot see, and
 * whoever judges both has read them side by side. Pure.
 */
import { type Finding, hasFinding, isHearsay, type Verdict } from '../../domain/finding.ts'
import { compareSupport, mergeFindings } from '../../domain/merge-findings.ts'

/** Ids of two findings of one question, of which a judge says that they are one. */
export type Twins = readonly [string, string]

/** One for each that came in, in the same order. Of two that are one, the stronger stays, with the lines and the evidence of both. */
export function joinSame(verdicts: readonly Verdict[], twins: readonly Twins[]): Verdict[] {
  const standing = new Map(verdicts.filter(hasFinding).map((verdict) => [verdict.finding.id, verdict]))
  const winnerOf = new Map<string, string>()
  const last = (id: string): string => {
    const winner = winnerOf.get(id)
    return winner === undefined ? id : last(winner)
  }
  for (const ids of twins) {
    const [a, b] = ids.map((id) => standing.get(last(id)))
    if (!a || !b || a === b || !mayBeOne(a.finding, b.finding)) continue
    const [winner, other] = compareSupport(a.finding, b.finding) <= 0 ? [a, b] : [b, a]
    const { explanation, remedy } = winner.finding
    // The other one's words are the same again.
    const finding = {
      ...mergeFindings(winner.finding, other.finding),
      explanation,
      remedy: remedy ?? other.finding.remedy,
    }
    standing.set(finding.id, { ...winner, finding })
    winnerOf.set(other.finding.id, finding.id)
  }
  return verdicts.map((verdict) => {
    if (!verdict.finding) return verdict
    const { id } = verdict.finding
    if (!winnerOf.has(id)) return standing.get(id) ?? verdict
    const reason = `It is the same as ${last(id)}, says an independent check`
    return { ...verdict, outcome: 'dropped', step: 'duplicates', reason, finding: null }
  })
}

/** A judge cannot join what has no file in common, nor an old problem to a new one, nor what code found to anything. */
function mayBeOne(a: Finding, b: Finding): boolean {
  const [paths, others] = [a, b].map(({ anchor, places = [] }) => [
    anchor.path,
    ...places.map(({ path }) => path),
  ])
  return (
    isHearsay(a) &&
    isHearsay(b) &&
    a.preExisting === b.preExisting &&
    (paths ?? []).some((path) => others?.includes(path))
  )
}
