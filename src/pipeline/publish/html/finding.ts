/** One finding in HTML: what, where, the code, why, suggested fix; folded below, the proof and a task for an agent. */
import type { DiffLine } from '../../../domain/change-set.ts'
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
  evidenceTitle,
  furtherPlaces,
  marksOf,
  paragraphs,
  placeOf,
  suggestedFor,
  suggestedLines,
} from '../words.ts'
import { type Child, element, type Markup, prose } from './markup.ts'

export function findingArticle(review: Review, finding: Finding, options: RenderOptions): Markup {
  const { id, severity, category, title, explanation, remedy, wrongIf } = finding
  return element(
    'article',
    { id: `finding-${id}`, 'aria-labelledby': `title-${id}` },
    element('h3', { id: `title-${id}` }, severityLabel(severity), prose(title)),
    element(
      'p',
      { class: 'soft' },
      placeLink(finding, options),
      ['', category, ...marksOf(finding)].join(' · '),
    ),
    codeTable(finding.excerpt, `Code at ${placeOf(finding)}`),
    paragraphs(explanation).map(paragraph),
    alsoAt(finding, options),
    finding.documented ? labelled('Based on', prose(documentedWords(finding))) : null,
    remedy === null ? null : labelled('Suggested fix', prose(remedy)),
    wrongIf === undefined ? null : labelled('Wrong if', prose(wrongIf)),
    suggestedCode(review, finding),
    testThatFails(review, finding),
    proof(review, finding, options),
    folded('Ask an agent to fix this', element('pre', {}, agentBlock(review, finding))),
  )
}

export function severityLabel(severity: Finding['severity']): Markup {
  return element('span', { class: `severity ${severity}` }, severity)
}

export function placeLink(finding: Finding, options: RenderOptions): Child {
  const { anchor, side, startLine, endLine } = finding
  return linked(placeOf(finding), { path: anchor.path, side, startLine, endLine }, options)
}

export function paragraph(lines: readonly string[]): Markup {
  return element('p', {}, ...lines.map((line, at) => [at > 0 ? element('br') : null, prose(line)]))
}

export function folded(summary: string, ...children: readonly Child[]): Markup {
  return element('details', {}, element('summary', {}, summary), ...children)
}

export function listOf(items: readonly Child[]): Markup {
  return element('ul', {}, ...items.map((item) => element('li', {}, item)))
}

/** Only addresses of the host come as links; they lead out of the page, so nothing of it is told there. */
function linked(words: string, to: LinkedPlace, { link }: RenderOptions): Markup {
  return addressed(words, link?.(to) ?? null)
}

/** A place elsewhere by its address, as code; without a link where there is none. */
export function addressed(words: string, url: string | null): Markup {
  const shown = element('code', {}, words)
  if (url === null || !/^https?:\/\//.test(url)) return shown
  return element('a', { href: url, rel: 'noreferrer noopener' }, shown)
}

function labelled(label: string, child: Child): Markup {
  return element('p', {}, element('strong', {}, `${label}: `), child)
}

const signs = { added: '+', removed: '-', context: ' ' } as const

/** Scrolls by itself, so it can be reached by keyboard. */
function codeTable(lines: readonly DiffLine[], caption: string): Markup | null {
  if (lines.length === 0) return null
  const rows = lines.map(({ kind, old, new: now, text }) =>
    element(
      'tr',
      { class: kind === 'context' ? null : kind },
      element('td', { class: 'at' }, String(now ?? old ?? '')),
      element('td', {}, `${signs[kind]} ${text}`),
    ),
  )
  return element(
    'div',
    { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': caption },
    element('table', { class: 'code' }, element('tbody', {}, ...rows)),
  )
}

function alsoAt({ places = [] }: Finding, options: RenderOptions): Markup | null {
  const words = furtherPlaces({ places })
  const shown = places.map((to, at) => [at > 0 ? ', ' : '', linked(words[at] ?? to.path, to, options)])
  return shown.length === 0 ? null : labelled('Also at', shown)
}

function suggestedCode(review: Review, finding: Finding): Child {
  const { suggestion, example, refusedSuggestion: why } = finding
  if (suggestion)
    return editsOf(suggestion).map((edit) => {
      const lines = suggestedLines(finding, edit).map(
        ({ sign, text }): DiffLine => ({
          kind: sign === '+' ? 'added' : 'removed',
          old: null,
          new: null,
          text,
          hash: '',
          noNewline: false,
        }),
      )
      const label = `Suggested for ${suggestedFor(edit)}${testedMark(review, finding)}`
      return [element('p', {}, `${label}:`), codeTable(lines, label)]
    })
  return [
    example === undefined ? null : [element('p', {}, 'For example:'), element('pre', {}, example)],
    why === undefined
      ? null
      : element('p', {}, 'The suggested code is not offered for committing: ', prose(why)),
  ]
}

function testThatFails(review: Review, finding: Finding): Child {
  const test = shownTest(review, finding)
  if (!test) return null
  const { heading, path, text, command, head, base, fix } = test
  return folded(
    heading,
    element('p', {}, element('code', {}, path)),
    element('pre', {}, text),
    element('p', {}, 'On the head it fails:'),
    element('pre', {}, head),
    element('p', {}, base),
    fix === '' ? null : element('p', {}, fix),
    element('p', {}, 'Run it: ', element('code', {}, command)),
  )
}

function proof(review: Review, finding: Finding, options: RenderOptions): Markup {
  const cited = citedEvidence(review, finding)
  const cost = findingCost(review, finding)
  const author = finding.byModel ? `${finding.plane}, reported by the reviewer model` : finding.plane
  return folded(
    `Evidence (${cited.length}) and how it was verified`,
    listOf(
      cited.map(({ item, quote }) => {
        const { path, side, startLine, endLine, elsewhere } = item
        const place = elsewhere
          ? addressed(evidencePlace(item), elsewhere.url)
          : path === null
            ? null
            : linked(evidencePlace(item), { path, side: side ?? 'new', startLine, endLine }, options)
        return [`${item.id} `, place, ' ', prose(evidenceTitle(item)), element('pre', {}, quote)]
      }),
    ),
    finding.claims.length === 0
      ? null
      : [element('p', {}, 'Claimed:'), listOf(finding.claims.map((claim) => prose(claimWords(claim))))],
    finding.verifiedBy.length === 0
      ? null
      : [element('p', {}, 'Verified:'), listOf(finding.verifiedBy.map(prose))],
    element(
      'p',
      { class: 'soft' },
      `${author} · ${finding.rule} · ${finding.confidence} · ${finding.fingerprint.slice(0, 12)}`,
      cost === null ? null : ` · ${cost}`,
    ),
  )
}
