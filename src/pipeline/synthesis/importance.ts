/**
 * How likely it is that a team finds a finding important, and so whether it is shown in full: a logistic model of things that
 * are true of it or not. Its weights are in importance.json, for people to read. It knows nothing of the words of a finding.
 */
import { isDocsPath, isTestPath } from '../../base/file-paths.ts'
import type { Evidence } from '../../domain/evidence.ts'
import { type Finding, isHearsay, type Refutation } from '../../domain/finding.ts'
import {
  isConfirmedByCode,
  isUpheld,
  mainClaimWords,
  notShownWords,
  supportedWords,
} from '../../domain/proof.ts'
import { isAtLeast } from '../../domain/severity.ts'
import { overlaps } from './conflicts.ts'
import model from './importance.json' with { type: 'json' }

/** For whoever fits it again. */
export const importanceModel = model

export type Feature = keyof typeof model.weights

/** What a finding is weighed among. */
export type Around = {
  evidence: readonly Evidence[]
  /** What judges said of findings of this review. */
  refutations: readonly Refutation[]
  /** All findings of this review. */
  findings: readonly Finding[]
}

/** What is shown in full: little that is not important, what people usually want, or much that may be. */
export type Talkative = keyof typeof model.lines

/** From 0 to 1, in thousandths, so that it is the same on every machine. */
export function importanceOf(finding: Finding, around: Around): number {
  const sum = featuresOf(finding, around).reduce((all, feature) => all + model.weights[feature], model.start)
  return Math.round(1_000 / (1 + Math.exp(-sum))) / 1_000
}

/** Whether so important a finding is shown in full. */
export function isShownInFull(importance: number, talkative: Talkative): boolean {
  return importance >= model.lines[talkative]
}

/** Titles of evidence that shows a use, as retrievals and planes write them. */
const use = /^(?:user|caller) of /

/** What is true of it, in the order of the weights. */
export function featuresOf(finding: Finding, { evidence, refutations, findings }: Around): Feature[] {
  const { severity, confidence, category, verifiedBy, lowered, anchor, places = [] } = finding
  const judged = refutations.find((one) => one.finding === finding.id)
  const rated = judged?.severity
  const cited = new Set(finding.evidence.map((one) => one.evidence))
  const isModel = finding.byModel === true
  const is: Record<Feature, boolean> = {
    medium: isAtLeast(severity, 'medium'),
    high: isAtLeast(severity, 'high'),
    critical: severity === 'critical',
    // Its author called it worse, and neither code nor a judge could support that.
    capped: lowered !== undefined && isAtLeast(lowered.from, 'high'),
    likely: confidence !== 'possible',
    certain: confidence === 'certain',
    byCode: !isHearsay(finding),
    confirmed: isConfirmedByCode(finding) && !verifiedBy.includes(notShownWords),
    upheld: isUpheld(finding),
    supported: verifiedBy.includes(supportedWords),
    narrowed: verifiedBy.includes(mainClaimWords),
    undecided: judged?.outcome === 'undecided',
    latent: judged?.outcome === 'latent',
    ratedMedium: rated !== undefined && isAtLeast(rated, 'medium'),
    ratedHigh: rated !== undefined && isAtLeast(rated, 'high'),
    security: category === 'security',
    contract: category === 'contract',
    performance: category === 'performance',
    tests: category === 'tests',
    documentation: category === 'documentation',
    maintainability: category === 'maintainability',
    // Only developers meet it, in a test or a document.
    forDevelopers: isTestPath(anchor.path) || isDocsPath(anchor.path),
    usedElsewhere: evidence.some(
      ({ id, title, path }) => cited.has(id) && path !== anchor.path && use.test(title),
    ),
    severalPlaces: places.length > 0,
    saidByCode:
      isModel &&
      findings.some((other) => !isHearsay(other) && other.category === category && overlaps(other, finding)),
    contested: finding.contested !== undefined,
  }
  return (Object.keys(model.weights) as Feature[]).filter((feature) => is[feature])
}
