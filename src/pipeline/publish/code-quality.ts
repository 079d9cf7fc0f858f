/** GitLab's Code Quality report (its subset of the Code Climate format), for the widget of a merge request and its diff. */
import { visibleLine } from '../../base/visible-text.ts'
import type { Finding } from '../../domain/finding.ts'
import type { Review } from '../../domain/review.ts'
import type { Severity } from '../../domain/severity.ts'
import { plainJson } from './json.ts'

const level: Record<Severity, string> = {
  critical: 'blocker',
  high: 'critical',
  medium: 'major',
  low: 'minor',
}

/** Lines that exist only at the base have no place at the head, and the format wants one: the first line of the file. */
export function renderCodeQuality(review: Review): string {
  return plainJson(review.findings.map(entryOf))
}

/** The widget shows plain text, in one line. */
function entryOf({ anchor, rule, title, severity, fingerprint, side, startLine, endLine }: Finding) {
  const lines = side === 'new' ? { begin: startLine, end: endLine } : { begin: 1 }
  return {
    description: visibleLine(title),
    check_name: rule,
    fingerprint,
    severity: level[severity],
    location: { path: anchor.path, lines },
  }
}
