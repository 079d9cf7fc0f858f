/** Reviewdog's diagnostic format, for those who already route linters through it. */
import type { Finding } from '../../domain/finding.ts'
import type { Review } from '../../domain/review.ts'
import type { Severity } from '../../domain/severity.ts'
import { plainJson } from './json.ts'
import { commandsBots, proseToEither } from './markdown/escape.ts'
import { documentedWords, paragraphs, relatedPlaces } from './words.ts'

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
  return plainJson(result)
}

function diagnostic(review: Review, finding: Finding) {
  const related = relatedPlaces(review, finding).map(({ title, path, startLine, endLine }) => ({
    message: proseToEither(title),
    location: location(path, startLine, endLine),
  }))
  return {
    message: messageOf(finding),
    location:
      finding.side === 'new'
        ? location(finding.anchor.path, finding.startLine, finding.endLine)
        : { path: finding.anchor.path },
    severity: level[finding.severity],
    code: { value: finding.rule },
    ...(related.length > 0 ? { related_locations: related } : {}),
    ...suggestions(finding),
  }
}

/** Posted word for word, so what would command a bot of the host stays out. */
function suggestions({ suggestion }: Finding) {
  // Each would be offered by itself, on a line of the diff; edits that belong together are not.
  if (!suggestion || suggestion.further || suggestion.outsideDiff) return {}
  if (commandsBots(suggestion.replacement)) return {}
  const { startLine, endLine, replacement } = suggestion
  const range = { start: { line: startLine }, end: { line: endLine } }
  return { suggestions: [{ range, text: replacement }] }
}

/** reviewdog prints it in a terminal, or posts it as a comment, where Markdown would come to life. */
function messageOf({ title, explanation, remedy, documented }: Finding): string {
  const all = [title, explanation, documentedWords({ documented }), remedy ?? ''].flatMap(paragraphs)
  return all.map((lines) => lines.map(proseToEither).join('  \n')).join('\n\n')
}

function location(path: string, startLine: number, endLine: number) {
  return { path, range: { start: { line: startLine }, end: { line: endLine } } }
}
