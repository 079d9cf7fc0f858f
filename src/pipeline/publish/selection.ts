/** Which findings a report shows in full, and which it only lists: one rule for every format that people or agents read. */
import type { Finding } from '../../domain/finding.ts'
import type { Review } from '../../domain/review.ts'

export type Selection = {
  /** Most important first. */
  full: readonly Finding[]
  /** The minor ones, in one list. */
  listed: readonly Finding[]
}

export type SelectedFindings = {
  fresh: Selection
  /** Problems that existed before the change, which come after all others. */
  old: Selection
}

/** At most `maxInline` in full, those that existed before the change in the room that the others leave. */
export function selectFindings({ findings }: Review, maxInline: number): SelectedFindings {
  const fresh = findings.filter(({ preExisting }) => !preExisting)
  const old = findings.filter(({ preExisting }) => preExisting)
  return { fresh: select(fresh, maxInline), old: select(old, Math.max(0, maxInline - fresh.length)) }
}

/** Where not all fit, low ones are minor whatever their rank, unless nothing else was found. */
function select(findings: readonly Finding[], most: number): Selection {
  const serious = findings.filter(({ severity }) => severity !== 'low')
  const candidates = findings.length <= most || serious.length === 0 ? findings : serious
  const full = candidates.slice(0, most)
  const isFull = new Set(full)
  return { full, listed: findings.filter((finding) => !isFull.has(finding)) }
}
