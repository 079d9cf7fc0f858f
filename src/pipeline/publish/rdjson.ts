/** Reviewdog's diagnostic format, for those who already route linters through it. */
import type { Finding } from '../../domain/finding.ts'
import type { Review } from '../../domain/review.ts'
import type { Severity } from '../../domain/severity.ts'
import { citedEvidence } from './words.ts'

const level: Record<Severity, string> = { critical: 'ERROR', high: 'ERROR', medium: 'WARNING', low: 'INFO' }

/**
 * One `DiagnosticResult`. Findings on lines that exist only at the base have no place at the head; they are left
 * on the file without a range, as the format's `path` alone allows.
 */
export function renderRdjson(review: Review): string {
  const result = {
    source: { name: 'sightline' },
    diagnostics: review.findings.map((finding) => diagnostic(review, finding)),
  }
  return `${JSON.stringify(result, null, 2)}\n`
}

function diagnostic(review: Review, finding: Finding) {
  const related = citedEvidence(review, finding).flatMap(({ item }) =>
    item.path !== null && item.startLine !== null && item.side !== 'old'
      ? [
          {
            message: item.title,
            location: location(item.path, item.startLine, item.endLine ?? item.startLine),
          },
        ]
      : [],
  )
  return {
    message: [finding.title, finding.explanation, finding.remedy].filter(Boolean).join('\n\n'),
    location:
      finding.side === 'new'
        ? location(finding.anchor.path, finding.startLine, finding.endLine)
        : { path: finding.anchor.path },
    severity: level[finding.severity],
    code: { value: finding.rule },
    ...(related.length > 0 ? { related_locations: related } : {}),
  }
}

function location(path: string, startLine: number, endLine: number) {
  return { path, range: { start: { line: startLine }, end: { line: endLine } } }
}
