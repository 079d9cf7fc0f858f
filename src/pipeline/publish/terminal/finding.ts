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
import { clip, columns, type Paint, wrapProse } from './text.ts'

const evidenceLimit = 6
const margin = '    '

export function renderFinding(review: Review, finding: Finding, width: number, paint: Paint): string {
  const lines = [
    ...heading(finding, width, paint),
    margin + placeLink(finding, paint),
    '',
    ...excerpt(finding.excerpt, width, paint),
    ...(finding.excerpt.length > 0 ? [''] : []),
    ...paragraphs(finding.explanation)
      .flat()
      .flatMap((line) => wrapProse(line, width, margin, paint)),
    ...labelled('Also at', furtherPlaces(finding).map(visibleLine).join(', '), width, paint),
    ...labelled('Based on', documentedWords(finding), width, paint),
    ...evidence(review, finding, width, paint),
    ...labelled('Fix', finding.remedy ?? '', width, paint),
    ...labelled('Wrong if', finding.wrongIf ?? '', width, paint),
    ...suggestedCode(review, finding, width, paint),
    ...labelled('Not offered', refusalOf(finding), width, paint),
    ...testThatFails(review, finding, width, paint),
    ...labelled('Checked', ownChecks(finding).join('; '), width, paint),
    margin + paint.dim(identity(review, finding)),
  ]
  return lines.join('\n')
}

/** The path and the lines of a finding. */
export function placeLink(finding: Finding, paint: Paint): string {
  const { anchor, side, startLine, endLine } = finding
  return paint.place({ path: anchor.path, side, startLine, endLine }, visibleLine(placeOf(finding)))
}

function identity(review: Review, finding: Finding): string {
  const cost = findingCost(review, finding)
  const parts = [finding.rule, finding.confidence, finding.fingerprint.slice(0, 12)]
  return (cost === null ? parts : [...parts, `reported by the reviewer model, ${cost}`]).join(' · ')
}

/** `HIGH  contract  title …`; later lines of a long title hang under it. */
export function heading(finding: Finding, width: number, paint: Paint): string[] {
  const label = finding.severity.toUpperCase()
  const before = `${finding.preExisting ? 'existed before: ' : ''}${finding.contested === undefined ? '' : 'contested: '}`
  const [first = '', ...rest] = wrapProse(before + finding.title, width, margin, paint)
  const head = `${paint.severity(finding.severity, label)} ${paint.dim(finding.category)} `
  if (columns(head) + columns(first.trimStart()) <= width && rest.length === 0)
    return [head + paint.bold(first.trimStart())]
  return [head.trimEnd(), ...[first, ...rest].map(paint.bold)]
}

function excerpt(lines: readonly DiffLine[], width: number, paint: Paint): string[] {
  const digits = Math.max(...lines.map((line) => String(line.new ?? line.old ?? 0).length), 1)
  return lines.map((line) => {
    const sign = line.kind === 'added' ? '+' : line.kind === 'removed' ? '-' : ' '
    const number = String(line.new ?? line.old ?? '').padStart(digits)
    const text = clip(visibleText(line.text.replace(/\r$/, '').replaceAll('\t', '  ')), width - digits - 9)
    const body =
      line.kind === 'added'
        ? paint.added(text)
        : line.kind === 'removed'
          ? paint.removed(text)
          : paint.dim(text)
    return `${margin}${paint.dim(`${number} │`)} ${sign} ${body}`
  })
}

function evidence(review: Review, finding: Finding, width: number, paint: Paint): string[] {
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
    const title = item.path === null ? '' : `  ${paint.dim(withoutTicks(item.title))}`
    return [
      clip(`${margin}${item.id.padEnd(3)} ${place}${title}`, width),
      clip(`${margin}      ${paint.code(firstLine)}`, width),
    ]
  })
  const rest = elsewhere.length - evidenceLimit
  if (rest > 0) lines.push(`${margin}    … and ${rest} more, in --json and --format markdown`)
  return lines.length > 0 ? ['', `${margin}${paint.bold('Evidence')}`, ...lines] : []
}

/** The suggestion as a diff, or else the example. */
function suggestedCode(review: Review, finding: Finding, width: number, paint: Paint): string[] {
  const { suggestion, example } = finding
  const shown = (text: string) => shownCode(text, width)
  const block = (heading: string, lines: readonly string[]) => codeBlock(heading, lines, paint)
  if (suggestion)
    return editsOf(suggestion).flatMap((edit) =>
      block(
        `Suggested for ${suggestedFor(edit)}${testedMark(review, finding)}`,
        suggestedLines(finding, edit).map(({ sign, text }) =>
          (sign === '+' ? paint.added : paint.removed)(`${sign} ${shown(text)}`),
        ),
      ),
    )
  return example === undefined ? [] : block('For example', example.split('\n').map(shown))
}

function testThatFails(review: Review, finding: Finding, width: number, paint: Paint): string[] {
  const test = shownTest(review, finding)
  if (!test) return []
  const { heading, path, text, command, head, base, fix } = test
  const lines = (words: string) => words.split('\n').map((line) => shownCode(line, width))
  return [
    ...codeBlock(`${heading}: ${visibleLine(path)}`, lines(text), paint),
    ...codeBlock('On the head it fails', lines(head), paint),
    ...labelled('Base', base, width, paint),
    ...labelled('Suggestion', fix, width, paint),
    // Whole, so that it can be copied.
    ...codeBlock('Run it', [visibleLine(command)], paint),
  ]
}

function codeBlock(heading: string, lines: readonly string[], paint: Paint): string[] {
  return ['', `${margin}${paint.bold(heading)}`, ...lines.map((line) => `${margin}  ${line}`)]
}

function shownCode(text: string, width: number): string {
  return clip(visibleText(text.replace(/\r/g, '').replaceAll('\t', '  ')), width - margin.length - 4)
}

/** Why suggested code is an example only, or missing. */
function refusalOf({ suggestion, refusedSuggestion }: Finding): string {
  return suggestion || refusedSuggestion === undefined ? '' : `the suggested code: ${refusedSuggestion}`
}

function labelled(label: string, text: string, width: number, paint: Paint): string[] {
  if (text === '') return []
  const [first = '', ...rest] = wrapProse(text, width - label.length - 2, margin, paint)
  const hang = ' '.repeat(label.length + 2)
  return ['', `${margin}${paint.bold(label)}  ${first.trimStart()}`, ...rest.map((line) => hang + line)]
}
