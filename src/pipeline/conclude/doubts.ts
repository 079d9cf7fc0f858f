/** Which findings are open to doubt, and why: what confidence in the whole goes down for. */
import type { Finding, Refutation, Verdict } from '../../domain/finding.ts'
import { isConfirmedByCode, upheldWords } from '../../domain/proof.ts'
import { count, list } from './words.ts'

export type Doubts = {
  /** Findings that are new and stand. */
  findings: number
  doubtful: number
  /** In words; empty without a doubt. */
  why: string
}

export function findDoubts(verdicts: readonly Verdict[], refutations: readonly Refutation[]): Doubts {
  const outcomes = new Map(refutations.map(({ finding, outcome }) => [finding, outcome]))
  const fresh = verdicts.filter(({ finding }) => finding !== null && !finding.preExisting)
  const doubtful = fresh.filter(isDoubtful)
  const number = (wanted: string) =>
    doubtful.filter(({ finding }) => outcomes.get(finding?.id ?? '') === wanted).length
  const [undecided, unasked] = [number('undecided'), number('not-asked')]
  const parts = [
    ...(undecided > 0 ? [`a second look could not decide ${undecided}`] : []),
    ...(unasked > 0 ? [`${unasked} had no second look`] : []),
  ]
  const more = parts.length > 0 ? ` (${list(parts)})` : ''
  return {
    findings: fresh.length,
    doubtful: doubtful.length,
    why:
      doubtful.length > 0 ? `${count(doubtful.length, 'finding')} could not be confirmed in full${more}` : '',
  }
}

function isDoubtful({ finding, step }: Verdict): boolean {
  return finding?.confidence === 'possible' || step === 'claims' || step === 'anchor' || isOpinion(finding)
}

/** A model's finding of which code could check the lines and the quotes, and that nobody tried to refute in vain. */
function isOpinion(finding: Finding | null): boolean {
  if (finding?.byModel !== true) return false
  return !isConfirmedByCode(finding) && !finding.verifiedBy.includes(upheldWords)
}
