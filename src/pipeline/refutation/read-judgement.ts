/**
 * From a judge's answer to what it is worth. A judge's word alone changes nothing for the worse: a finding falls only
 * when every quote stands word for word where it is said to stand, and at least one of those against it shows something
 * about it that it does not quote itself.
 */
import { holdsQuote, visibleLine } from '../../base/visible-text.ts'
import { evidenceOfLines, linesFromTag } from '../../domain/diff-lines.ts'
import type { EvidenceBook, EvidenceDraft } from '../../domain/evidence.ts'
import type { Citation, Refutation } from '../../domain/finding.ts'
import { parseTag } from '../../domain/line-tag.ts'
import { isConfirmedByCode } from '../../domain/proof.ts'
import type { JudgeAnswer } from './answer.ts'
import { bearsOn } from './bears-on.ts'
import type { Dossier } from './dossier.ts'

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

  const said = `It was called refuted (${reason}), but`
  if (answer.quotes.length === 0) return result('undecided', `${said} without a quote`)
  if (standing.length < answer.quotes.length)
    return result('undecided', `${said} not every quote is where the answer says it is`)
  if (!against.some(({ quote }) => bearsOn(quote, finding, diff)))
    return result('undecided', `${said} no quote shows anything that the finding does not quote itself`)
  if (isConfirmedByCode(finding))
    return result('undecided', `${said} code confirmed one of its claims, which carries more weight`)
  return result('refuted', reason)
}

/** The number of the evidence, or the lines of the diff, in which the quote stands; null when it does not. */
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
