/** The review as Markdown: summary, key changes, issues, confidence, important files, verdict. */
import type { Finding } from '../../../domain/finding.ts'
import type { Review } from '../../../domain/review.ts'
import type { RenderOptions } from '../contract.ts'
import { costLines, findingCost, modelRemarks } from '../model-words.ts'
import { paragraphs } from '../prose.ts'
import { citedEvidence, count, coverageLine, evidencePlace, placeOf, severityIcon } from '../words.ts'
import { codeBlock, codeSpan, escapeText, proseToMarkdown, tableCode } from './escape.ts'

const importantFileLimit = 20

export function renderMarkdown(review: Review, options: RenderOptions): string {
  const sections = [
    `## Summary\n\n${paragraphs(review.summary).map(paragraphToMarkdown).join('\n\n')}`,
    keyChanges(review),
    issues(review, options),
    confidence(review),
    importantFiles(review),
    `## Review Verdict\n\n**${review.conclusion.verdict}**: ${proseToMarkdown(review.conclusion.reason)}`,
    coverage(review),
    models(review),
    options.explain ? explanation(review) : '',
    `<sub>Sightline ${escapeText(review.tool.version)} · depth ${review.depth} · bundle ${codeSpan(review.context.slice(0, 12))}</sub>`,
  ]
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`
}

function keyChanges(review: Review): string {
  if (review.keyChanges.length === 0) return ''
  return `## Key Changes\n\n${review.keyChanges.map((change) => `- ${proseToMarkdown(change)}`).join('\n')}`
}

function issues(review: Review, options: RenderOptions): string {
  if (review.findings.length === 0) return '## Issues\n\nNo issues found.'
  const shown = review.findings.slice(0, options.maxInline)
  const folded = review.findings.slice(options.maxInline)
  const full = shown.map((finding) => issue(review, finding, options)).join('\n\n')
  if (folded.length === 0) return `## Issues\n\n${full}`
  const list = folded.map((finding) => `- ${headline(finding, options)}`).join('\n')
  return `## Issues\n\n${full}\n\n<details><summary>${count(folded.length, 'more finding')}</summary>\n\n${list}\n\n</details>`
}

function headline(finding: Finding, options: RenderOptions): string {
  const mark = finding.preExisting ? ' (stood there before)' : ''
  return `${severityIcon[finding.severity]} **${finding.severity}** · ${finding.category} · ${proseToMarkdown(finding.title)}${mark} · ${place(finding, options)}`
}

function place(finding: Finding, options: RenderOptions): string {
  const words = codeSpan(placeOf(finding))
  return options.link && finding.side === 'new'
    ? `[${words}](${options.link(finding.anchor.path, finding.startLine)})`
    : words
}

function issue(review: Review, finding: Finding, options: RenderOptions): string {
  const code = finding.excerpt.map((line) => `${sign(line.kind)}${line.text}`).join('\n')
  const parts = [
    `### ${headline(finding, options)}`,
    code === '' ? '' : codeBlock(code, 'diff'),
    ...paragraphs(finding.explanation).map(paragraphToMarkdown),
    finding.remedy ? `**How to mend it:** ${proseToMarkdown(finding.remedy)}` : '',
    evidence(review, finding),
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

/** A backslash at the end of a line keeps the line break. */
function paragraphToMarkdown(lines: readonly string[]): string {
  return lines.map(proseToMarkdown).join('\\\n')
}

function sign(kind: 'context' | 'added' | 'removed'): string {
  return kind === 'added' ? '+' : kind === 'removed' ? '-' : ' '
}

function evidence(review: Review, finding: Finding): string {
  const cited = citedEvidence(review, finding).map(
    ({ item, quote }) =>
      `- ${item.id} ${codeSpan(evidencePlace(item))}: ${proseToMarkdown(item.title)}\n\n${indent(codeBlock(quote))}`,
  )
  const verified = finding.verifiedBy.map((words) => `- ${proseToMarkdown(words)}`)
  const cost = findingCost(review, finding)
  const identity = `${codeSpan(finding.rule)} · ${finding.confidence} · ${codeSpan(finding.fingerprint.slice(0, 12))}${cost === null ? '' : ` · said by a model, ${escapeText(cost)}`}`
  return [
    `<details><summary>Evidence (${cited.length}) and how it was verified</summary>`,
    ...cited,
    verified.length > 0 ? `Verified:\n\n${verified.join('\n')}` : '',
    identity,
    '</details>',
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

function indent(block: string): string {
  return block
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n')
}

function confidence(review: Review): string {
  const reasons = review.confidence.reasons.map((reason) => `- ${proseToMarkdown(reason)}`).join('\n')
  return `## Confidence: ${review.confidence.score}/5\n\n${reasons}`.trimEnd()
}

function importantFiles(review: Review): string {
  if (review.files.length === 0) return ''
  const rows = review.files
    .slice(0, importantFileLimit)
    .map(
      (file) =>
        `| ${tableCode(file.path)} | +${file.added} −${file.removed} | ${proseToMarkdown(file.summary)} |`,
    )
  const rest = review.files.length - rows.length
  const more = rest > 0 ? `\n\n… and ${count(rest, 'more file')}.` : ''
  return `## Important Files Changed\n\n| File | Lines | Change |\n| --- | --- | --- |\n${rows.join('\n')}${more}`
}

function coverage(review: Review): string {
  const open = review.coverage.files.filter((file) => file.state !== 'reviewed')
  const planes = review.coverage.planes.filter((plane) => plane.state !== 'ran')
  const lines = [
    ...open.map(
      (file) => `- ${codeSpan(file.path)}: ${file.state}, ${escapeText(file.reason ?? 'no reason given')}`,
    ),
    ...planes.map(
      (plane) => `- plane ${codeSpan(plane.plane)}: ${plane.state}, ${escapeText(plane.reason ?? '')}`,
    ),
    ...review.coverage.limits.map((limit) => `- ${escapeText(limit)}`),
  ]
  const head = `**Coverage:** ${coverageLine(review)}.`
  if (lines.length === 0) return head
  return `${head}\n\n<details><summary>What was not, or only partly, looked at</summary>\n\n${lines.join('\n')}\n\n</details>`
}

function models(review: Review): string {
  const lines = [...costLines(review), ...modelRemarks(review)]
  if (lines.length === 0) return ''
  const list = lines.map((line) => `- ${proseToMarkdown(line)}`).join('\n')
  return `<details><summary>Models and cost</summary>\n\n${list}\n\n</details>`
}

function explanation(review: Review): string {
  const dropped = review.verdicts.filter((verdict) => verdict.outcome !== 'kept')
  if (dropped.length === 0) return '## Dropped candidates\n\nNone.'
  const rows = dropped.map(
    ({ candidate, outcome, step, reason }) =>
      `- ${outcome} at ${step}: ${proseToMarkdown(candidate.title)} (${codeSpan(candidate.anchor.path)}, ${codeSpan(candidate.rule)}). ${proseToMarkdown(reason)}`,
  )
  return `## Dropped candidates\n\n${rows.join('\n')}`
}
