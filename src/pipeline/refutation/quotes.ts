/**
 * What a quote of a judge can show at all. Code cannot tell what words mean, but it can tell that they are there, that they
 * name something the finding is about, and that they are more than the finding quotes itself.
 */
import { holdsQuote, visibleText } from '../../base/visible-text.ts'
import type { DiffLine, FileChange } from '../../domain/change-set.ts'
import { evidenceOfLines, linesFromTag } from '../../domain/diff-lines.ts'
import { type EvidenceBook, type EvidenceDraft, itemWithWords } from '../../domain/evidence.ts'
import type { Finding } from '../../domain/finding.ts'
import { bareId, parseTag } from '../../domain/line-tag.ts'
import type { Dossier } from './dossier.ts'
import { guard, namesIn } from './line-words.ts'
import { isUntouched, type Place } from './places.ts'

/** The evidence, or lines of the diff, that contain the quote; null when nothing does. Only what the judge was shown. */
export function findQuote(id: string, quote: string, { evidence, diffs }: Dossier): EvidenceDraft | null {
  const name = bareId(id)
  const words = bareQuote(quote)
  const item = itemWithWords(evidence, name, (one) => holdsQuoteOf(one, quote))
  if (item) return holdsQuoteOf(item, quote) ? item : null
  for (const { file, lines } of diffs) {
    const tagged = linesFromTag(file, name, words.split('\n').length)
    const shown = tagged.filter((line) => lines.includes(line))
    if (shown.length === 0 || shown[0] !== tagged[0]) continue
    const side = parseTag(name)?.side ?? 'new'
    const draft = evidenceOfLines(file, side, shown, 'quoted by an independent check')
    if (holdsQuote(draft.text, words)) return draft
  }
  return null
}

/** Whether these words stand in the evidence, as it is or as a model was shown it. */
export function holdsQuoteOf(item: EvidenceDraft | undefined, quote: string): boolean {
  return item !== undefined && holdsQuote(item.text, bareQuote(quote))
}

/**
 * Whether the quoted lines were there before the change: old evidence, or lines that the change leaves as they were. Those of
 * another file than the diff shows count if the finding does not quote them itself: code that merely meets the change is old too.
 */
export function isFromBefore(
  quote: string,
  item: EvidenceDraft,
  { own, files }: { own: Own; files: readonly FileChange[] },
): boolean {
  if (item.side === 'old') return true
  if (item.source !== 'diff' && !isNews(quote, own)) return false
  const lines = linesOf(quote, item)
  return lines !== null && isUntouched(lines, files)
}

/** The lines of a file that the quote is from; null for evidence that is no lines. */
function linesOf(quote: string, { path, startLine, text }: EvidenceDraft): Omit<Place, 'side'> | null {
  if (path === null || startLine === null) return null
  const words = bareQuote(quote)
  const above = text.slice(0, Math.max(0, text.indexOf(words)))
  const from = startLine + above.split('\n').length - 1
  return { path, startLine: from, endLine: from + words.split('\n').length - 1 }
}

/** Without tag and sign, which the question shows before each line of the diff, and without the space around it. */
export function bareQuote(quote: string): string {
  const bare = quote.split('\n').map((line) => line.replace(/^[ \t]*\[[LO]\d{1,9}#[0-9a-z]{3}\] ?[-+ ]?/, ''))
  return bare.join('\n').trim()
}

/** What the quotes on one finding are compared with. */
export type Own = {
  /** Names on its lines, in its quotes and claims, and in the code spans of its text. */
  subjects: ReadonlySet<string>
  quotes: readonly string[]
  /** Every line that it is about or quotes, whole. */
  lines: ReadonlySet<string>
  at: Place
  /** What the judge asked to see to decide it. */
  lookedUp: ReadonlySet<EvidenceDraft>
}

export function ownWords(
  finding: Finding,
  { diffs }: Pick<Dossier, 'diffs'>,
  book: EvidenceBook,
  lookedUp: readonly EvidenceDraft[] = [],
): Own {
  const { title, explanation, remedy, evidence, claims, anchor } = finding
  const at = diffs.find(({ file }) => file.path === anchor.path)
  const lines = [...(at?.lines ?? []), ...finding.excerpt].filter((line) => isOwn(line, finding))
  const claimed = claims.flatMap((claim) =>
    'symbol' in claim ? [claim.symbol] : 'name' in claim ? [claim.name] : [],
  )
  // A quote of the diff by its tag has become a claim about that line.
  const lineClaims = claims.flatMap((claim) => (claim.kind === 'line-contains' ? [claim] : []))
  const quoted = [...evidence.map(({ quote }) => quote), ...lineClaims.map(({ text }) => text)]
  const code = [title, explanation, remedy ?? ''].flatMap((words) => words.match(/`[^`\n]{1,200}`/g) ?? [])
  const texts = lines.map(({ text }) => text)
  const cited = evidence.flatMap(({ evidence: id, quote }) => wholeLines(book.get(id)?.text ?? '', quote))
  const onLines = lineClaims.flatMap(({ side, line, text, path }) => {
    const file = diffs.find((one) => one.file.path === path)
    return file?.lines.find((one) => one[side] === line)?.text ?? text
  })
  return {
    subjects: namesIn([...texts, ...quoted, ...claimed, ...code].join('\n')),
    quotes: evidence.map(({ quote }) => quote),
    lines: new Set([...texts, ...cited, ...onLines].map(folded)),
    at: { path: anchor.path, side: finding.side, startLine: finding.startLine, endLine: finding.endLine },
    lookedUp: new Set(lookedUp),
  }
}

function isOwn(line: DiffLine, { side, startLine, endLine }: Finding): boolean {
  const number = line[side]
  return number !== null && startLine <= number && number <= endLine
}

/** It names something that the finding is about; an import or a bracket does not. */
export function isAbout(quote: string, { subjects }: Own): boolean {
  return [...namesIn(quote)].some((name) => subjects.has(name))
}

/** Lines between a finding and what counts as beside it. */
const nearby = 3

/** A part of a name that is about the same: `setsockopt` in `win32_setsockopt`. */
const shortestPart = 6

/**
 * It can show an oversight: it names what the finding is about, or is beside it and thus on the same path, such as a guard
 * whose names are in every second line, or has a longer name made of one that the finding is about.
 */
export function bearsOn(quote: string, item: EvidenceDraft, own: Own): boolean {
  if (isAbout(quote, own) || isBeside(quote, item, own) || isOfIts(quote, item, own)) return true
  const parts = [...own.subjects].filter(({ length }) => length >= shortestPart)
  return [...namesIn(quote)].some((name) => parts.some((part) => name.includes(part)))
}

/**
 * Evidence that is there for this finding, whatever a line of it names: what was looked up to decide it, or begins by naming what it
 * is about, as a definition does.
 */
export function isOfIts(quote: string, item: EvidenceDraft, { subjects, lookedUp }: Own): boolean {
  // A bracket shows nothing, wherever it is.
  if (namesIn(quote).size === 0) return false
  if (lookedUp.has(item)) return true
  const [first = ''] = item.text.split('\n')
  return item.path !== null && [...namesIn(first)].some((name) => subjects.has(name))
}

function isBeside(quote: string, item: EvidenceDraft, { at }: Own): boolean {
  const lines = linesOf(quote, item)
  if (!lines || lines.path !== at.path || item.side !== at.side) return false
  if (namesIn(quote).size === 0 && !guard.test(quote)) return false
  return lines.startLine <= at.endLine + nearby && at.startLine - nearby <= lines.endLine
}

/** More than the own quotes of the finding, and bears on it: enough to show an oversight. */
export function isOversight(quote: string, item: EvidenceDraft, own: Own): boolean {
  return bearsOn(quote, item, own) && !own.quotes.some((known) => repeats(quote, known))
}

/** It is about the finding and more than its own quotes. */
export function isNews(quote: string, own: Own): boolean {
  return isAbout(quote, own) && !own.quotes.some((known) => repeats(quote, known))
}

/** It is about the finding, and so is a line of it that the finding neither is about nor quotes: enough as support. */
export function isBeyond(quote: string, item: EvidenceDraft, own: Own): boolean {
  if (!isNews(quote, own)) return false
  return wholeLines(item.text, bareQuote(quote)).some(
    (line) => !own.lines.has(folded(line)) && isAbout(line, own),
  )
}

/** The whole lines of the text that the quote touches. */
function wholeLines(text: string, quote: string): string[] {
  const shown = text.includes(quote) ? text : visibleText(text.replaceAll('\r\n', '\n'))
  const at = quote === '' ? -1 : shown.indexOf(quote)
  if (at < 0) return []
  const from = shown.lastIndexOf('\n', at - 1) + 1
  const end = shown.indexOf('\n', at + quote.length)
  return shown.slice(from, end < 0 ? undefined : end).split('\n')
}

function folded(line: string): string {
  return line.replace(/\s+/g, ' ').trim()
}

/** Part of it, or all of it with nothing around it that names anything. */
function repeats(quote: string, own: string): boolean {
  const [words, known] = [quote, own].map(folded)
  if (!words || !known) return false
  if (known.includes(words)) return true
  return words.includes(known) && namesIn(words.replaceAll(known, ' ')).size === 0
}
