/** The report people read in a terminal. */
import { visibleLine } from '../../../base/visible-text.ts'
import { notNamed } from '../../../domain/coverage.ts'
import type { Finding } from '../../../domain/finding.ts'
import { isPlainPass, type Review } from '../../../domain/review.ts'
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
import { checkedWords, count, coverageLine, paragraphs, planeGaps } from '../words.ts'
import { heading, placeLink, renderFinding } from './finding.ts'
import { clip, createPaint, hanging, openScreen, type Screen } from './text.ts'

const openFileLimit = 12

export function renderTerminal(review: Review, options: RenderOptions): string {
  const screen = openScreen(
    createPaint(options.color, options.open),
    Math.min(Math.max(options.width, 40), 120),
  )
  const blocks = review.findings.length === 0 ? short(review, options, screen) : full(review, options, screen)
  const text = blocks.filter((block) => block !== '').join('\n\n')
  return text === '' ? '' : `${text}\n`
}

/** Nothing to show in full: who looked at what, what the change does and reaches, and what is missing. */
function short(review: Review, options: RenderOptions, screen: Screen): string[] {
  const { brief = false } = options
  const changed = review.files.length === 0 ? '' : summary(review, screen)
  const facts = brief ? [] : [about(review, screen), ...(changed === '' ? [] : [changed])]
  const open = openItems(review, screen)
  const isClean = open.length === 0 && isPlainPass(review)
  const lines = [...headline(review, screen), ...facts, ...open].join('\n').split('\n')
  return [
    brief && isClean ? '' : (isClean && !options.explain ? atMostSix(lines, screen) : lines).join('\n'),
    criteria(review, screen),
    companions(review, screen),
    ...explained(review, options, screen),
    [...judgements(review, options.explain, screen), ...models(review, screen)].join('\n'),
  ]
}

const mostCleanLines = 6

/** Where nothing was found, what the change does is no more than a reminder. */
function atMostSix(lines: readonly string[], screen: Screen): string[] {
  if (lines.length <= mostCleanLines) return [...lines]
  const [last = '', ...before] = lines.slice(0, mostCleanLines).reverse()
  const hint = ' (all with --explain)'
  return [...before.reverse(), `${clip(`${last} …`, screen.width - hint.length)}${screen.dim(hint)}`]
}

function full(review: Review, options: RenderOptions, screen: Screen): string[] {
  const { brief = false } = options
  const facts = brief ? [] : [about(review, screen)]
  return [
    [...headline(review, screen), ...facts].join('\n'),
    brief ? '' : summary(review, screen),
    ...findings(review, options, screen),
    criteria(review, screen),
    companions(review, screen),
    ...explained(review, options, screen),
    closing(review, options, screen),
  ]
}

function explained(review: Review, { explain }: RenderOptions, screen: Screen): string[] {
  return explain ? [dropped(review, screen), secondLooks(review, screen)] : []
}

/** Notices may quote a provider, so that none begins at the margin. */
function headline({ conclusion: { headline: words, notices } }: Review, screen: Screen): string[] {
  return [...screen.wrap(words, '').map(screen.bold), ...notices.flatMap((notice) => screen.wrap(notice))]
}

/** What was reviewed, how deep, how much of it, and how long it took. */
function about(review: Review, screen: Screen): string {
  const parts = [
    `Sightline ${visibleLine(review.request.source.label)}`,
    `depth ${review.depth}`,
    coverageLine(review),
    `${(review.run.durationMs / 1000).toFixed(1)} s`,
  ]
  return hanging('', screen.wrap(parts.join(' · ')))
    .map(screen.dim)
    .join('\n')
}

/** The summary itself describes so many changes of symbols. */
const describedInSummary = 3

/** Only words of ours begin a line at the margin: a title of an author might pose as a conclusion there. */
function summary(review: Review, screen: Screen): string {
  const prose = paragraphs(review.summary)
    .flat()
    .flatMap((line) => hanging('', screen.wrap(line)))
  const told = walkthroughLines(review)
  const isMore = review.findings.length > 0 && review.keyChanges.length > describedInSummary
  const known = isMore ? review.keyChanges : []
  const changes = (told.length > 0 ? told : known).flatMap((change) =>
    hanging('  • ', screen.wrap(change, '    ')),
  )
  return [...prose, ...changes].join('\n')
}

/** New problems first; what stood there before comes under a heading of its own. */
function findings(review: Review, options: RenderOptions, screen: Screen): string[] {
  const { fresh, old } = selectFindings(review, options)
  const isOld = old.full.length + old.listed.length > 0
  return [
    ...selected(review, fresh, screen),
    ...(isOld ? [screen.bold('Existed before this change:')] : []),
    ...selected(review, old, screen),
  ]
}

function selected(review: Review, { full, listed }: Selection, screen: Screen): string[] {
  const inLines = (findings: readonly Finding[]) =>
    findings.flatMap((finding) => [...heading(finding, screen), `    ${placeLink(finding, screen)}`])
  const shown = [
    ...byConsequence(full).map((one) => [screen.bold(one.title), ...inLines(one.findings)].join('\n')),
    ...full.map((finding) => renderFinding(review, finding, screen)),
  ]
  if (listed.length === 0) return shown
  const list = inLines(listed)
  const title = screen.bold(
    `${count(listed.length, 'more finding')} (--minor --max-inline 100 shows all in full)`,
  )
  return [...shown, [title, ...list].join('\n')]
}

function dropped(review: Review, screen: Screen): string {
  const rows = review.verdicts.filter((verdict) => verdict.outcome !== 'kept')
  if (rows.length === 0) return screen.bold('No candidate was dropped.')
  const lines = rows.flatMap(({ candidate, outcome, step, reason }) => [
    ...screen.wrap(`${outcome} at ${step}: ${candidate.title}`),
    ...screen.wrap(`${candidate.rule} in \`${candidate.anchor.path}\`: ${reason}`, '      '),
  ])
  return [
    screen.bold(count(rows.length, 'candidate was dropped or demoted', 'candidates were dropped or demoted')),
    ...lines,
  ].join('\n')
}

/** The first line once more, since the end of a long report is what a terminal shows. */
function closing(review: Review, options: RenderOptions, screen: Screen): string {
  const { score, reasons } = review.confidence
  const confidence =
    score === null
      ? []
      : [`${screen.bold('Confidence')}  ${score}/5`, ...reasons.flatMap((reason) => screen.wrap(reason))]
  const lines = [
    ...headline(review, screen),
    ...confidence,
    `${screen.bold('Coverage')}  ${coverageLine(review)}`,
    ...openItems(review, screen),
    ...screen.wrap(checkedWords),
    ...judgements(review, options.explain, screen),
    ...models(review, screen),
    screen.dim(`bundle ${review.context.slice(0, 12)}`),
  ]
  return lines.join('\n')
}

function models(review: Review, screen: Screen): string[] {
  const [first, ...rest] = costLines(review)
  if (first === undefined) return []
  return [
    `${screen.bold('Models')}  ${visibleLine(first)}`,
    ...[...rest, ...modelRemarks(review)].flatMap((line) => screen.wrap(line)),
  ]
}

/** Everything that was not fully reviewed, so that a short report is never taken for a complete one; not files that nobody named. */
function openItems(review: Review, screen: Screen): string[] {
  const { files, unlisted, limits } = review.coverage
  const open = files.filter(({ state, reason }) => state !== 'reviewed' && reason !== notNamed)
  const rows = open
    .slice(0, openFileLimit)
    .map(({ path, state, reason }) => `\`${path}\`: ${state}, ${reason ?? 'no reason given'}`)
  const more = Math.max(0, open.length - openFileLimit) + (unlisted?.files ?? 0)
  if (more > 0) rows.push(`… and ${count(more, 'more file')}${unlisted ? '' : ', in --json'}`)
  const gaps = planeGaps(review).map(({ plane, words }) => `plane ${plane}: ${words}`)
  return [...rows, ...gaps, ...limits].flatMap((line) => hanging('  ', screen.wrap(line, '    ')))
}

function criteria(review: Review, screen: Screen): string {
  const lines = criterionLines(review).flatMap(({ words, reason, places }) => [
    ...screen.wrap(words),
    ...screen.wrap(reason, '      '),
    ...places.flatMap((place) => screen.wrap(place, '      ')),
  ])
  return lines.length === 0 ? '' : [screen.bold('Acceptance criteria'), ...lines].join('\n')
}

function companions(review: Review, screen: Screen): string {
  const lines = companionLines(review).map(({ name, url, words }) => `\`${name}\` (${url}): ${words}`)
  return labelled('Companion changes', lines, screen).join('\n')
}

/** Short: the Markdown and JSON formats have all of it. Signals of planes are for those who want to know why. */
function judgements(review: Review, explain: boolean, screen: Screen): string[] {
  const signals = explain ? signalLine(review) : ''
  return [
    ...labelled('Planes', signals === '' ? [] : [signals], screen),
    ...labelled('Disagreed', conflictLines(review), screen),
    ...labelled('Questions for the author', questionLines(review), screen),
    ...labelled('Notes of the team', memoryLines(review), screen),
  ]
}

function secondLooks(review: Review, screen: Screen): string {
  const lines = refutationLines(review).flatMap((line) => screen.wrap(line))
  return lines.length === 0 ? '' : [screen.bold('Independent checks'), ...lines].join('\n')
}

function labelled(label: string, lines: readonly string[], screen: Screen): string[] {
  const wrapped = lines.flatMap((line) => screen.wrap(line))
  return wrapped.length === 0 ? [] : [screen.bold(label), ...wrapped]
}
