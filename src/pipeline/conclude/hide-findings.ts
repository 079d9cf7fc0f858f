/** Filters: what is kept out of sight. They change what is shown, never the conclusion, the confidence or the exit code. */
import type { Finding } from '../../domain/finding.ts'
import type { HiddenFinding } from '../../domain/review.ts'
import { isAtLeast, type Severity } from '../../domain/severity.ts'

export type Filters = {
  /** Milder findings are hidden; `by` names the filter as it was given. */
  minSeverity: { severity: Severity; by: string }
  /** Planes whose findings are hidden, each with the filter that does it. */
  planes: ReadonlyMap<string, string>
}

export const noFilters: Filters = { minSeverity: { severity: 'low', by: '' }, planes: new Map() }

/** Both lists keep the order of `findings`. */
export function hideFindings(
  findings: readonly Finding[],
  { minSeverity, planes }: Filters,
): { shown: Finding[]; hidden: HiddenFinding[] } {
  const shown: Finding[] = []
  const hidden: HiddenFinding[] = []
  for (const finding of findings) {
    const { id, severity, preExisting, plane } = finding
    const by = planes.get(plane) ?? (isAtLeast(severity, minSeverity.severity) ? null : minSeverity.by)
    if (by === null) shown.push(finding)
    else hidden.push({ id, severity, preExisting, by })
  }
  return { shown, hidden }
}
