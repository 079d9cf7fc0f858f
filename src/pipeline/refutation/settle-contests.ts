/**
 * What a contest does to the finding of code that it is about. A model's word alone takes nothing away: first code decides
 * what it can, by the tests of the finding's claims and by what is quoted, and what that leaves open is for a judge. Neither
 * can silence what the text itself proves, what two witnesses say, or anything above medium. Pure.
 */
import { type Contest, canBeContested, type RaisedContest } from '../../domain/contest.ts'
import { openEvidenceBook } from '../../domain/evidence.ts'
import {
  type Citation,
  dropVerdict,
  type Finding,
  type FindingVerdict,
  hasFinding,
  type Refutation,
  type Verdict,
} from '../../domain/finding.ts'
import { isConclusive } from '../../domain/proof.ts'
import type { ReviewContext } from '../../domain/review-context.ts'
import { isAtLeast } from '../../domain/severity.ts'
import { demote } from './apply-judgement.ts'
import { bareQuote, holdsQuoteOf, isNews, ownWords } from './quotes.ts'

/** Characters that a finding has room for. */
const mostExplanation = 4_000

export type WeighedContest = { raised: RaisedContest; decided: Decided | null }
type Decided = Pick<Contest, 'outcome' | 'decidedBy'>

export type WeighInput = {
  raised: readonly RaisedContest[]
  /** Of validation, which has tested every claim. */
  verdicts: readonly Verdict[]
  /** With the evidence that contests cite. */
  context: Pick<ReviewContext, 'change' | 'evidence'>
  /** A text that a model read seems to speak to models. */
  isSuspicious: boolean
}

/** One for each contested finding, of which code has decided those it can; the others are for a judge. */
export function weighContests({ raised, verdicts, context, isSuspicious }: WeighInput): WeighedContest[] {
  const book = openEvidenceBook(context.evidence)
  const diffs = context.change.files.map((file) => ({
    file,
    lines: file.hunks.flatMap(({ lines }) => lines),
  }))
  const holds = ({ evidence, quote }: Citation) => holdsQuoteOf(book.get(evidence), quote)
  return joined(raised).flatMap((contest) => {
    const verdict = verdicts.find(({ candidate }) => candidate.id === contest.finding)
    if (!verdict || verdict.candidate.byModel === true) return []
    const kept = { ...contest, citations: contest.citations.filter(holds) }
    const isNew = (finding: Finding) => {
      const own = ownWords(finding, { diffs }, book)
      return kept.citations.some(({ quote }) => isNews(bareQuote(quote), own))
    }
    return [{ raised: kept, decided: decideByCode(verdict, kept, isNew, isSuspicious) }]
  })
}

/** Several questions may contest one finding. */
function joined(raised: readonly RaisedContest[]): RaisedContest[] {
  return [...Map.groupBy(raised, ({ finding }) => finding)].flatMap(([finding, all]) =>
    all[0] ? [{ finding, reason: all[0].reason, citations: all.flatMap(({ citations }) => citations) }] : [],
  )
}

function decideByCode(
  { finding, step, reason }: Verdict,
  { citations }: RaisedContest,
  isNew: (finding: Finding) => boolean,
  isSuspicious: boolean,
): Decided | null {
  if (!finding)
    return step === 'claims'
      ? { outcome: 'dropped', decidedBy: `Its claims were tested again: ${reason}` }
      : { outcome: 'rejected', decidedBy: `The finding is not shown anyway: ${reason}` }
  if (!canBeContested(finding)) return reject('What this check reports is in the text itself')
  if (isConclusive(finding)) return reject('Two readings of the code confirm the finding')
  if (citations.length === 0) return unfounded('No quote is where the contest says it is')
  if (!isNew(finding))
    return unfounded('No quote shows anything about it that the finding does not quote itself')
  return isSuspicious ? reject('A text of this change seems to be written for a reviewing model') : null
}

function reject(decidedBy: string): Decided {
  return { outcome: 'rejected', decidedBy }
}

function unfounded(decidedBy: string): Decided {
  return { outcome: 'unfounded', decidedBy }
}

/** By finding, what a judge is shown of each contest that code leaves open. */
export function forJudge(weighed: readonly WeighedContest[]): Map<string, readonly Citation[]> {
  return new Map(
    weighed.flatMap(({ raised, decided }) =>
      decided ? [] : ([[raised.finding, raised.citations]] as const),
    ),
  )
}

/** `refutations`: of judges, where any was asked. The verdicts keep their order. */
export function settleContests(
  weighed: readonly WeighedContest[],
  verdicts: readonly Verdict[],
  refutations: readonly Refutation[],
): { verdicts: Verdict[]; contests: Contest[] } {
  const judged = new Map(refutations.map((one) => [one.finding, one]))
  const changed = new Map<string, Verdict>()
  const contests = weighed.flatMap(({ raised, decided }): Contest[] => {
    const verdict = verdicts.find(({ candidate }) => candidate.id === raised.finding)
    if (!verdict) return []
    const { plane, rule } = verdict.candidate
    const settled = decided ?? decideByJudge(verdict, judged.get(raised.finding))
    if (!decided && hasFinding(verdict)) changed.set(raised.finding, withContest(verdict, raised, settled))
    return [{ ...raised, plane, rule, ...settled }]
  })
  return { verdicts: verdicts.map((one) => changed.get(one.candidate.id) ?? one), contests }
}

function decideByJudge({ finding, reason }: Verdict, refutation: Refutation | undefined): Decided {
  // The word of another tool is judged in any case, contested or not.
  if (!finding) return { outcome: 'dropped', decidedBy: reason }
  switch (refutation?.outcome) {
    case 'refuted':
      return isAtLeast(finding.severity, 'high')
        ? open(`An independent check refuted it, which drops nothing above medium: ${refutation.reason}`)
        : { outcome: 'dropped', decidedBy: `An independent check refuted it: ${refutation.reason}` }
    case 'upheld':
    case 'narrowed':
    case 'overstated':
    case 'latent':
    case 'pre-existing':
      return reject(`An independent check upheld the finding: ${refutation.reason}`)
    case 'undecided':
      return open(`An independent check could not decide it: ${refutation.reason}`)
    default:
      return open('No independent check was asked')
  }
}

function open(decidedBy: string): Decided {
  return { outcome: 'open', decidedBy }
}

function withContest(
  verdict: FindingVerdict,
  { reason }: RaisedContest,
  { outcome, decidedBy }: Decided,
): Verdict {
  if (outcome === 'dropped')
    return dropVerdict(verdict, 'refutation', `A reviewing model contested it. ${decidedBy}`)
  if (outcome !== 'open') return verdict
  const { severity, lowered, explanation } = verdict.finding
  const note = `A reviewing model says that this is wrong, and nothing settled it: ${reason}`
  const why = `a reviewing model contests it: ${reason}`
  const isCapped = isAtLeast(severity, 'high')
  return demote(verdict, why, {
    contested: reason,
    explanation: `${explanation.slice(0, mostExplanation - note.length - 2)}\n\n${note}`.trim(),
    confidence: 'possible',
    severity: isCapped ? 'medium' : severity,
    ...(isCapped ? { lowered: lowered ?? { from: severity, why } } : {}),
  })
}
