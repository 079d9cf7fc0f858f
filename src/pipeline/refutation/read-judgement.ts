/**
 * Decides what a judge's answer counts for. A finding is dropped only when every quote is verbatim at its source, and at
 * least one quote against the finding is about it and not already quoted by it.
 */

import { holdsQuote, visibleLine } from '../../base/visible-text.ts'
import type { DiffLine } from '../../domain/change-set.ts'
import { evidenceOfLines, linesFromTag } from '../../domain/diff-lines.ts'
import type { EvidenceBook, EvidenceDraft } from '../../domain/evidence.ts'
import type { Citation, Finding, Refutation } from '../../domain/finding.ts'
import { parseTag } from '../../domain/line-tag.ts'
import { isConfirmedByCode } from '../../domain/proof.ts'

import type { Dossier, JudgeAnswer } from './question.ts'

const mostQuotes = 20
const longestReason = 500

/** Lines of the diff that it cites become evidence of the book. */
export function readJudgement(answer: JudgeAnswer, dossier: Dossier, book: EvidenceBook): Refutation {
  const { finding, diff } = dossier
  const read = answer.quotes
    .slice(0, mostQuotes)
    .map(({ id, quote, bears }) => ({ bears, quote, item: placeOf(id, quote, dossier) }))
  const standing = read.flatMap(({ item, ...rest }) => (item ? [{ ...rest, item }] : []))
  const against = standing.filter(({ bears }) => bears === 'against')
  const citations = standing.map(({ item, quote }): Citation => {
    const evidence = typeof item === 'string' ? item : book.add(item)
    return { evidence, quote: quoteIn(book.get(evidence)?.text ?? '', quote) }
  })
  const reason = visibleLine(answer.reason).trim().slice(0, longestReason)
  const result = (outcome: Refutation['outcome'], words: string): Refutation => ({
    finding: finding.id,
    outcome,
    reason: words,
    citations,
  })
  if (answer.judgement !== 'refuted') return result(answer.judgement, reason)

  const said = `The judge called it refuted (${reason}), but`
  if (answer.quotes.length === 0) return result('undecided', `${said} without a quote`)
  if (standing.length < answer.quotes.length)
    return result('undecided', `${said} not every quote is where the answer says it is`)
  if (!against.some(({ quote }) => isRelevantQuote(quote, finding, diff)))
    return result('undecided', `${said} no quote shows anything that the finding does not quote itself`)
  if (isConfirmedByCode(finding))
    return result('undecided', `${said} code confirmed one of its claims, which carries more weight`)
  return result('refuted', reason)
}

/** The number of the evidence, or the lines of the diff, that contain the quote; null when they do not. */
function placeOf(id: string, quote: string, dossier: Dossier): string | EvidenceDraft | null {
  const name = id.trim().replace(/^\[(.*)\]$/, '$1')
  const item = dossier.evidence.find((one) => one.id === name)
  if (item) return holdsQuote(item.text, bareQuote(quote)) ? item.id : null
  const draft = linesQuoted(name, quote, dossier)
  return draft && holdsQuote(draft.text, bareQuote(quote)) ? draft : null
}

/** The tagged line, with as many of those below it on its side as the quote has; of what the judge was shown only. */
function linesQuoted(tag: string, quote: string, { file, diff }: Dossier): EvidenceDraft | null {
  if (!file) return null
  const lines = linesFromTag(file, tag, bareQuote(quote).split('\n').length)
  const shown = lines.filter((line) => diff.includes(line))
  if (shown.length === 0 || shown[0] !== lines[0]) return null
  return evidenceOfLines(file, parseTag(tag)?.side ?? 'new', shown, 'quoted by an independent check')
}

/** Without tag and sign, which the question shows before each line of the diff, and without the space around it. */
function bareQuote(quote: string): string {
  const bare = quote.split('\n').map((line) => line.replace(/^[ \t]*\[[LO]\d{1,9}#[0-9a-z]{3}\] ?[-+ ]?/, ''))
  return bare.join('\n').trim()
}

function quoteIn(text: string, quote: string): string {
  return text.includes(quote) && quote !== '' ? quote : bareQuote(quote)
}

/**
 * Whether a quote can refute a finding at all. Code cannot tell what a quote means, but it can exclude two kinds: a quote
 * that only repeats what the finding quotes itself, and one that names nothing that the finding is about, such as an
 * import or a bracket.
 *
 * `diff`: lines around the finding.
 */
function isRelevantQuote(quote: string, finding: Finding, diff: readonly DiffLine[]): boolean {
  const subjects = subjectsOf(finding, diff)
  const isAboutIt = [...namesIn(quote)].some((name) => subjects.has(name))
  return isAboutIt && !finding.evidence.some((own) => repeats(quote, own.quote))
}

/** Names on its lines, in its quotes and claims, and in the code spans of its text. */
function subjectsOf(finding: Finding, diff: readonly DiffLine[]): Set<string> {
  const { title, explanation, remedy, evidence, claims, side, startLine, endLine } = finding
  const own = diff.filter((line) => {
    const number = line[side]
    return number !== null && startLine <= number && number <= endLine
  })
  const claimed = claims.flatMap((claim) =>
    'symbol' in claim ? [claim.symbol] : 'name' in claim ? [claim.name] : [],
  )
  const code = [title, explanation, remedy ?? ''].flatMap((words) => words.match(/`[^`\n]{1,200}`/g) ?? [])
  return namesIn(
    [...own.map(({ text }) => text), ...evidence.map(({ quote }) => quote), ...claimed, ...code].join('\n'),
  )
}

/** Part of it, or all of it with nothing around it that names anything. */
function repeats(quote: string, own: string): boolean {
  const [words, known] = [quote, own].map((text) => text.replace(/\s+/g, ' ').trim())
  if (!words || !known) return false
  if (known.includes(words)) return true
  return words.includes(known) && namesIn(words.replaceAll(known, ' ')).size === 0
}

/** Keywords and English words that do not show what a line is about. */
const common: ReadonlySet<string> = new Set(
  `abstract and any are as async await be bool boolean break but by byte can case catch char class const constructor
  continue def default defer del delete do does double elif else end enum except export extends extern false final
  finally float fn for from func function get global go goto has have if impl implements import in include int
  interface is it its lambda let long loop match mod module move mut namespace new nil no none not null number object of
  on or override package pass private protected pub public raise readonly rescue ret return select self set short sizeof
  static str string struct super switch template that the their then this throw throws to trait true try type typedef
  typeof undefined unless unsafe use using val value var virtual void volatile was when where which while will with
  without yield`.split(/\s+/),
)

const name = /[\p{L}_$][\p{L}\p{N}_$]*/gu

/** The names in code or prose, without the common words, in lower case. */
function namesIn(text: string): Set<string> {
  const names = (text.match(name) ?? []).map((word) => word.toLowerCase())
  return new Set(names.filter((word) => !common.has(word)))
}
