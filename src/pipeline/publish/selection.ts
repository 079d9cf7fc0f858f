/** Which findings a report shows in full, and which it only lists: one rule for every format that people or agents read. */
import { type Finding, isHearsay } from '../../domain/finding.ts'
import { isConfirmedByCode } from '../../domain/proof.ts'
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

export type SelectionOptions = {
  maxInline: number
  /** Also minor findings of models in full, as far as there is room; by default they are only listed. */
  minor?: boolean
}

/** At most `maxInline` in full, those that existed before the change in the room that the others leave. */
export function selectFindings(
  { findings }: Review,
  { maxInline, minor = false }: SelectionOptions,
): SelectedFindings {
  const fresh = findings.filter(({ preExisting }) => !preExisting)
  const old = findings.filter(({ preExisting }) => preExisting)
  return {
    fresh: select(fresh, maxInline, minor),
    old: select(old, Math.max(0, maxInline - fresh.length), minor),
  }
}

/**
 * What a model found to be low is listed whatever the room: most of it is true and little of it worth an interruption
 * (docs/quality/desk.md). Where not all others fit, low ones are listed too, unless nothing else was found.
 */
function select(findings: readonly Finding[], most: number, minor: boolean): Selection {
  const open = minor ? findings : findings.filter((finding) => !isMinor(finding))
  const serious = open.filter(({ severity }) => severity !== 'low')
  const candidates = open.length <= most || serious.length === 0 ? open : serious
  const full = candidates.slice(0, most)
  const isFull = new Set(full)
  return { full, listed: findings.filter((finding) => !isFull.has(finding)) }
}

function isMinor(finding: Finding): boolean {
  return isHearsay(finding) && finding.severity === 'low' && !isConfirmedByCode(finding)
}
