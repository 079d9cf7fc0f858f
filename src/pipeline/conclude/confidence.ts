/**
 * How far the review as a whole can be relied on, from 1 to 5, by the rule written down in docs/reading-a-review.md.
 * It is a count of what is missing, not a feeling.
 */
import type { Coverage } from '../../domain/coverage.ts'
import type { Refutation, Verdict } from '../../domain/finding.ts'
import type { Depth, Review } from '../../domain/review.ts'
import { describeGaps } from './conclusion.ts'
import { findDoubts } from './doubts.ts'
import { count } from './words.ts'

/** One model read it once, and nobody looked for what refutes it. */
const startQuick = 4
const start = 5

export function rateConfidence(
  coverage: Coverage,
  verdicts: readonly Verdict[],
  depth: Depth,
  refutations: readonly Refutation[] = [],
): Review['confidence'] {
  // What code checked and did not check would pass for a grade of the change.
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
      `A model read the change once, so at most ${startQuick}: no second look refuted or confirmed it.`,
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
      refutations.some(({ outcome }) => outcome === 'upheld')
        ? 'Every finding was confirmed by code, or held against a second look.'
        : 'Every finding was confirmed by code.',
    )
  return { score: Math.max(score, 1), reasons }
}

function describeWhole(files: number): string {
  if (files === 0) return 'The rules leave every changed file out; there was nothing to look at.'
  return files === 1 ? 'The one changed file was looked at.' : `All ${files} changed files were looked at.`
}
