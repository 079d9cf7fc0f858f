/** One finding as Markdown: what, where, the code, why, suggested fix; folded below, the proof and a task for an agent. */
import type { Evidence } from '../../../domain/evidence.ts'
import { editsOf, type Finding } from '../../../domain/finding.ts'
import type { Review } from '../../../domain/review.ts'
import { agentBlock } from '../agent.ts'
import type { LinkedPlace, RenderOptions } from '../contract.ts'
import { findingCost } from '../review-words.ts'
import { shownTest, testedMark } from '../shown-test.ts'
import {
  citedEvidence,
  claimWords,
  documentedWords,
  evidencePlace,
  furtherPlaces,
  marksOf,
  paragraphs,
  placeOf,
  severityIcon,
  suggestedFor,
  suggestedLines,
  withoutTicks,
} from '../words.ts'
import { codeBlock, codeSpan, commandsBots, escapeText, proseToMarkdown } from './escape.ts'

export function headline(finding: Finding, options: RenderOptions): string {
  return `${titleLine(finding)} · ${place(finding, options)}`
}

function titleLine(finding: Finding): string {
  const marks = marksOf(finding)
  const mark = marks.length === 0 ? '' : ` (${marks.join(', ')})`
  return `${severityIcon[finding.severity]} **${finding.severity}** · ${finding.category} · ${proseToMarkdown(finding.title)}${mark}`
}

export function findingInFull(review: Review, finding: Finding, options: RenderOptions): string {
  return [`### ${headline(finding, options)}`, ...detail(review, finding, options)].join('\n\n')
}

/** Its headline to read, and the rest behind a click. */
export function findingFolded(review: Review, finding: Finding, options: RenderOptions): string {
  return `${headline(finding, options)}\n\n${folded('Details', ...detail(review, finding, options))}`
}

function detail(review: Review, finding: Finding, options: RenderOptions): string[] {
  const code = finding.excerpt.map((line) => `${sign(line.kind)}${line.text}`).join('\n')
  const parts = [code === '' ? '' : codeBlock(code, 'diff'), ...explanation(review, finding, options)]
  return parts.filter((part) => part !== '')
}

function explanation(review: Review, finding: Finding, options: RenderOptions): string[] {
  return [
    ...paragraphs(finding.explanation).map(paragraphToMarkdown),
    alsoAt(finding, options),
    finding.documented ? `**Based on:** ${proseToMarkdown(documentedWords(finding))}` : '',
    finding.remedy ? `**Suggested fix:** ${proseToMarkdown(finding.remedy)}` : '',
    wrongIfLine(finding),
    ...suggestedCode(review, finding, options),
    testThatFails(review, finding),
    proof(review, finding, options),
    folded('Ask an agent to fix this', codeBlock(agentBlock(review, finding), 'text')),
  ]
}

/** Characters of a comment that are read without a click; a person reads so many in ten seconds. */
const mostShown = 1100
const longestReason = 480
const longestQuote = 300

/**
 * For a comment on the lines themselves, which the host shows above it: what is wrong, why in two sentences, the one quote that
 * decides, and the fix. All else is behind a click, and so is what there is no room for.
 */
export function findingAsComment(review: Review, finding: Finding, options: RenderOptions): string {
  const title = titleLine(finding)
  // Words full of marks take more room as Markdown.
  const reasons = [longestReason, longestReason / 2, longestReason / 4].map((most) => {
    const { why, isWhole } = briefly(finding.explanation, most)
    return { why: proseToMarkdown(why), isWhole }
  })
  const fits = ({ why }: { why: string }) => title.length + why.length <= mostShown
  const { why = '', isWhole = false } = reasons.find(fits) ?? reasons.at(-1) ?? {}
  const shown = [title, why]
  const more: string[] = []
  let room = mostShown - shown.join('\n\n').length
  const remedy = finding.remedy ? `**Fix:** ${proseToMarkdown(finding.remedy)}` : ''
  for (const part of [
    decidingQuote(review, finding, options),
    suggestedCode(review, finding, options).join('\n\n'),
    remedy,
    wrongIfLine(finding),
  ]) {
    const isShown = part.length + 2 <= room
    if (isShown) room -= part.length + 2
    ;(isShown ? shown : more).push(part)
  }
  const details = [
    ...(isWhole ? [] : paragraphs(finding.explanation).map(paragraphToMarkdown)),
    ...more,
    alsoAt(finding, options),
    finding.documented ? `**Based on:** ${proseToMarkdown(documentedWords(finding))}` : '',
  ].filter((part) => part !== '')
  const parts = [
    ...shown,
    details.length > 0 ? folded('Details', ...details) : '',
    testThatFails(review, finding),
    proof(review, finding, options),
    folded('Ask an agent to fix this', codeBlock(agentBlock(review, finding), 'text')),
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

function wrongIfLine({ wrongIf }: Finding): string {
  return wrongIf === undefined ? '' : `**Wrong if** ${proseToMarkdown(wrongIf)}`
}

/** The first two sentences, as far as there is room; code between backticks is never divided. */
function briefly(explanation: string, most: number): { why: string; isWhole: boolean } {
  const all = paragraphs(explanation).flat().join(' ')
  const ends = [...all.slice(0, most + 1).matchAll(/[.!?](?=\s|$)/g)]
    .map(({ index }) => index + 1)
    .filter((end) => (all.slice(0, end).split('`').length - 1) % 2 === 0)
  const end = ends[1] ?? (all.length <= most ? all.length : ends[0])
  if (end !== undefined) return { why: all.slice(0, end), isWhole: end === all.length }
  const start = withoutTicks(all).slice(0, most)
  return { why: `${start.slice(0, start.lastIndexOf(' ')).trimEnd()} …`, isWhole: false }
}

/** Of what is not on the lines themselves; empty where those say it all. */
function decidingQuote(review: Review, finding: Finding, options: RenderOptions): string {
  const { anchor, side, startLine, endLine } = finding
  const isAbove = ({ path, side: of, startLine: first, endLine: last }: Evidence) =>
    path === anchor.path &&
    (of ?? 'new') === side &&
    first !== null &&
    first <= endLine &&
    (last ?? first) >= startLine
  const decisive = citedEvidence(review, finding).find(
    ({ item, quote }) => quote !== '' && quote.length <= longestQuote && !isAbove(item),
  )
  return decisive ? `${evidenceAt(decisive.item, options)}:\n\n${codeBlock(decisive.quote)}` : ''
}

/** A backslash at the end of a line keeps the line break. */
export function paragraphToMarkdown(lines: readonly string[]): string {
  return lines.map(proseToMarkdown).join('\\\n')
}

export function folded(summary: string, ...parts: readonly string[]): string {
  const body = parts.filter((part) => part !== '')
  return ['<details><summary>', summary, '</summary>\n\n', body.join('\n\n'), '\n\n</details>'].join('')
}

function place(finding: Finding, options: RenderOptions): string {
  const { anchor, side, startLine, endLine } = finding
  return linked(codeSpan(placeOf(finding)), { path: anchor.path, side, startLine, endLine }, options)
}

function alsoAt({ places = [] }: Finding, options: RenderOptions): string {
  const words = furtherPlaces({ places })
  const linkedPlaces = places.map((to, at) => linked(codeSpan(words[at] ?? to.path), to, options))
  return linkedPlaces.length === 0 ? '' : `**Also at:** ${linkedPlaces.join(', ')}`
}

function linked(words: string, to: LinkedPlace, { link }: RenderOptions): string {
  const url = link?.(to) ?? null
  // Between angle brackets, since a path may hold parentheses.
  return url === null ? words : `[${words}](<${url}>)`
}

/** The suggestion, for committing or as a diff, or else the example. */
function suggestedCode(review: Review, finding: Finding, { committable = false }: RenderOptions): string[] {
  const { suggestion, example } = finding
  if (suggestion) {
    // A block for committing is used verbatim, and a host takes one edit of lines that the diff shows.
    const asIs =
      committable && !suggestion.further && !suggestion.outsideDiff && !commandsBots(suggestion.replacement)
    return editsOf(suggestion).flatMap((edit) => {
      const diff = suggestedLines(finding, edit).map((line) => `${line.sign}${line.text}`)
      return [
        `Suggested for ${suggestedFor(edit)}${testedMark(review, finding)}:`,
        asIs
          ? codeBlock(edit.replacement, committable === true ? 'suggestion' : committable)
          : codeBlock(diff.join('\n'), 'diff'),
      ]
    })
  }
  const why = finding.refusedSuggestion
  return [
    ...(example === undefined ? [] : ['For example:', codeBlock(example)]),
    ...(why === undefined
      ? []
      : [`The suggested code is not offered for committing: ${proseToMarkdown(why)}`]),
  ]
}

/** A file to add to the project, and how it ran. */
function testThatFails(review: Review, finding: Finding): string {
  const test = shownTest(review, finding)
  if (!test) return ''
  const { heading, path, text, command, head, base, fix } = test
  return folded(
    heading,
    `${codeSpan(path)}:`,
    codeBlock(text),
    'On the head it fails:',
    codeBlock(head),
    base,
    fix,
    'Run it:',
    codeBlock(command),
  )
}

function proof(review: Review, finding: Finding, options: RenderOptions): string {
  const cited = citedEvidence(review, finding).map(
    ({ item, quote }) =>
      `- ${item.id} ${evidenceAt(item, options)}${isItsPlace(item) ? '' : `: ${proseToMarkdown(item.title)}`}\n\n${indent(codeBlock(quote))}`,
  )
  const claims = finding.claims.map((claim) => `- ${proseToMarkdown(claimWords(claim))}`)
  const verified = finding.verifiedBy.map((words) => `- ${proseToMarkdown(words)}`)
  const cost = findingCost(review, finding)
  const author = `${codeSpan(finding.plane)}${finding.byModel ? ', reported by the reviewer model' : ''}`
  return folded(
    `Evidence (${cited.length}) and how it was verified`,
    ...cited,
    claims.length > 0 ? `Claimed:\n\n${claims.join('\n')}` : '',
    verified.length > 0 ? `Verified:\n\n${verified.join('\n')}` : '',
    `${author} · ${codeSpan(finding.rule)} · ${finding.confidence} · ${codeSpan(finding.fingerprint.slice(0, 12))}${cost === null ? '' : ` · ${escapeText(cost)}`}`,
  )
}

/** What is in no file has its title for a place. */
function isItsPlace({ path, elsewhere }: Evidence): boolean {
  return path === null && !elsewhere
}

function evidenceAt(item: Evidence, options: RenderOptions): string {
  const words = codeSpan(evidencePlace(item))
  const { path, side, startLine, endLine, elsewhere } = item
  if (elsewhere) return elsewhere.url === null ? words : `[${words}](<${elsewhere.url}>)`
  return path === null ? words : linked(words, { path, side: side ?? 'new', startLine, endLine }, options)
}

function sign(kind: 'context' | 'added' | 'removed'): string {
  return kind === 'added' ? '+' : kind === 'removed' ? '-' : ' '
}

function indent(block: string): string {
  return block
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n')
}
