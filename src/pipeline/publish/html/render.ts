/**
 * The review as one HTML file that needs nothing else: for mail and CI artifacts. It holds no script, and its policy lets it
 * load nothing and send nothing.
 */
import { createHash } from 'node:crypto'
import type { Finding } from '../../../domain/finding.ts'
import { repositoryName } from '../../../domain/repository-name.ts'
import type { Review } from '../../../domain/review.ts'
import { severities } from '../../../domain/severity.ts'
import type { Render, RenderOptions } from '../contract.ts'
import {
  companionLines,
  conflictLines,
  costLines,
  criterionLines,
  memoryLines,
  modelRemarks,
  questionLines,
  refutationLines,
  walkthroughLines,
} from '../review-words.ts'
import { selectFindings } from '../selection.ts'
import { count, coverageLine, paragraphs, placeOf, planeGaps } from '../words.ts'
import { addressed, findingArticle, folded, listOf, paragraph, placeLink, severityLabel } from './finding.ts'
import { type Child, element, type Markup, prose } from './markup.ts'
import { style } from './style.ts'

/** Rows of a table; a change may have thousands of files. */
const mostRows = 500

export const renderHtml: Render = (review, options) => {
  const { label } = review.request.source
  const title = `Sightline: ${label}`
  const page = element(
    'html',
    { lang: 'en' },
    element(
      'head',
      {},
      element('meta', { charset: 'utf-8' }),
      element('meta', { 'http-equiv': 'Content-Security-Policy', content: policy }),
      element('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
      element('meta', { name: 'referrer', content: 'no-referrer' }),
      element('title', {}, title),
      // Ours, without a character that HTML would read otherwise; escaped it would not be the text that the policy names.
      { html: `<style>${style}</style>` },
    ),
    element(
      'body',
      {},
      element(
        'main',
        {},
        heading(review),
        verdict(review),
        facts(review),
        findings(review, options),
        rest(review, options),
      ),
      footer(review),
    ),
  )
  return `<!doctype html>\n${page.html}\n`
}

/** Nothing but the style above, by its hash. */
const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'`

function heading({ request, run }: Review): Markup {
  const { title, source, author, changeRequest } = request
  return element(
    'header',
    {},
    element('p', { class: 'soft' }, `${repositoryName(run.repository)} · ${source.label}`),
    element('h1', {}, title.trim() === '' ? source.label : title),
    author === null && !changeRequest
      ? null
      : element('p', { class: 'soft' }, `by ${author ?? changeRequest?.author.login ?? ''}`),
  )
}

const looks = {
  REQUEST_CHANGES: 'bad',
  NEEDS_DISCUSSION: 'open',
  INCOMPLETE: 'open',
  NOTHING_REVIEWED: 'open',
  APPROVE: 'good',
  CHECKS_ONLY: 'good',
} as const

function verdict({ conclusion }: Review): Markup {
  return element(
    'section',
    { class: `verdict ${looks[conclusion.word]}`, 'aria-label': 'Result' },
    element('p', {}, prose(conclusion.headline)),
    conclusion.notices.length === 0 ? null : listOf(conclusion.notices.map(prose)),
  )
}

function facts(review: Review): Markup {
  const { findings: shown, hidden = [], confidence, depth, run } = review
  const numbers = severities.flatMap((severity) => {
    const number = shown.filter((finding) => finding.severity === severity).length
    return number > 0 ? [`${number} ${severity}`] : []
  })
  const cost = costLines(review).at(-1)
  const rows: [string, string][] = [
    ['Findings', numbers.length > 0 ? numbers.join(', ') : 'none'],
    ...(hidden.length > 0 ? [['Hidden by filters', String(hidden.length)] satisfies [string, string]] : []),
    ['Coverage', coverageLine(review)],
    ['Depth', depth],
    ...(confidence.score === null
      ? []
      : [['Confidence', `${confidence.score} of 5`] satisfies [string, string]]),
    ['Time', `${(run.durationMs / 1000).toFixed(1)} s`],
    ...(cost === undefined ? [] : [['Cost', cost] satisfies [string, string]]),
  ]
  return element(
    'dl',
    { class: 'facts' },
    ...rows.map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value))),
  )
}

/** All in full, since a file does not interrupt its reader as comments do. The minor ones are folded. */
function findings(review: Review, options: RenderOptions): Child {
  const { fresh, old } = selectFindings(review, { ...options, maxInline: Number.POSITIVE_INFINITY })
  const articles = (all: readonly Finding[]) => all.map((finding) => findingArticle(review, finding, options))
  const all = [...fresh.full, ...fresh.listed]
  return [
    element('h2', { id: 'findings' }, 'Findings'),
    all.length === 0 ? element('p', {}, 'None.') : overview(all, options),
    articles(fresh.full),
    fresh.listed.length === 0 ? null : folded(`Minor (${fresh.listed.length})`, articles(fresh.listed)),
    old.full.length + old.listed.length === 0
      ? null
      : [element('h2', {}, 'Existed before this change'), articles([...old.full, ...old.listed])],
  ]
}

/** A list to jump from, once there are more than a page shows. */
function overview(all: readonly Finding[], options: RenderOptions): Child {
  if (all.length < 4) return null
  return element(
    'nav',
    { 'aria-label': 'Findings' },
    listOf(
      all.map((finding) => [
        severityLabel(finding.severity),
        element('a', { href: `#finding-${finding.id}` }, prose(finding.title)),
        ' ',
        placeLink(finding, options),
      ]),
    ),
  )
}

function rest(review: Review, { explain }: RenderOptions): Child {
  const told = walkthroughLines(review)
  return [
    section('What changed', paragraphs(review.summary).map(paragraph), [
      told.length > 0
        ? listOf(told.map(prose))
        : review.keyChanges.length > 0
          ? listOf(review.keyChanges.map(prose))
          : null,
    ]),
    filesTable(review),
    criteria(review),
    companions(review),
    listSection('Questions for the author', questionLines(review)),
    listSection('Confidence', review.confidence.score === null ? [] : review.confidence.reasons),
    coverage(review),
    candidates(review, explain),
    listSection('Where planes did not agree', conflictLines(review)),
    listSection('Independent checks', refutationLines(review)),
    listSection('Notes of the team that had a part in this review', memoryLines(review)),
    listSection('Models and cost', [...costLines(review), ...modelRemarks(review)]),
    timeline(review),
  ]
}

function section(name: string, ...children: readonly Child[]): Markup {
  return element('section', {}, element('h2', {}, name), ...children)
}

function listSection(name: string, lines: readonly string[]): Markup | null {
  return lines.length === 0 ? null : section(name, listOf(lines.map(prose)))
}

function companions(review: Review): Markup | null {
  const lines = companionLines(review)
  if (lines.length === 0) return null
  return section(
    'Companion changes',
    listOf(lines.map(({ name, url, words }) => [addressed(name, url), ': ', prose(words)])),
  )
}

type Cell = { text: Child; isNumber?: boolean }

/** Scrolls by itself on narrow screens, so it can be reached by keyboard. */
function table(name: string, heads: readonly string[], rows: readonly (readonly Cell[])[]): Markup {
  const kept = rows.slice(0, mostRows)
  const left = rows.length - kept.length
  const numbers = heads.map((_, at) => rows[0]?.[at]?.isNumber === true)
  const cells = (row: readonly Cell[]) =>
    row.map(({ text, isNumber }) => element('td', { class: isNumber ? 'number' : null }, text))
  return element(
    'div',
    { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': name },
    element(
      'table',
      {},
      element(
        'thead',
        {},
        element(
          'tr',
          {},
          ...heads.map((head, at) =>
            element('th', { scope: 'col', class: numbers[at] ? 'number' : null }, head),
          ),
        ),
      ),
      element('tbody', {}, ...kept.map((row) => element('tr', {}, ...cells(row)))),
    ),
    left > 0 ? element('p', { class: 'soft' }, `… and ${count(left, 'more row')}, in the JSON format`) : null,
  )
}

function filesTable({ files }: Review): Child {
  if (files.length === 0) return null
  return table(
    'Changed files',
    ['File', 'Added', 'Removed', 'Change'],
    files.map(({ path, added, removed, summary }) => [
      { text: element('code', {}, path) },
      { text: `+${added}`, isNumber: true },
      { text: `−${removed}`, isNumber: true },
      { text: prose(summary) },
    ]),
  )
}

function criteria(review: Review): Child {
  const lines = criterionLines(review)
  if (lines.length === 0) return null
  return section(
    'Acceptance criteria',
    listOf(
      lines.map(({ words, reason, places }) => [
        prose(words),
        element('br'),
        prose(reason),
        places.length > 0 ? [' ', ...places.map((place) => [prose(place), ' '])] : null,
      ]),
    ),
  )
}

function coverage(review: Review): Markup {
  const open = review.coverage.files.filter(({ state }) => state !== 'reviewed')
  const notes = [
    ...planeGaps(review).map(({ plane, words }) => `plane ${plane}: ${words}`),
    ...review.coverage.limits,
    ...(review.instructions ?? []).map((path) => `instructions read from the base: ${path}`),
  ]
  return section(
    'Coverage',
    element('p', {}, `${coverageLine(review)}.`),
    open.length === 0
      ? null
      : table(
          'Files not reviewed, or only in part',
          ['File', 'State', 'Reason'],
          open.map(({ path, state, reason }) => [
            { text: element('code', {}, path) },
            { text: state },
            { text: reason ?? '' },
          ]),
        ),
    notes.length === 0 ? null : listOf(notes),
  )
}

/** Every candidate with its fate; folded unless they were asked for. */
function candidates({ verdicts }: Review, explain: boolean): Child {
  if (verdicts.length === 0) return null
  const shown = table(
    'Candidates',
    ['Candidate', 'Plane', 'Outcome', 'Reason'],
    verdicts.map(({ candidate, finding, outcome, step, reason }) => [
      {
        text: [
          prose(candidate.title),
          element('br'),
          element('code', {}, finding ? placeOf(finding) : candidate.anchor.path),
        ],
      },
      { text: candidate.plane },
      { text: `${outcome} (${step})` },
      { text: prose(reason) },
    ]),
  )
  const name = `All candidates (${verdicts.length}) and what became of them`
  return explain ? section(name, shown) : folded(name, shown)
}

function timeline({ run: { stagesMs } }: Review): Child {
  const stages = Object.entries(stagesMs)
  if (stages.length === 0) return null
  const longest = Math.max(1, ...stages.map(([, ms]) => ms))
  return section(
    'Time of each stage',
    table(
      'Time of each stage',
      ['Stage', 'Milliseconds', 'Share'],
      stages.map(([stage, ms]) => [
        { text: stage },
        { text: String(Math.round(ms)), isNumber: true },
        { text: element('meter', { min: 0, max: longest, value: ms, 'aria-label': `share of ${stage}` }) },
      ]),
    ),
  )
}

function footer({ tool, context, run }: Review): Markup {
  return element(
    'footer',
    {},
    `Sightline ${tool.version} · bundle ${context.slice(0, 12)} · ${run.startedAt.slice(0, 16).replace('T', ' ')} UTC`,
  )
}
