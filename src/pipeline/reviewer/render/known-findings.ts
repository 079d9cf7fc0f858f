/** What deterministic planes found, so that a model builds on it and does not say it again. */
import type { Candidate } from '../../../domain/finding.ts'

const most = 40

export function knownFindingLines(candidates: readonly Candidate[]): string[] {
  const lines = candidates.slice(0, most).map(({ rule, severity, anchor, title, evidence }) => {
    const cited = evidence.slice(0, 6).map(({ evidence: id }) => id)
    return `${severity} ${rule} at ${anchor.path} ${anchor.tags.slice(0, 3).join(' ')}: ${title}${cited.length > 0 ? ` (${cited.join(', ')})` : ''}`
  })
  return candidates.length > most ? [...lines, `(and ${candidates.length - most} more)`] : lines
}
