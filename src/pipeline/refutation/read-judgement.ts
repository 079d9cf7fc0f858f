/**
 * Decides what a judge's answer on one finding counts for. Words of a judge change a finding only where they are verbatim at their source:
 * to drop it, to cut a sentence, to call it older than the change, or to support a high severity, each by its own rule.
 */
import { visibleLine } from '../../base/visible-text.ts'
import type { FileChange } from '../../domain/change-set.ts'
import type { EvidenceBook, EvidenceDraft } from '../../domain/evidence.ts'
import { type Citation, type Finding, isHearsay, type Refutation } from '../../domain/finding.ts'
import { bareId } from '../../domain/line-tag.ts'
import { isConfirmedByCode } from '../../domain/proof.ts'
import type { Dossier } from './dossier.ts'
import type { LookUp } from './look-up.ts'
import { holdsAll, withoutSentences } from './narrow.ts'
import { type JudgeAnswer, type Judgement, labelOf } from './question.ts'
import {
  bareQuote,
  bearsOn,
  findQuote,
  isAbout,
  isBeyond,
  isFromBefore,
  isOfIts,
  isOversight,
  type Own,
  ownWords,
} from './quotes.ts'

const mostQuotes = 20
const longestReason = 500

type Quote = Judgement['quotes'][number]
type FoundQuote = Quote & { item: EvidenceDraft }

/** Lines of the diff that it cites become evidence of the book. */
export function readJudgement(
  answer: Judgement,
  finding: Finding,
  dossier: Dossier,
  {
    book,
    files,
    lookedUp = [],
  }: { book: EvidenceBook; files: readonly FileChange[]; lookedUp?: readonly EvidenceDraft[] },
): Refutation {
  const quotes = answer.quotes.slice(0, mostQuotes)
  const found = quotes.flatMap((quote): FoundQuote[] => {
    const item = findQuote(quote.id, quote.quote, dossier)
    return item ? [{ ...quote, item }] : []
  })
  const own = ownWords(finding, dossier, book, lookedUp)
  const reason = visibleLine(answer.reason).trim().slice(0, longestReason)
  const isWhole = answer.quotes.length > 0 && found.length === answer.quotes.length
  const fault = faultOf(answer, { finding, files, own, found, isWhole })
  const said = `The judge called it ${answer.judgement} (${reason}), but`
  const isUpheld = ['upheld', 'narrowed', 'overstated'].includes(answer.judgement)
  // The main claim of a finding that cannot be narrowed as the judge wants is as true as he says, and as well supported:
  // quotes that are where he says count, and a slip beside them does not. Not where he would cut all that is said.
  const fallback = isUpheld ? 'upheld' : 'undecided'
  const beyond =
    isUpheld &&
    found.length * 2 >= answer.quotes.length &&
    !(answer.judgement === 'narrowed' && holdsAll(answer.cut, finding)) &&
    found.some(({ bears, quote, item }) => bears === 'for' && isBeyond(quote, item, own))
  const cut = answer.judgement === 'narrowed' && fault === null ? withoutSentences(finding, answer.cut) : null
  return {
    finding: finding.id,
    outcome: fault === null ? answer.judgement : fallback,
    reason: fault === null ? reason : `${said} ${fault}`,
    citations: found.map((quote) => citationOf(quote, book)),
    was: finding.severity,
    ...(answer.severity === null ? {} : { severity: answer.severity }),
    ...(isUpheld ? { beyond } : {}),
    ...(cut ? { cut: cut.sentences } : {}),
  }
}

type Grounds = {
  finding: Finding
  /** Of the change. */
  files: readonly FileChange[]
  own: Own
  found: readonly FoundQuote[]
  /** It quotes something, and every quote is where it says. */
  isWhole: boolean
}

/** Why a judgement that takes something away does not count, as the end of a sentence; null when it does. */
function faultOf({ judgement, cut, quotes }: Judgement, grounds: Grounds): string | null {
  if (judgement === 'upheld' || judgement === 'undecided') return null
  const { finding, own, found, isWhole } = grounds
  if (quotes.length === 0) return 'without a quote'
  if (!isWhole) return 'not every quote is where the answer says it is'
  const against = found.filter(({ bears }) => bears === 'against')
  switch (judgement) {
    case 'overstated':
      return against.some(({ quote, item }) => bearsOn(quote, item, own))
        ? null
        : 'no quote against it is about it'
    case 'refuted':
    case 'latent':
      if (!against.some(({ quote, item }) => isOversight(quote, item, own)))
        return 'no quote shows anything that the finding does not quote itself'
      break
    case 'narrowed':
      if (!against.some(({ quote, item }) => bearsOn(quote, item, own)))
        return 'no quote against it is about it'
      return withoutSentences(finding, cut) ? null : 'what it would cut is not in the text, or is all of it'
    case 'pre-existing':
      if (!found.some(({ quote, item }) => isOn(quote, item, own) && isFromBefore(quote, item, grounds)))
        return 'no quote about it is from before the change'
  }
  // Of a finding of code this is what a reviewer contests, and what two witnesses confirmed is not asked about.
  return isHearsay(finding) && isConfirmedByCode(finding)
    ? 'code confirmed one of its claims, which carries more weight'
    : null
}

function isOn(quote: string, item: EvidenceDraft, own: Own): boolean {
  return isAbout(quote, own) || isOfIts(quote, item, own)
}

function citationOf({ item, quote }: FoundQuote, book: EvidenceBook): Citation {
  const evidence = 'id' in item && typeof item.id === 'string' ? item.id : book.add(item)
  const text = book.get(evidence)?.text ?? ''
  return { evidence, quote: text.includes(quote) && quote !== '' ? quote : bareQuote(quote) }
}

/** What an answer says of one finding. `contradictory`: it judges it twice, and differently. */
export type Said = {
  judgement: Judgement | 'contradictory' | null
  /** The first that it asked for. */
  lookUp: LookUp | null
  /** The position of an earlier finding that it calls the same; null for none. */
  sameAs: number | null
}

/**
 * By the position of the finding in the question, and the numbers that no finding has. Nothing is guessed: what names no finding of
 * the question counts for none.
 */
export function sortAnswer(answer: JudgeAnswer, findings: number): { said: Said[]; strange: string[] } {
  const labels = Array.from({ length: findings }, (_, at) => labelOf(at))
  const named = [...answer.judgements, ...answer.look_ups].map(({ finding }) => finding)
  return {
    said: labels.map(
      (label): Said => ({
        judgement: only(answer.judgements.filter(({ finding }) => bare(finding) === label)),
        lookUp: answer.look_ups.find(({ finding }) => bare(finding) === label) ?? null,
        sameAs: sameAs(answer, label, labels),
      }),
    ),
    strange: [...new Set(named.filter((name) => !labels.includes(bare(name))))].map((name) =>
      visibleLine(name).slice(0, 40),
    ),
  }
}

function sameAs({ judgements }: JudgeAnswer, label: string, labels: readonly string[]): number | null {
  const named = judgements.filter(({ finding }) => bare(finding) === label).map((one) => bare(one.same_as))
  const [at] = named.map((name) => labels.indexOf(name)).filter((one) => one >= 0)
  return at !== undefined && at < labels.indexOf(label) ? at : null
}

function only([first, ...others]: readonly Judgement[]): Said['judgement'] {
  if (!first) return null
  return others.every(({ judgement }) => judgement === first.judgement) ? first : 'contradictory'
}

/** `[F1]` and `f1` as `F1`. */
function bare(name: string): string {
  return bareId(name).toUpperCase()
}
