/** Words and signs that more than one format shows. */
import { count } from '../../base/count.ts'
import type { Evidence } from '../../domain/evidence.ts'
import type { Finding } from '../../domain/finding.ts'
import type { Review } from '../../domain/review.ts'
import type { Severity } from '../../domain/severity.ts'

export { count }

export const severityIcon: Record<Severity, string> = { critical: '🔴', high: '🔴', medium: '🟡', low: '🟢' }

/** True of every finding, and so said once. */
export const checkedWords =
  'Every finding cites lines of this change, and its quotes match the files word for word.'

/** `src/a.ts:12` or `src/a.ts:12-14`; lines of the base are marked. */
export function placeOf(finding: Pick<Finding, 'anchor' | 'side' | 'startLine' | 'endLine'>): string {
  const lines =
    finding.startLine === finding.endLine ? `${finding.startLine}` : `${finding.startLine}-${finding.endLine}`
  return `${finding.anchor.path}:${lines}${finding.side === 'old' ? ' (before the change)' : ''}`
}

/** Where an item of evidence stands, or its title where it stands nowhere. */
export function evidencePlace(item: Evidence): string {
  if (item.path === null) return item.title
  if (item.startLine === null) return item.path
  const end = item.endLine !== null && item.endLine !== item.startLine ? `-${item.endLine}` : ''
  return `${item.path}:${item.startLine}${end}${item.side === 'old' ? ' (before the change)' : ''}`
}

/** The evidence a finding cites, in its order, with the quoted words. */
export function citedEvidence(review: Review, finding: Finding): { item: Evidence; quote: string }[] {
  const byId = new Map(review.evidence.map((item) => [item.id, item]))
  return finding.evidence.flatMap(({ evidence, quote }) => {
    const item = byId.get(evidence)
    return item ? [{ item, quote }] : []
  })
}

/** What each plane that did not run to its end came to, once for a name that code and a model share. Foreign words stay raw. */
export function planeGaps({ coverage }: Review): { plane: string; words: string }[] {
  const gaps = new Map(
    coverage.planes
      .filter(({ state }) => state !== 'ran')
      .map(({ plane, state, reason }) => {
        const words =
          state === 'left-out' ? (reason ?? 'left out') : [state, ...(reason ? [reason] : [])].join(', ')
        return [`${plane}: ${words}`, { plane, words }] as const
      }),
  )
  return [...gaps.values()]
}

/** `14 of 14 changed files`, with what was left out. */
export function coverageLine(review: Review): string {
  const { files, unlisted } = review.coverage
  const beyond = unlisted?.files ?? 0
  const inState = (state: string): number => files.filter((file) => file.state === state).length
  const parts = [`reviewed ${inState('reviewed')} of ${count(files.length + beyond, 'changed file')}`]
  if (inState('partly') > 0) parts.push(`${inState('partly')} in part`)
  const unreviewed = inState('not-reviewed') + beyond
  if (unreviewed > 0) parts.push(`${unreviewed} not`)
  if (inState('excluded') > 0) parts.push(`${inState('excluded')} left out by rule`)
  return parts.join(', ')
}
