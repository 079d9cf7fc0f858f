/** Step 3: cited evidence exists, quotes stand in it verbatim, and the evidence itself is what the repository says. */
import type { Candidate, Citation } from '../../../domain/finding.ts'
import { quotedWords } from '../../../domain/proof.ts'
import type { Place } from '../anchor/place.ts'
import { type Bench, drop, placeOf, type StepResult, type ValidationStep, type Walk } from '../step.ts'
import { claimsOfTag } from './cite-by-tag.ts'
import { findQuote } from './find-quote.ts'
import { findUntruth } from './find-untruth.ts'

export const evidenceSteps: readonly ValidationStep[] = [
  { name: 'something cited', step: 'evidence', run: checkCited },
  { name: 'verbatim quotes', step: 'evidence', run: checkQuotes },
  { name: 'true evidence', step: 'evidence', run: checkTruth },
]

function checkCited(walk: Walk): StepResult {
  if (walk.candidate.evidence.length > 0) return {}
  return quotesItsAnchor(walk.candidate, placeOf(walk))
    ? { verifiedBy: ['its own line is quoted word for word'] }
    : drop('It cites no evidence and does not quote the line it is about')
}

/** A `line-contains` claim about the shown line is a quotation of it; the claims step checks it. */
function quotesItsAnchor({ claims, anchor }: Candidate, place: Place): boolean {
  return claims.some(
    (claim) =>
      claim.kind === 'line-contains' &&
      claim.path === anchor.path &&
      claim.text.trim() !== '' &&
      claim.line === place.shown?.[claim.side],
  )
}

/** A quote of a model that differs in white space only becomes the words as they stand there. */
function checkQuotes(walk: Walk, { evidence }: Bench): StepResult {
  const { candidate } = walk
  const kept: Citation[] = []
  const claims = [...candidate.claims]
  const found = { asIs: 0, mended: 0 }
  for (const { evidence: id, quote } of candidate.evidence) {
    if (quote.trim() === '') return drop(`It cites ${id.slice(0, 20)} without quoting it`)
    const item = evidence.get(id)
    if (item) {
      const words = findQuote(item.text, quote, candidate.byModel === true)
      if (words === null) return drop(`The words it quotes do not stand in ${id}`)
      found[words === quote ? 'asIs' : 'mended']++
      kept.push({ evidence: id, quote: words })
      continue
    }
    const quoted = candidate.byModel ? claimsOfTag(id, quote, placeOf(walk)) : null
    if (quoted === null) return drop(`It cites ${id.slice(0, 20)}, which does not exist`)
    claims.push(...quoted)
  }
  return {
    candidate: { ...candidate, evidence: kept, claims },
    verifiedBy: [
      ...tell(found.asIs, quotedWords),
      ...tell(found.mended, 'in the evidence, white space aside, and is given as it stands there'),
    ],
  }
}

function tell(number: number, words: string): string[] {
  return number === 0 ? [] : [`${number} ${number === 1 ? 'quote stands' : 'quotes stand'} ${words}`]
}

async function checkTruth({ candidate }: Walk, { evidence, sources }: Bench): Promise<StepResult> {
  for (const { evidence: id } of candidate.evidence) {
    const item = evidence.get(id)
    const untruth = item ? await findUntruth(item, sources) : null
    if (untruth !== null) return drop(`${id} is not what the repository says: ${untruth}`)
  }
  return {}
}
