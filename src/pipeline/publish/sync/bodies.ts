/** What a publication says, as final text: comments, the body of the review, the page of the check, annotations. */
import type { Finding } from '../../../domain/finding.ts'
import { type Gate, makeBlocks } from '../../../domain/gate.ts'
import { type Review, shortfallOf } from '../../../domain/review.ts'
import type { PlannedAnnotation } from '../../../hosts/remote/contract.ts'
import type { LinkTo, RenderOptions } from '../contract.ts'
import { codeSpan, proseToMarkdown } from '../markdown/escape.ts'
import { findingAsComment, findingFolded, folded, headline } from '../markdown/finding.ts'
import { companionList, coverageToMarkdown, renderMarkdown } from '../markdown/render.ts'
import { walkthroughLines } from '../review-words.ts'
import { count, coverageLine, marksOf, withoutTicks } from '../words.ts'

/** What became of all findings of the change request, each counted once; the same everywhere. */
export type Tally = {
  /** New ones that somebody has to look at, whether they have a thread or are only listed. */
  open: number
  fixed: number
  /** Resolved or deleted by people, or dismissed in words, and found all the same. */
  dismissed: number
  /** Of the open ones: new threads. */
  posted: number
  /** Of all: shown on the page of the check, or in the body of the review. */
  listed: number
}

type Room = {
  /** Most characters. */
  room: number
  link: LinkTo | undefined
}

const mostListed = 50
const mostUrls = 20
/** As many batches as a check of hundreds of findings is worth. */
const mostAnnotations = 200

/** `fence`: the language of a block that the host offers for committing; null where it cannot be one. */
export function commentBody(
  review: Review,
  finding: Finding,
  { fence, link, room }: Room & { fence: string | null },
): string {
  const options = optionsOf(link, 0)
  // What people call it by in commands.
  const name = `Finding ${codeSpan(finding.fingerprint.slice(0, 8))}`
  const full = `${findingAsComment(review, finding, { ...options, committable: fence ?? false })}\n\n${name}`
  if (full.length <= room) return full
  // Without what is folded, and without code: an explanation has at most 4,000 characters.
  const brief = proseToMarkdown(finding.explanation).slice(0, room - 1000)
  return `${headline(finding, options)}\n\n${brief}\n\n${name}`
}

/**
 * A few lines; the findings are on their lines, and everything else on the page of the check. `told`: how many of the listed ones
 * may be named; the others are only counted.
 */
export function reviewBody(
  review: Review,
  {
    tally,
    listed,
    told,
    lacks,
    link,
    room,
  }: Room & { tally: Tally; listed: readonly Finding[]; told: number; lacks: readonly string[] },
): string {
  const options = optionsOf(link, 0)
  const top = [
    `**${proseToMarkdown(review.conclusion.headline)}**`,
    `${reviewedWords(review)} ${upperFirst(countWords(tally))}.`,
  ]
  const named = listed.slice(0, Math.min(told, mostListed))
  const rest = listed.length - named.length
  const bodyWith = (tell: (finding: Finding) => string) =>
    [
      ...top,
      ...listing(named, tell),
      ...(rest > 0 ? [`… and ${count(rest, 'more finding')}.`] : []),
      ...gapWords(review),
      ...missingWords(lacks),
    ].join('\n\n')
  return firstWithin(room, waysToTell(review, options), bodyWith)
}

/** What this token may not do. */
function missingWords(lacks: readonly string[]): string[] {
  const notes = lacks.map((words) => `- ${proseToMarkdown(upperFirst(words))}`).join('\n')
  return notes === '' ? [] : [`**Missing rights**\n\n${notes}`]
}

/** Most lines on what changes, and of findings on lines, before a fold. */
const mostSteps = 8
const mostNamed = 20
/** Characters of the overview that are read without a click. */
const mostShown = 1_000

/**
 * The comment of the conversation, edited after each review: what the change does, the findings by severity, what was looked
 * at and what was not. `lacks`: what this token may not do.
 */
export function overviewBody(
  review: Review,
  {
    tally,
    onLines,
    listed,
    lacks,
    link,
    room,
  }: Room & {
    tally: Tally
    onLines: readonly Finding[]
    listed: readonly Finding[]
    lacks: readonly string[]
  },
): string {
  const options = optionsOf(link, 0)
  const told = walkthroughLines(review)
  const steps = (told.length > 0 ? told : review.keyChanges).slice(0, mostSteps)
  const changes = steps.map((step) => `- ${proseToMarkdown(step)}`).join('\n')
  const lines = onLines.slice(0, mostNamed).map((finding) => `- ${headline(finding, options)}`)
  const named = [lines.join('\n'), ...moreThan(mostNamed, onLines)].join('\n\n')
  const elsewhere = listed.filter((one) => !isMinor(one)).map((one) => headline(one, options))
  const top = [
    `**${proseToMarkdown(review.conclusion.headline)}**`,
    `${reviewedWords(review)} ${upperFirst(countWords(tally))}.`,
  ]
  const companions = companionList(review)
  const end = [
    ...(companions === '' ? [] : [`**Companion changes**\n\n${companions}`]),
    ...gapWords(review),
    ...missingWords(lacks),
  ]
  const bodyWith = (tell: (finding: Finding) => string) => {
    const others = [...listing(listed.slice(0, mostListed), tell), ...moreThan(mostListed, listed)].join(
      '\n\n',
    )
    const summary = count(listed.length, 'finding without a comment', 'findings without a comment')
    const sections = {
      changes: { title: 'What changes', text: changes, seen: changes.length },
      named: { title: 'On lines of the change', text: named, seen: named.length },
      others: { title: summary, text: others, seen: elsewhere.join('\n\n').length },
    }
    const shown = shownWithin(mostShown - [...top, ...end].join('\n\n').length, [
      ...[sections.named, sections.others, sections.changes],
    ])
    const told = [sections.changes, sections.named, sections.others].flatMap((section) => {
      const { title, text } = section
      if (text === '') return []
      if (!shown.has(section)) return [folded(title, text)]
      return [section === sections.others ? text : `**${title}**\n\n${text}`]
    })
    return [
      ...top,
      ...told,
      ...end,
      folded('What was reviewed, and what was not', coverageToMarkdown(review)),
    ].join('\n\n')
  }
  return firstWithin(room, waysToTell(review, options), bodyWith)
}

/** In full behind a fold, or in a line. */
function waysToTell(review: Review, options: RenderOptions): ((finding: Finding) => string)[] {
  return [
    (finding) => findingFolded(review, finding, options),
    (finding) => `- ${headline(finding, options)}`,
  ]
}

type Section = { title: string; text: string /** Characters that are read without a click. */; seen: number }

/** The first ones for which there is room; the others are a click away. */
function shownWithin(room: number, sections: readonly Section[]): Set<Section> {
  let left = room
  return new Set(
    sections.filter(({ title, seen }) => {
      const isShown = seen === 0 || seen + title.length + 10 <= left
      if (isShown && seen > 0) left -= seen + title.length + 10
      return isShown
    }),
  )
}

function moreThan(most: number, findings: readonly Finding[]): string[] {
  return findings.length > most ? [`… and ${count(findings.length - most, 'more finding')}.`] : []
}

/** Minor ones and those that existed before in one fold, the others to be seen. */
function listing(findings: readonly Finding[], tell: (finding: Finding) => string): string[] {
  const [serious, minor] = [findings.filter((one) => !isMinor(one)), findings.filter(isMinor)]
  return [
    ...(serious.length > 0 ? ['Not on a line of the diff, or less important:', ...serious.map(tell)] : []),
    ...(minor.length > 0 ? [folded(count(minor.length, 'minor finding'), ...minor.map(tell))] : []),
  ]
}

/** The whole report, as long as there is room; then with fewer findings in full. */
export function checkSummary(
  review: Review,
  { tally, urls, gate, link, room }: Room & { tally: Tally; urls: readonly string[]; gate: string },
): string {
  const open = urls.slice(0, mostUrls).map((url) => `- <${url}>`)
  const more = urls.length > mostUrls ? [`- … and ${urls.length - mostUrls} more`] : []
  const top = [
    `${reviewedWords(review)} ${upperFirst(countWords(tally))}.`,
    ...(gate === '' ? [] : [`**${upperFirst(gate)}.**`]),
    ...(open.length > 0 ? [`Still open on this pull request:\n\n${[...open, ...more].join('\n')}`] : []),
  ].join('\n\n')
  const steps = [
    { maxInline: 100 },
    // Fewer in full alone would take more room: behind a fold a finding is longer.
    { maxInline: 10, headlines: true },
    { maxInline: 0, headlines: true },
  ]
  return firstWithin(
    room,
    steps,
    ({ maxInline, ...less }) =>
      `${top}\n\n${renderMarkdown(review, { ...optionsOf(link, maxInline), ...less })}`,
  )
}

/** One line of plain text. */
export function checkTitle(review: Review, tally: Tally, gate: string): string {
  const words = [countWords(tally), ...(shortfallOf(review) === null ? [] : ['incomplete'])].join(', ')
  return `${upperFirst(words)}${gate === '' ? '' : `; ${gate}`}`
}

function countWords({ open, fixed, dismissed }: Tally): string {
  return [
    open === 0 ? 'no findings' : count(open, 'finding'),
    ...(fixed > 0 ? [`${fixed} fixed`] : []),
    ...(dismissed > 0 ? [`${dismissed} dismissed`] : []),
  ].join(', ')
}

function upperFirst(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export function closingReply({ request }: Review): string {
  return `Fixed in ${request.head.commit?.slice(0, 12) ?? 'the new head'}.`
}

/** Findings on lines of the head; those on lines that the change removed are only on the page. */
export function annotate(findings: readonly Finding[], gate: Gate | null): PlannedAnnotation[] {
  const blocks = gate === null ? () => false : makeBlocks(gate)
  return findings
    .filter(({ side }) => side === 'new')
    .slice(0, mostAnnotations)
    .map((finding) => ({
      path: finding.anchor.path,
      startLine: finding.startLine,
      endLine: finding.endLine,
      level: blocks(finding) ? 'failure' : isMinor(finding) ? 'notice' : 'warning',
      title: withoutTicks([finding.severity, finding.category, ...marksOf(finding)].join(' · ')),
      message: messageOf(finding),
    }))
}

function isMinor({ severity, preExisting }: Finding): boolean {
  return preExisting || severity === 'low'
}

function messageOf({ title, explanation, remedy }: Finding): string {
  return [title, explanation, remedy === null ? '' : `Suggested fix: ${remedy}`]
    .map(withoutTicks)
    .filter((part) => part !== '')
    .join('\n\n')
}

function optionsOf(link: LinkTo | undefined, maxInline: number): RenderOptions {
  return { color: false, width: 80, explain: false, maxInline, ...(link ? { link } : {}) }
}

/** `Reviewed 14 of 14 changed files at abc (configuration of def).` */
function reviewedWords(review: Review): string {
  const { head, base } = review.request
  const line = coverageLine(review)
  const at = head.commit === null ? '' : ` at ${codeSpan(head.commit.slice(0, 12))}`
  const of = base.commit === null ? '' : ` (configuration of ${codeSpan(base.commit.slice(0, 12))})`
  return `${upperFirst(line)}${at}${of}.`
}

function gapWords({ coverage: { complete }, conclusion: { notices } }: Review): string[] {
  const lines = notices.map((notice) => `- ${proseToMarkdown(notice)}`)
  return [
    ...(complete ? [] : ['Part of the change was not reviewed; the check lists it.']),
    ...(lines.length > 0 ? [lines.join('\n')] : []),
  ]
}

/** The first text that fits, and none is made after it; else the last one, cut. */
function firstWithin<Step>(room: number, steps: readonly Step[], make: (step: Step) => string): string {
  let text = ''
  for (const step of steps) {
    text = make(step)
    if (text.length <= room) return text
  }
  return within(text, room)
}

/** Cut between paragraphs or entries of a list, so that no block stays open, and says so. */
function within(text: string, room: number): string {
  if (text.length <= room) return text
  const note = '\n\n… The rest did not fit.'
  const cut = text.slice(0, room - note.length - 20)
  const at = Math.max(0, cut.lastIndexOf('\n\n'), cut.lastIndexOf('\n- '))
  const fences = [...cut.slice(0, at).matchAll(/^`{3,}/gm)]
  const whole = cut.slice(0, fences.length % 2 === 1 ? fences.at(-1)?.index : at)
  const opened = (whole.match(/<details>/g) ?? []).length - (whole.match(/<\/details>/g) ?? []).length
  return `${whole}${'\n\n</details>'.repeat(Math.max(0, opened))}${note}`
}
