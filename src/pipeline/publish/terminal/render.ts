/** The report people read in a terminal. */
import { visibleLine } from '../../../base/visible-text.ts'
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
import { clip, createPaint, type Paint, wrapProse } from './text.ts'

const openFileLimit = 12

export function renderTerminal(review: Review, options: RenderOptions): string {
  const paint = createPaint(options.color, options.open)
  const width = Math.min(Math.max(options.width, 40), 120)
  const blocks =
    review.findings.length === 0 ? short(review, options, width, paint) : full(review, options, width, paint)
  const text = blocks.filter((block) => block !== '').join('\n\n')
  return text === '' ? '' : `${text}\n`
}

/** Nothing to show in full: who looked at what, what the change does and reaches, and what is missing. */
function short(review: Review, options: RenderOptions, width: number, paint: Paint): string[] {
  const { brief = false } = options
  const changed = review.files.length === 0 ? '' : summary(review, width, paint)
  const facts = brief ? [] : [about(review, width, paint), ...(changed === '' ? [] : [changed])]
  const open = openItems(review).map((line) => clip(`  ${line}`, width))
  const isClean = open.length === 0 && isPlainPass(review)
  const lines = [...headline(review, width, paint), ...facts, ...open].join('\n').split('\n')
  return [
    brief && isClean ? '' : (isClean && !options.explain ? atMostSix(lines, width, paint) : lines).join('\n'),
    criteria(review, width, paint),
    companions(review, width, paint),
    ...explained(review, options, width, paint),
    [...judgements(review, options.explain, width, paint), ...models(review, width, paint)].join('\n'),
  ]
}

const mostCleanLines = 6

/** Where nothing was found, what the change does is no more than a reminder. */
function atMostSix(lines: readonly string[], width: number, paint: Paint): string[] {
  if (lines.length <= mostCleanLines) return [...lines]
  const [last = '', ...before] = lines.slice(0, mostCleanLines).reverse()
  const hint = ' (all with --explain)'
  return [...before.reverse(), `${clip(`${last} …`, width - hint.length)}${paint.dim(hint)}`]
}

function full(review: Review, options: RenderOptions, width: number, paint: Paint): string[] {
  const { brief = false } = options
  const facts = brief ? [] : [about(review, width, paint)]
  return [
    [...headline(review, width, paint), ...facts].join('\n'),
    brief ? '' : summary(review, width, paint),
    ...findings(review, options, width, paint),
    criteria(review, width, paint),
    companions(review, width, paint),
    ...explained(review, options, width, paint),
    closing(review, options, width, paint),
  ]
}

function explained(review: Review, { explain }: RenderOptions, width: number, paint: Paint): string[] {
  return explain ? [dropped(review, width, paint), secondLooks(review, width, paint)] : []
}

/** Notices may quote a provider, so that none begins at the margin. */
function headline(
  { conclusion: { headline: words, notices } }: Review,
  width: number,
  paint: Paint,
): string[] {
  return [
    ...wrapProse(words, width, '', paint).map(paint.bold),
    ...notices.flatMap((notice) => wrapProse(notice, width, '  ', paint)),
  ]
}

/** What was reviewed, how deep, how much of it, and how long it took. */
function about(review: Review, width: number, paint: Paint): string {
  const parts = [
    `Sightline ${visibleLine(review.request.source.label)}`,
    `depth ${review.depth}`,
    coverageLine(review),
    `${(review.run.durationMs / 1000).toFixed(1)} s`,
  ]
  const [first = '', ...rest] = wrapProse(parts.join(' · '), width, '  ', paint)
  return [first.trimStart(), ...rest].map(paint.dim).join('\n')
}

/** The summary itself describes so many changes of symbols. */
const describedInSummary = 3

/** Only words of ours begin a line at the margin: a title of an author might pose as a conclusion there. */
function summary(review: Review, width: number, paint: Paint): string {
  const prose = paragraphs(review.summary)
    .flat()
    .flatMap((line) => {
      const [first = '', ...rest] = wrapProse(line, width, '  ', paint)
      return [first.trimStart(), ...rest]
    })
  const told = walkthroughLines(review)
  const isMore = review.findings.length > 0 && review.keyChanges.length > describedInSummary
  const known = isMore ? review.keyChanges : []
  const changes = (told.length > 0 ? told : known).flatMap((change) => {
    const [first = '', ...rest] = wrapProse(change, width, '    ', paint)
    return [`  • ${first.trimStart()}`, ...rest]
  })
  return [...prose, ...changes].join('\n')
}

/** New problems first; what stood there before comes under a heading of its own. */
function findings(review: Review, options: RenderOptions, width: number, paint: Paint): string[] {
  const { fresh, old } = selectFindings(review, options)
  const isOld = old.full.length + old.listed.length > 0
  return [
    ...selected(review, fresh, width, paint),
    ...(isOld ? [paint.bold('Existed before this change:')] : []),
    ...selected(review, old, width, paint),
  ]
}

function selected(review: Review, { full, listed }: Selection, width: number, paint: Paint): string[] {
  const inLines = (findings: readonly Finding[]) =>
    findings.flatMap((finding) => [...heading(finding, width, paint), `    ${placeLink(finding, paint)}`])
  const shown = [
    ...byConsequence(full).map((one) => [paint.bold(one.title), ...inLines(one.findings)].join('\n')),
    ...full.map((finding) => renderFinding(review, finding, width, paint)),
  ]
  if (listed.length === 0) return shown
  const list = inLines(listed)
  const title = paint.bold(
    `${count(listed.length, 'more finding')} (--minor --max-inline 100 shows all in full)`,
  )
  return [...shown, [title, ...list].join('\n')]
}

function dropped(review: Review, width: number, paint: Paint): string {
  const rows = review.verdicts.filter((verdict) => verdict.outcome !== 'kept')
  if (rows.length === 0) return paint.bold('No candidate was dropped.')
  const lines = rows.flatMap(({ candidate, outcome, step, reason }) => [
    ...wrapProse(`${outcome} at ${step}: ${candidate.title}`, width, '  ', paint),
    ...wrapProse(`${candidate.rule} in \`${candidate.anchor.path}\`: ${reason}`, width, '      ', paint),
  ])
  return [
    paint.bold(count(rows.length, 'candidate was dropped or demoted', 'candidates were dropped or demoted')),
    ...lines,
  ].join('\n')
}

/** The first line once more, since the end of a long report is what a terminal shows. */
function closing(review: Review, options: RenderOptions, width: number, paint: Paint): string {
  const { score, reasons } = review.confidence
  const confidence =
    score === null
      ? []
      : [
          `${paint.bold('Confidence')}  ${score}/5`,
          ...reasons.flatMap((reason) => wrapProse(reason, width, '  ', paint)),
        ]
  const lines = [
    ...headline(review, width, paint),
    ...confidence,
    `${paint.bold('Coverage')}  ${coverageLine(review)}`,
    ...openItems(review).map((line) => clip(`  ${line}`, width)),
    ...wrapProse(checkedWords, width, '  ', paint),
    ...judgements(review, options.explain, width, paint),
    ...models(review, width, paint),
    paint.dim(`bundle ${review.context.slice(0, 12)}`),
  ]
  return lines.join('\n')
}

function models(review: Review, width: number, paint: Paint): string[] {
  const [first, ...rest] = costLines(review)
  if (first === undefined) return []
  return [
    `${paint.bold('Models')}  ${visibleLine(first)}`,
    ...[...rest, ...modelRemarks(review)].flatMap((line) => wrapProse(line, width, '  ', paint)),
  ]
}

/** Everything that was not fully looked at, so that a short report never passes for a whole one. */
function openItems(review: Review): string[] {
  const { files, unlisted, limits } = review.coverage
  const open = files.filter((file) => file.state !== 'reviewed')
  const rows = open
    .slice(0, openFileLimit)
    .map(
      (file) => `${visibleLine(file.path)}: ${file.state}, ${visibleLine(file.reason ?? 'no reason given')}`,
    )
  const more = Math.max(0, open.length - openFileLimit) + (unlisted?.files ?? 0)
  if (more > 0) rows.push(`… and ${count(more, 'more file')}${unlisted ? '' : ', in --json'}`)
  return [
    ...rows,
    ...planeGaps(review).map(({ plane, words }) => `plane ${plane}: ${visibleLine(words)}`),
    ...limits.map(visibleLine),
  ]
}

function criteria(review: Review, width: number, paint: Paint): string {
  const lines = criterionLines(review).flatMap(({ words, reason, places }) => [
    ...wrapProse(words, width, '  ', paint),
    ...wrapProse(reason, width, '      ', paint),
    ...places.flatMap((place) => wrapProse(place, width, '      ', paint)),
  ])
  return lines.length === 0 ? '' : [paint.bold('Acceptance criteria'), ...lines].join('\n')
}

function companions(review: Review, width: number, paint: Paint): string {
  const lines = companionLines(review).map(({ name, url, words }) => `\`${name}\` (${url}): ${words}`)
  return labelled('Companion changes', lines, width, paint).join('\n')
}

/** Short: the Markdown and JSON formats have all of it. Signals of planes are for those who want to know why. */
function judgements(review: Review, explain: boolean, width: number, paint: Paint): string[] {
  const signals = explain ? signalLine(review) : ''
  return [
    ...labelled('Planes', signals === '' ? [] : [signals], width, paint),
    ...labelled('Disagreed', conflictLines(review), width, paint),
    ...labelled('Questions for the author', questionLines(review), width, paint),
    ...labelled('Notes of the team', memoryLines(review), width, paint),
  ]
}

function secondLooks(review: Review, width: number, paint: Paint): string {
  const lines = refutationLines(review).flatMap((line) => wrapProse(line, width, '  ', paint))
  return lines.length === 0 ? '' : [paint.bold('Independent checks'), ...lines].join('\n')
}

function labelled(label: string, lines: readonly string[], width: number, paint: Paint): string[] {
  const wrapped = lines.flatMap((line) => wrapProse(line, width, '  ', paint))
  return wrapped.length === 0 ? [] : [paint.bold(label), ...wrapped]
}
