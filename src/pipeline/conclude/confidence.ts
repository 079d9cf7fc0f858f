/**
 * How far the review as a whole can be relied on, from 1 to 5, by the rule in docs/reading-a-review.md: it counts what is
 * missing.
 */

import { describeGaps } from '../../domain/conclusion.ts'
import type { Coverage } from '../../domain/coverage.ts'
import type { Finding, Refutation, RefutationOutcome, Verdict } from '../../domain/finding.ts'
import { isConfirmedByCode, isUpheld } from '../../domain/proof.ts'
import type { Depth, Review } from '../../domain/review.ts'
import { count, list } from './words.ts'

/** One model read the change once, and its findings were not checked independently. */
const startQuick = 4
const start = 5

export function rateConfidence(
  coverage: Coverage,
  verdicts: readonly Verdict[],
  depth: Depth,
  refutations: readonly Refutation[] = [],
): Review['confidence'] {
  // A score would read as a grade of the change, of which most was not judged.
  if (depth === 'offline')
    return {
      score: null,
      reasons: ['No model read the change: design, logic and intent were not judged.'],
    }
  const counted = coverage.files.filter(({ state }) => state !== 'excluded')
  const reviewed = counted.filter(({ state }) => state === 'reviewed').length
  const failed = coverage.planes.filter(({ state }) => state === 'failed').length
  const { findings, doubtful, why } = findDoubts(verdicts, refutations)

  let score = start
  const reasons: string[] = []
  if (depth === 'quick') {
    score = startQuick
    reasons.push(
      `A model read the change once, so at most ${startQuick}: no independent check confirmed or refuted its findings.`,
    )
  }
  if (coverage.complete) {
    reasons.push(describeWhole(counted.length))
  } else {
    const minus = reviewed * 2 < counted.length + (coverage.unlisted?.files ?? 0) ? 2 : 1
    score -= minus
    reasons.push(`Minus ${minus}: the review is incomplete (${describeGaps(coverage)}).`)
  }
  if (failed > 0) {
    score -= 1
    reasons.push(`Minus 1: ${count(failed, 'plane')} failed.`)
  }
  if (doubtful > 0) {
    score -= 1
    reasons.push(`Minus 1: ${why}.`)
  } else if (findings > 0)
    reasons.push(
      refutations.some(({ outcome }) => confirming.has(outcome))
        ? 'Every finding was confirmed by code or passed an independent check.'
        : 'Every finding was confirmed by code.',
    )
  return { score: Math.max(score, 1), reasons }
}

/** The finding is true, all of it or in the main. */
const confirming: ReadonlySet<RefutationOutcome> = new Set(['upheld', 'narrowed', 'overstated', 'latent'])

function describeWhole(files: number): string {
  if (files === 0) return 'Rules exclude every changed file, so there was nothing to review.'
  return files === 1 ? 'The changed file was reviewed.' : `All ${files} changed files were reviewed.`
}

type Doubts = {
  /** New findings. */
  findings: number
  doubtful: number
  /** In words; empty when there are none. */
  why: string
}

/** Which findings are open to doubt, and why. */
function findDoubts(verdicts: readonly Verdict[], refutations: readonly Refutation[]): Doubts {
  const outcomes = new Map(refutations.map(({ finding, outcome }) => [finding, outcome]))
  const fresh = verdicts.filter(({ finding }) => finding !== null && !finding.preExisting)
  const doubtful = fresh.filter(isDoubtful)
  const number = (wanted: string) =>
    doubtful.filter(({ finding }) => outcomes.get(finding?.id ?? '') === wanted).length
  const [undecided, unasked] = [number('undecided'), number('not-asked')]
  const parts = [
    ...(undecided > 0 ? [`an independent check could not decide ${undecided}`] : []),
    ...(unasked > 0 ? [`${unasked} not checked independently`] : []),
  ]
  const more = parts.length > 0 ? ` (${list(parts)})` : ''
  return {
    findings: fresh.length,
    doubtful: doubtful.length,
    why:
      doubtful.length > 0 ? `${count(doubtful.length, 'finding')} could not be confirmed in full${more}` : '',
  }
}

/** A severity that code could not confirm is no doubt where an independent check upheld the finding and rated it. */
function isDoubtful({ finding, step }: Verdict): boolean {
  if (!finding) return false
  const isUnconfirmed = step === 'anchor' || (step === 'claims' && !isUpheld(finding))
  return finding.confidence === 'possible' || isUnconfirmed || isOpinion(finding)
}

/** A model's finding of which code checked only the lines and quotes, and that no independent check upheld. */
function isOpinion(finding: Finding | null): boolean {
  if (finding?.byModel !== true) return false
  return !isConfirmedByCode(finding) && !isUpheld(finding)
}
