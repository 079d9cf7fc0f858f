/**
 * How likely it is that a team finds a finding important, and so whether it is shown in full: a logistic model of things that
 * are true of it or not. Its weights are in importance.json, for people to read. It knows nothing of the words of a finding.
 */
import { type Finding, isHearsay, type Refutation } from '../../domain/finding.ts'
import { isConfirmedByCode, isUpheld, notShownWords } from '../../domain/proof.ts'
import { isAtLeast } from '../../domain/severity.ts'
import model from './importance.json' with { type: 'json' }

/** For whoever fits it again. */
export const importanceModel = model

export type Feature = keyof typeof model.weights

/** What is shown in full: little that is not important, what people usually want, or much that may be. */
export type Talkative = keyof typeof model.lines

/** From 0 to 1, in thousandths, so that it is the same on every machine. `refutations`: what judges said in this review. */
export function importanceOf(finding: Finding, refutations: readonly Refutation[]): number {
  const sum = featuresOf(finding, refutations).reduce(
    (all, feature) => all + model.weights[feature],
    model.start,
  )
  return Math.round(1_000 / (1 + Math.exp(-sum))) / 1_000
}

/** Whether so important a finding is shown in full. */
export function isShownInFull(importance: number, talkative: Talkative): boolean {
  return importance >= model.lines[talkative]
}

/** What is true of it, in the order of the weights. */
export function featuresOf(finding: Finding, refutations: readonly Refutation[]): Feature[] {
  const { severity, confidence, category, verifiedBy, lowered } = finding
  const judged = refutations.find((one) => one.finding === finding.id && one.outcome !== 'not-asked')
  const { severity: rated, was = severity } = judged ?? {}
  const is: Record<Feature, boolean> = {
    medium: isAtLeast(severity, 'medium'),
    high: isAtLeast(severity, 'high'),
    critical: severity === 'critical',
    // Its author called it worse, and neither code nor a judge could support that.
    capped: lowered !== undefined && isAtLeast(lowered.from, 'high'),
    // A check lowered it: two opinions are divided on whether it matters.
    loweredByCheck: isAtLeast(was, 'medium') && !isAtLeast(severity, 'medium'),
    likely: confidence !== 'possible',
    certain: confidence === 'certain',
    byCode: !isHearsay(finding),
    confirmed: isConfirmedByCode(finding) && !verifiedBy.includes(notShownWords),
    upheld: isUpheld(finding),
    // That no judge calls it medium says nothing where none was asked.
    unjudged: judged === undefined && isAtLeast(severity, 'medium'),
    ratedMedium: rated !== undefined && isAtLeast(rated, 'medium'),
    ratedHigh: rated !== undefined && isAtLeast(rated, 'high'),
    security: category === 'security',
    tests: category === 'tests',
    contested: finding.contested !== undefined,
  }
  return (Object.keys(model.weights) as Feature[]).filter((feature) => is[feature])
}
