/** One finding on the terminal: what, where, the code, why, the evidence, suggested fix, how it was verified. */
import { visibleLine, visibleText } from '../../../base/visible-text.ts'
import type { DiffLine } from '../../../domain/change-set.ts'
import { editsOf, type Finding } from '../../../domain/finding.ts'
import { ownChecks } from '../../../domain/proof.ts'
import type { Review } from '../../../domain/review.ts'
import { findingCost } from '../review-words.ts'
import { shownTest, testedMark } from '../shown-test.ts'
import {
  citedEvidence,
  documentedWords,
  evidencePlace,
  furtherPlaces,
  paragraphs,
  placeOf,
  suggestedFor,
  suggestedLines,
  withoutTicks,
} from '../words.ts'
import { clip, columns, type Screen, wrapProse } from './text.ts'

const evidenceLimit = 6
const margin = '    '

export function renderFinding(review: Review, finding: Finding, screen: Screen): string {
  const lines = [
    ...heading(finding, screen),
    margin + placeLink(finding, screen),
    '',
    ...excerpt(finding.excerpt, screen),
    ...(finding.excerpt.length > 0 ? [''] : []),
    ...paragraphs(finding.explanation)
      .flat()
      .flatMap((line) => screen.wrap(line, margin)),
    ...labelled('Also at', furtherPlaces(finding).map(visibleLine).join(', '), screen),
    ...labelled('Based on', documentedWords(finding), screen),
    ...evidence(review, finding, screen),
    ...labelled('Fix', finding.remedy ?? '', screen),
    ...labelled('Wrong if', finding.wrongIf ?? '', screen),
    ...suggestedCode(review, finding, screen),
    ...labelled('Not offered', refusalOf(finding), screen),
    ...testThatFails(review, finding, screen),
    ...labelled('Checked', ownChecks(finding).join('; '), screen),
    margin + screen.dim(identity(review, finding)),
  ]
  return lines.join('\n')
}

/** The path and the lines of a finding. */
export function placeLink(finding: Finding, screen: Screen): string {
  const { anchor, side, startLine, endLine } = finding
  return screen.place({ path: anchor.path, side, startLine, endLine }, visibleLine(placeOf(finding)))
}

function identity(review: Review, finding: Finding): string {
  const cost = findingCost(review, finding)
  const parts = [finding.rule, finding.confidence, finding.fingerprint.slice(0, 12)]
  return (cost === null ? parts : [...parts, `reported by the reviewer model, ${cost}`]).join(' · ')
}

/** `HIGH  contract  title …`; later lines of a long title hang under it. */
export function heading(finding: Finding, screen: Screen): string[] {
  const label = finding.severity.toUpperCase()
  const before = `${finding.preExisting ? 'existed before: ' : ''}${finding.contested === undefined ? '' : 'contested: '}`
  const [first = '', ...rest] = screen.wrap(before + finding.title, margin)
  const head = `${screen.severity(finding.severity, label)} ${screen.dim(finding.category)} `
  if (columns(head) + columns(first.trimStart()) <= screen.width && rest.length === 0)
    return [head + screen.bold(first.trimStart())]
  return [head.trimEnd(), ...[first, ...rest].map(screen.bold)]
}

function excerpt(lines: readonly DiffLine[], screen: Screen): string[] {
  const digits = Math.max(...lines.map((line) => String(line.new ?? line.old ?? 0).length), 1)
  return lines.map((line) => {
    const sign = line.kind === 'added' ? '+' : line.kind === 'removed' ? '-' : ' '
    const number = String(line.new ?? line.old ?? '').padStart(digits)
    const text = clip(
      visibleText(line.text.replace(/\r$/, '').replaceAll('\t', '  ')),
      screen.width - digits - 9,
    )
    const body =
      line.kind === 'added'
        ? screen.added(text)
        : line.kind === 'removed'
          ? screen.removed(text)
          : screen.dim(text)
    return `${margin}${screen.dim(`${number} │`)} ${sign} ${body}`
  })
}

function evidence(review: Review, finding: Finding, screen: Screen): string[] {
  const cited = citedEvidence(review, finding)
  // What the excerpt already shows need not be shown again.
  const elsewhere = cited.filter(
    ({ item }) =>
      !(item.path === finding.anchor.path && finding.excerpt.some((line) => line.new === item.startLine)),
  )
  const lines = elsewhere.slice(0, evidenceLimit).flatMap(({ item, quote }) => {
    const firstLine = visibleLine(quote.trim().split('\n')[0] ?? '')
    const place = visibleLine(evidencePlace(item))
    // What is in no file has its title for a place.
    const title = item.path === null ? '' : `  ${screen.dim(withoutTicks(item.title))}`
    return [
      clip(`${margin}${item.id.padEnd(3)} ${place}${title}`, screen.width),
      clip(`${margin}      ${screen.code(firstLine)}`, screen.width),
    ]
  })
  const rest = elsewhere.length - evidenceLimit
  if (rest > 0) lines.push(`${margin}    … and ${rest} more, in --json and --format markdown`)
  return lines.length > 0 ? ['', `${margin}${screen.bold('Evidence')}`, ...lines] : []
}

/** The suggestion as a diff, or else the example. */
function suggestedCode(review: Review, finding: Finding, screen: Screen): string[] {
  const { suggestion, example } = finding
  const shown = (text: string) => shownCode(text, screen)
  const block = (heading: string, lines: readonly string[]) => codeBlock(heading, lines, screen)
  if (suggestion)
    return editsOf(suggestion).flatMap((edit) =>
      block(
        `Suggested for ${suggestedFor(edit)}${testedMark(review, finding)}`,
        suggestedLines(finding, edit).map(({ sign, text }) =>
          (sign === '+' ? screen.added : screen.removed)(`${sign} ${shown(text)}`),
        ),
      ),
    )
  return example === undefined ? [] : block('For example', example.split('\n').map(shown))
}

function testThatFails(review: Review, finding: Finding, screen: Screen): string[] {
  const test = shownTest(review, finding)
  if (!test) return []
  const { heading, path, text, command, head, base, fix } = test
  const lines = (words: string) => words.split('\n').map((line) => shownCode(line, screen))
  return [
    ...codeBlock(`${heading}: ${visibleLine(path)}`, lines(text), screen),
    ...codeBlock('On the head it fails', lines(head), screen),
    ...labelled('Base', base, screen),
    ...labelled('Suggestion', fix, screen),
    // Whole, so that it can be copied.
    ...codeBlock('Run it', [visibleLine(command)], screen),
  ]
}

function codeBlock(heading: string, lines: readonly string[], screen: Screen): string[] {
  return ['', `${margin}${screen.bold(heading)}`, ...lines.map((line) => `${margin}  ${line}`)]
}

function shownCode(text: string, { width }: Screen): string {
  return clip(visibleText(text.replace(/\r/g, '').replaceAll('\t', '  ')), width - margin.length - 4)
}

/** Why suggested code is an example only, or missing. */
function refusalOf({ suggestion, refusedSuggestion }: Finding): string {
  return suggestion || refusedSuggestion === undefined ? '' : `the suggested code: ${refusedSuggestion}`
}

function labelled(label: string, text: string, screen: Screen): string[] {
  if (text === '') return []
  const [first = '', ...rest] = wrapProse(text, screen.width - label.length - 2, margin, screen)
  const hang = ' '.repeat(label.length + 2)
  return ['', `${margin}${screen.bold(label)}  ${first.trimStart()}`, ...rest.map((line) => hang + line)]
}
