/** Text that several formats share: prose, places, evidence, claims, suggested lines, coverage. */

import { count } from '../../base/count.ts'
import { visibleLine } from '../../base/visible-text.ts'
import type { Claim } from '../../domain/claim.ts'
import type { Evidence } from '../../domain/evidence.ts'
import type { Edit, Finding } from '../../domain/finding.ts'
import type { Review } from '../../domain/review.ts'
import type { Severity } from '../../domain/severity.ts'

export { count }

export const severityIcon: Record<Severity, string> = { critical: '🔴', high: '🔴', medium: '🟡', low: '🟢' }

/** True of every finding, and so said once. */
export const checkedWords =
  'Every finding cites lines of this change, and its quotes match the files word for word.'

/** `src/a.ts:12` or `src/a.ts:12-14`; lines of the base are marked. */
export function placeOf(finding: Pick<Finding, 'anchor' | 'side' | 'startLine' | 'endLine'>): string {
  const lines =
    finding.startLine === finding.endLine ? `${finding.startLine}` : `${finding.startLine}-${finding.endLine}`
  return `${finding.anchor.path}:${lines}${finding.side === 'old' ? ' (before the change)' : ''}`
}

/** The location of an item of evidence, or its title if it has none. */
export function evidencePlace(item: Evidence): string {
  const { elsewhere } = item
  if (elsewhere) return `${elsewhere.repository} ${elsewhere.path}:${elsewhere.line}`
  if (item.path === null) return evidenceTitle(item)
  if (item.startLine === null) return item.path
  const end = item.endLine !== null && item.endLine !== item.startLine ? `-${item.endLine}` : ''
  return `${item.path}:${item.startLine}${end}${item.side === 'old' ? ' (before the change)' : ''}`
}

const toolCall = /^([a-z_]+)::(\{.*\})$/s
/** Arguments that say how, not what. */
const manner: ReadonlySet<string> = new Set(['case_sensitive', 'regex', 'side', 'depth'])

/** What it shows; the call of a tool as people would say it: `grep max-age docs`. */
export function evidenceTitle({ title }: Pick<Evidence, 'title'>): string {
  const [, tool = '', written = ''] = toolCall.exec(title) ?? []
  if (tool === '') return title
  try {
    const given = Object.entries(JSON.parse(written) as Record<string, unknown>)
    const said = given.flatMap(([name, value]) =>
      manner.has(name) || value === '' || value === null ? [] : [String(value)],
    )
    return [tool.replaceAll('_', ' '), ...said].join(' ')
  } catch {
    // A title may be cut.
    return title
  }
}

/** The evidence a finding cites, in its order, with the quoted words. */
export function citedEvidence(review: Review, finding: Finding): { item: Evidence; quote: string }[] {
  const byId = new Map(review.evidence.map((item) => [item.id, item]))
  return finding.evidence.flatMap(({ evidence, quote }) => {
    const item = byId.get(evidence)
    return item ? [{ item, quote }] : []
  })
}

export type RelatedPlace = { title: string; path: string; startLine: number; endLine: number }

/** Lines of the head that a finding is about besides its own: where the same defect is, and the evidence that it cites. */
export function relatedPlaces(review: Review, finding: Finding): RelatedPlace[] {
  const places = (finding.places ?? []).flatMap(({ path, side, startLine, endLine }) =>
    side === 'new' ? [{ title: 'The same defect', path, startLine, endLine }] : [],
  )
  const evidence = citedEvidence(review, finding).flatMap(
    ({ item: { title, path, startLine, endLine, side } }) =>
      path !== null && startLine !== null && side !== 'old'
        ? [{ title, path, startLine, endLine: endLine ?? startLine }]
        : [],
  )
  return [...places, ...evidence]
}

/** What each plane that did not run to its end came to. Foreign words stay raw. */
export function planeGaps({ coverage }: Review): { plane: string; words: string }[] {
  return coverage.planes
    .filter(({ state }) => state !== 'ran')
    .map(({ plane, state, reason }) => ({
      plane,
      words: state === 'left-out' ? (reason ?? 'left out') : [state, ...(reason ? [reason] : [])].join(', '),
    }))
}

/** `14 of 14 changed files`, with what was left out. */
export function coverageLine(review: Review): string {
  const { files, unlisted } = review.coverage
  const beyond = unlisted?.files ?? 0
  const inState = (state: string): number => files.filter((file) => file.state === state).length
  const parts = [`reviewed ${inState('reviewed')} of ${count(files.length + beyond, 'changed file')}`]
  if (inState('partly') > 0) parts.push(`${inState('partly')} in part`)
  const unreviewed = inState('not-reviewed') + beyond
  if (unreviewed > 0) parts.push(`${unreviewed} not`)
  if (inState('excluded') > 0) parts.push(`${inState('excluded')} left out by rule`)
  return parts.join(', ')
}

/** Titles and explanations are plain text with code between backticks. */
type Span = { code: boolean; text: string }

/**
 * An unpaired backtick is taken as text. Empty spans are left out and their neighbours joined: an address divided by empty
 * code would be recognised in neither half, but would work again once the halves are put together.
 */
export function splitCode(text: string): Span[] {
  const parts = text.split('`')
  const paired = parts.length % 2 === 1
  const spans = parts.map((part, index) => ({ code: index % 2 === 1, text: part }))
  if (!paired) {
    const last = spans.pop()
    const before = spans.pop()
    if (last && before) spans.push({ code: false, text: `${before.text}\`${last.text}` })
  }
  const merged: Span[] = []
  for (const span of spans.filter(({ text }) => text !== '')) {
    const last = merged.at(-1)
    if (last?.code === span.code) last.text += span.text
    else merged.push(span)
  }
  return merged
}

/** On one line, visible, and without the backticks that set code apart. */
export function withoutTicks(text: string): string {
  return splitCode(text)
    .map((span) => visibleLine(span.text))
    .join('')
}

/** Paragraphs, split by blank lines, as their lines; white space inside a line is folded. */
export function paragraphs(text: string): string[][] {
  return text
    .split(/\n\s*\n/)
    .map((paragraph) =>
      paragraph
        .split('\n')
        .map((line) => line.replace(/\s+/g, ' ').trim())
        .filter((line) => line !== ''),
    )
    .filter((lines) => lines.length > 0)
}

/** The further places of a finding: `src/b.ts:12`. */
export function furtherPlaces({ places = [] }: Pick<Finding, 'places'>): string[] {
  return places.map(({ path, ...lines }) => placeOf({ anchor: { path, tags: [] }, ...lines }))
}

/** What a reader should know of a finding before anything else; each in a word or two. */
export function marksOf({ preExisting, contested }: Pick<Finding, 'preExisting' | 'contested'>): string[] {
  return [
    ...(preExisting ? ['existed before this change'] : []),
    ...(contested === undefined ? [] : ['contested by a model']),
  ]
}

/** What it is based on besides the repository, in a sentence; empty for nothing. */
export function documentedWords({ documented }: Pick<Finding, 'documented'>): string {
  return documented ? `${documented.name}, as documented (not checked here): ${documented.behaviour}` : ''
}

/** A line of a suggestion shown as a diff. */
type SuggestedLine = { sign: '-' | '+'; text: string }

/** Without the old lines of the suggestion, those of the excerpt, if it has all of them; a part would be misleading. */
export function suggestedLines({ excerpt }: Finding, edit: Edit): SuggestedLine[] {
  const { startLine, endLine, replacement } = edit
  const shown = excerpt.filter(({ new: line }) => line !== null && line >= startLine && line <= endLine)
  const old =
    edit.replaced?.split('\n') ??
    (shown.length === endLine - startLine + 1 ? shown.map(({ text }) => text) : [])
  return [
    ...old.map((text): SuggestedLine => ({ sign: '-', text })),
    ...replacement.split('\n').map((text): SuggestedLine => ({ sign: '+', text })),
  ]
}

/** `line 12`, `lines 12 to 14`. */
export function suggestedFor({ startLine, endLine }: Edit): string {
  return startLine === endLine ? `line ${startLine}` : `lines ${startLine} to ${endLine}`
}

/** Each claim as a sentence of our own, with the names and places it holds between backticks. */
export function claimWords(claim: Claim): string {
  switch (claim.kind) {
    case 'caller-not-updated':
      return `${at(claim)} still uses ${code(claim.symbol)}, defined in ${code(claim.definedIn)}, as it was before the change`
    case 'undefined':
      return `${code(claim.name)}, used at ${at(claim)}, is defined nowhere`
    case 'not-exported':
      return `${at(claim)} imports ${code(claim.name)} from ${code(claim.from)}, which does not export it`
    case 'call-mismatch':
      return `${at(claim)} calls ${code(claim.name)} in a way that does not fit its parameters`
    case 'missing-path':
      return `${at(claim)} refers to ${code(claim.target)}, which does not exist`
    case 'duplicate-of':
      return `lines ${claim.line} to ${claim.endLine} of ${code(claim.path)} repeat lines ${claim.otherLine} to ${claim.otherEndLine} of ${code(claim.otherPath)}`
    case 'no-test-calls':
      return `no test calls ${code(claim.symbol)}, defined at ${at(claim)}`
    case 'unused':
      return `${code(claim.name)}, defined at ${at(claim)}, is used nowhere else`
    case 'type-mismatch':
      return `the types do not fit at ${at(claim)}, says ${code(claim.checker)}`
    case 'line-contains':
      return `${at(claim)}${claim.side === 'old' ? ', before the change,' : ''} holds ${code(claim.text)}`
    case 'rule-matches':
      return `the rule ${code(claim.rule)} matches at ${at(claim)}`
    case 'changes-together':
      return `${code(claim.partner)} changed in ${claim.together} of the ${count(claim.total, 'commit')} that changed ${code(claim.path)}, and did not now`
  }
}

function at({ path, line }: { path: string; line: number }): string {
  return code(`${path}:${line}`)
}

function code(text: string): string {
  return `\`${text.replaceAll('`', "'").slice(0, 200)}\``
}
