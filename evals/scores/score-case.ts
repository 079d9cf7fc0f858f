/** One recorded review against what is known of its change. A pure function: the same record gives the same score. */
import type { Evidence, Finding, Review } from '../../src/index.ts'
import type { EvalCase, KnownFault } from '../cases/eval-case.ts'
import type { CaseJudgement } from '../judge/contract.ts'
import type { ChangedFile } from '../repositories/changed-lines.ts'
import type { RecordedReview } from '../run/recorded-review.ts'
import type { CaseScore, FaultScore, FindingScore } from './case-score.ts'
import { chanceOfRandomLines, isInLargestHunks } from './chance.ts'
import { distance, distanceTo, placeOf, placesOf } from './places.ts'

/** `judgement` null: nobody judged what the findings say. */
export function scoreCase(
  one: EvalCase,
  { review, changed }: Pick<RecordedReview, 'review' | 'changed'>,
  judgement: CaseJudgement | null,
  tolerance: number,
): CaseScore {
  const findings = (review?.findings ?? []).filter(({ preExisting }) => !preExisting)
  const cost = review?.run.cost
  return {
    id: one.id,
    kind: one.kind,
    source: one.source,
    language: one.language,
    reviewed: review !== null,
    complete: review?.coverage.complete ?? false,
    faults: one.expected.map((fault, at) => ({
      ...scoreFault(fault, findings, changed, tolerance),
      named: judgement ? judgement.findings.some(({ fault }) => fault === at) : null,
    })),
    findings: findings.map((finding, at) => ({
      ...scoreFinding(finding, one, review, changed, tolerance),
      judged: judgement ? judgedAs(judgement.findings[at]) : null,
    })),
    ...contestsIn(review),
    usd: cost?.usd ?? 0,
    unpricedCalls: cost?.unpricedCalls ?? 0,
    tokens: (cost?.usage.input ?? 0) + (cost?.usage.output ?? 0),
    calls: cost?.calls ?? 0,
    seconds: (review?.run.durationMs ?? 0) / 1000,
  }
}

function contestsIn(review: Review | null): Pick<CaseScore, 'contests'> {
  const { contests = [] } = review ?? {}
  return contests.length === 0 ? {} : { contests: contests.map(({ rule, outcome }) => ({ rule, outcome })) }
}

function scoreFault(
  fault: KnownFault,
  findings: readonly Finding[],
  changed: readonly ChangedFile[],
  tolerance: number,
): Omit<FaultScore, 'named'> {
  const placed = placesOf(fault).length > 0
  const near = findings.filter((finding) => distanceTo(placeOf(finding), fault) <= tolerance)
  const random = (guesses: number) => (placed ? chanceOfRandomLines(changed, fault, guesses, tolerance) : 0)
  const largest = (guesses: number) => placed && isInLargestHunks(changed, fault, guesses, tolerance)
  return {
    severity: fault.severity,
    category: fault.category,
    context: fault.context,
    placed,
    hit: near.length > 0,
    hitInCategory: near.some(({ category }) => category === fault.category),
    byRandomLines: random(findings.length),
    byFiveRandomLines: random(5),
    byLargestHunks: largest(findings.length),
    byFiveLargestHunks: largest(5),
  }
}

function scoreFinding(
  finding: Finding,
  { expected, rejected }: EvalCase,
  review: Review | null,
  changed: readonly ChangedFile[],
  tolerance: number,
): Omit<FindingScore, 'judged'> {
  const place = placeOf(finding)
  const nearest = Math.min(...expected.map((fault) => distanceTo(place, fault)), Number.POSITIVE_INFINITY)
  const correct = nearest <= tolerance
  const { citations, valid } = countCitations(finding, review?.evidence ?? [])
  const { plane, rule, severity, category, confidence } = finding
  return {
    plane,
    rule,
    severity,
    category,
    confidence,
    correct,
    exact: nearest === 0,
    rejected: !correct && rejected.some((wrong) => distanceTo(place, wrong) <= tolerance),
    onDiff: isOnDiff(finding, changed),
    citations,
    validCitations: valid,
  }
}

/** Whether what a finding cites is there, and says so: checked here again, apart from the product's own validation. */
export function countCitations(
  finding: Pick<Finding, 'evidence'>,
  evidence: readonly Evidence[],
): { citations: number; valid: number } {
  const texts = new Map(evidence.map(({ id, text }) => [id, text]))
  const valid = finding.evidence.filter(({ evidence: id, quote }) => texts.get(id)?.includes(quote) ?? false)
  return { citations: finding.evidence.length, valid: valid.length }
}

function isOnDiff(finding: Finding, changed: readonly ChangedFile[]): boolean {
  const place = placeOf(finding)
  const hunks = changed.filter(({ path }) => path === place.file).flatMap(({ hunks }) => hunks)
  return hunks.some((hunk) => {
    const [start, end] = place.side === 'right' ? [hunk.newStart, hunk.newEnd] : [hunk.oldStart, hunk.oldEnd]
    return distance(place, { ...place, start, end }) === 0 && start <= place.start && place.end <= end
  })
}

function judgedAs(judged: CaseJudgement['findings'][number] | undefined): FindingScore['judged'] {
  if (!judged) return 'other'
  if (judged.duplicateOf !== null) return 'duplicate'
  return judged.fault === null ? 'other' : 'fault'
}
