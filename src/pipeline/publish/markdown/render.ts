/** The review as Markdown: summary, key changes, issues, confidence, important files, conclusion. */
import type { Review } from '../../../domain/review.ts'
import type { RenderOptions } from '../contract.ts'
import {
  companionLines,
  conflictLines,
  costLines,
  criterionLines,
  memoryLines,
  modelRemarks,
  questionLines,
  refutationLines,
  signalLine,
  walkthroughLines,
} from '../review-words.ts'
import { byConsequence, type Selection, selectFindings } from '../selection.ts'
import { count, coverageLine, paragraphs, planeGaps } from '../words.ts'
import { codeSpan, escapeText, proseToMarkdown, tableCode, tableProse } from './escape.ts'
import { findingFolded, findingInFull, folded, headline, paragraphToMarkdown } from './finding.ts'

const importantFileLimit = 20
const openFileLimit = 200

const icons = { covered: '🟢', 'not-covered': '🔴', undecidable: '🟡' } as const

export function renderMarkdown(review: Review, options: RenderOptions): string {
  const parts = isClean(review) ? cleanPage(review, options) : fullPage(review, options)
  return `${[...parts, footer(review)].filter((part) => part !== '').join('\n\n')}\n`
}

/** Nothing to do for anybody: no finding, none hidden, nothing left out, no criterion open. */
function isClean({ findings, hidden = [], coverage: { complete }, criteria: checks = [] }: Review): boolean {
  const isEmpty = findings.length === 0 && hidden.length === 0
  return isEmpty && complete && checks.every(({ state }) => state === 'covered')
}

/** One line to read; all else is folded. */
function cleanPage(review: Review, options: RenderOptions): string[] {
  const { score } = review.confidence
  return [
    ...opening(review),
    [...(score === null ? [] : [`Confidence ${score}/5`]), coverageLine(review)].join(' · '),
    folded(
      'What changed and how it was reviewed',
      summary(review),
      keyChanges(review),
      criteria(review),
      companions(review),
      confidence(review),
      importantFiles(review),
      ...lookedAt(review, options),
    ),
  ]
}

function fullPage(review: Review, options: RenderOptions): string[] {
  return [
    ...opening(review),
    summary(review),
    keyChanges(review),
    issues(review, options),
    criteria(review),
    companions(review),
    confidence(review),
    importantFiles(review),
    conclusion(review),
    ...lookedAt(review, options),
  ]
}

/** Most headlines begin with the word. */
function conclusion({ conclusion: { word, headline } }: Review): string {
  return `## Conclusion\n\n**${word}**: ${proseToMarkdown(headline.replace(`${word}: `, ''))}`
}

function lookedAt(review: Review, { explain }: RenderOptions): string[] {
  const why = explain ? [explanation(review), secondLooks(review)] : []
  return [
    coverageToMarkdown(review),
    judgements(review, explain),
    models(review),
    instructions(review),
    ...why,
  ]
}

function instructions({ instructions: paths = [] }: Review): string {
  if (paths.length === 0) return ''
  return `**Instructions read from the base:** ${paths.map(codeSpan).join(', ')}.`
}

function summary(review: Review): string {
  return `## Summary\n\n${paragraphs(review.summary).map(paragraphToMarkdown).join('\n\n')}`
}

function opening({ conclusion }: Review): string[] {
  const notices = conclusion.notices.map((notice) => `- ${proseToMarkdown(notice)}`)
  return [`**${proseToMarkdown(conclusion.headline)}**`, notices.join('\n')]
}

function footer({ tool, depth, context }: Review): string {
  return `<sub>Sightline ${escapeText(tool.version)} · depth ${depth} · bundle ${codeSpan(context.slice(0, 12))}</sub>`
}

function keyChanges(review: Review): string {
  const told = walkthroughLines(review)
  if (told.length > 0)
    return `## Walkthrough\n\n${told.map((line) => `- ${proseToMarkdown(line)}`).join('\n')}`
  if (review.keyChanges.length === 0) return ''
  return `## Key Changes\n\n${review.keyChanges.map((change) => `- ${proseToMarkdown(change)}`).join('\n')}`
}

/** New problems first; what stood there before has a heading of its own and no part in the conclusion. */
function issues(review: Review, options: RenderOptions): string {
  const { fresh, old } = selectFindings(review, options)
  const isNone = ({ full, listed }: Selection) => full.length + listed.length === 0
  return [
    '## Issues',
    isNone(fresh) ? 'None.' : findings(review, fresh, options),
    ...(isNone(old) ? [] : ['## Existed before this change', findings(review, old, options)]),
  ].join('\n\n')
}

function findings(review: Review, { full, listed }: Selection, options: RenderOptions): string {
  const shown = [
    ...byConsequence(full).map(({ title, findings: own }) =>
      [`**${title}**\n`, ...own.map((finding) => `- ${headline(finding, options)}`)].join('\n'),
    ),
    ...full.map((finding) => findingInFull(review, finding, options)),
  ]
  if (listed.length === 0) return shown.join('\n\n')
  const list = options.headlines
    ? [listed.map((finding) => `- ${headline(finding, options)}`).join('\n')]
    : listed.map((finding) => findingFolded(review, finding, options))
  return [...shown, folded(count(listed.length, 'more finding'), ...list)].join('\n\n')
}

function confidence(review: Review): string {
  if (review.confidence.score === null) return ''
  const reasons = review.confidence.reasons.map((reason) => `- ${proseToMarkdown(reason)}`).join('\n')
  return `## Confidence: ${review.confidence.score}/5\n\n${reasons}`.trimEnd()
}

function importantFiles(review: Review): string {
  if (review.files.length === 0) return ''
  const rows = review.files
    .slice(0, importantFileLimit)
    .map(
      (file) => `| ${tableCode(file.path)} | +${file.added} −${file.removed} | ${tableProse(file.summary)} |`,
    )
  const rest = review.files.length - rows.length
  const more = rest > 0 ? `\n\n… and ${count(rest, 'more file')}.` : ''
  return `## Important Files Changed\n\n| File | Lines | Change |\n| --- | --- | --- |\n${rows.join('\n')}${more}`
}

/** Which planes and files were reviewed, and which were not, with reasons. */
export function coverageToMarkdown(review: Review): string {
  const open = review.coverage.files.filter((file) => file.state !== 'reviewed')
  const { unlisted } = review.coverage
  const more = Math.max(0, open.length - openFileLimit) + (unlisted?.files ?? 0)
  const lines = [
    ...open
      .slice(0, openFileLimit)
      .map(
        (file) => `- ${codeSpan(file.path)}: ${file.state}, ${escapeText(file.reason ?? 'no reason given')}`,
      ),
    ...(more > 0 ? [`- … and ${count(more, 'more file')}`] : []),
    ...planeGaps(review).map(({ plane, words }) => `- plane ${codeSpan(plane)}: ${escapeText(words)}`),
    ...review.coverage.limits.map((limit) => `- ${escapeText(limit)}`),
  ]
  const head = `**Coverage:** ${coverageLine(review)}.`
  if (lines.length === 0) return head
  return `${head}\n\n<details><summary>What was not reviewed, or only in part</summary>\n\n${lines.join('\n')}\n\n</details>`
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

function criteria(review: Review): string {
  const lines = criterionLines(review).map(({ state, words, reason, places }) => {
    const where = places.length > 0 ? `\\\n  ${places.map(proseToMarkdown).join(', ')}` : ''
    return `- ${icons[state]} ${proseToMarkdown(words)}\\\n  ${proseToMarkdown(reason)}${where}`
  })
  return lines.length === 0 ? '' : `## Acceptance criteria\n\n${lines.join('\n')}`
}

function companions(review: Review): string {
  const list = companionList(review)
  return list === '' ? '' : `## Companion changes\n\n${list}`
}

/** Each with its page, which is ours to name; empty for none. */
export function companionList(review: Review): string {
  return companionLines(review)
    .map(({ name, url, words }) => `- [${codeSpan(name)}](<${url}>): ${proseToMarkdown(words)}`)
    .join('\n')
}

/** Signals of planes are for those who want to know why. */
function judgements(review: Review, explain: boolean): string {
  const signals = explain ? signalLine(review) : ''
  return [
    list('Where planes did not agree', conflictLines(review)),
    list('Questions for the author (not counted as findings)', questionLines(review)),
    list('Notes of the team that had a part in this review', memoryLines(review)),
    signals === '' ? '' : `**Planes:** ${proseToMarkdown(signals)}.`,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

function secondLooks(review: Review): string {
  const lines = refutationLines(review).map((line) => `- ${proseToMarkdown(line)}`)
  return lines.length === 0 ? '' : `## Independent checks\n\n${lines.join('\n')}`
}

function list(summary: string, lines: readonly string[]): string {
  return lines.length === 0
    ? ''
    : folded(summary, lines.map((line) => `- ${proseToMarkdown(line)}`).join('\n'))
}
