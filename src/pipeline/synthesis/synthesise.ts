/**
 * Makes one review of what all planes found: contradictions are decided by evidence, and the findings ranked. Findings
 * about one problem were merged in validation. A pure function.
 */
import { compareText } from '../../base/compare-text.ts'
import type { PlaneCoverage } from '../../domain/coverage.ts'
import {
  dropVerdict,
  type Finding,
  hasFinding,
  isHearsay,
  type Refutation,
  type Verdict,
} from '../../domain/finding.ts'
import { compareSupport, mergeFindings } from '../../domain/merge-findings.ts'
import type { Conflict, PlaneSignal } from '../../domain/review.ts'
import type { ReviewContext } from '../../domain/review-context.ts'
import { severities, severityRank } from '../../domain/severity.ts'
import { overlaps, resolveConflicts } from './conflicts.ts'
import { importanceOf, isShownInFull, type Talkative } from './importance.ts'

export type SynthesisInput = {
  verdicts: readonly Verdict[]
  /** The planes in the order of their weight, the reviewer among them. */
  outcomes: readonly Pick<PlaneCoverage, 'plane' | 'state'>[]
  context: Pick<ReviewContext, 'evidence'>
  /** What judges said. */
  refutations: readonly Refutation[]
  talkative: Talkative
}

export type Synthesis = {
  /** One for each that came in: first the findings, most important first, with problems that existed before last. */
  verdicts: Verdict[]
  conflicts: Conflict[]
  /** One for each plane that ran, in their order. */
  signals: PlaneSignal[]
}

/** The order of the verdicts that come in does not matter. */
export function synthesise(input: SynthesisInput): Synthesis {
  const { outcomes, context } = input
  const verdicts = joinEnrichments(input.verdicts)
  const planes = outcomes
    .filter(({ state }) => state === 'ran' || state === 'partly')
    .map(({ plane }) => plane)
  const compare = compareFindings(planes)
  const ordered = verdicts.filter(hasFinding).sort((a, b) => compare(a.finding, b.finding))
  const dropped = verdicts.filter((verdict) => !hasFinding(verdict))
  const { verdicts: resolved, conflicts } = resolveConflicts(ordered, context.evidence)
  const byId = new Map(resolved.map((verdict) => [verdict.finding.id, verdict]))
  const ranked = rankFindings(
    resolved.map(({ finding }) => finding),
    planes,
    { refutations: input.refutations, talkative: input.talkative },
  )
  return {
    verdicts: [
      ...ranked.flatMap((finding) => {
        const verdict = byId.get(finding.id)
        return verdict ? [{ ...verdict, finding }] : []
      }),
      ...dropped.sort((a, b) => compareIds(a.candidate.id, b.candidate.id)),
    ],
    conflicts,
    signals: signalsOf(planes, ranked),
  }
}

/** A finding that strengthens one of code is added to it; where that one was dropped it counts by itself. */
function joinEnrichments(verdicts: readonly Verdict[]): Verdict[] {
  const current = new Map(verdicts.filter(hasFinding).map((verdict) => [verdict.candidate.id, verdict]))
  const added = new Map<string, string>()
  const reported = verdicts
    .filter(hasFinding)
    .sort((a, b) => compareSupport(a.finding, b.finding) || compareIds(a.candidate.id, b.candidate.id))
  for (const { candidate, finding } of reported) {
    const code = current.get(finding.enriches ?? '')
    if (!code || code.finding.byModel === true) continue
    current.set(code.candidate.id, { ...code, finding: mergeFindings(code.finding, finding) })
    added.set(candidate.id, code.candidate.id)
  }
  return verdicts.map((verdict) => {
    const to = added.get(verdict.candidate.id)
    if (to !== undefined) return dropVerdict(verdict, 'duplicates', `It was added to ${to}`)
    return current.get(verdict.candidate.id) ?? verdict
  })
}

/**
 * The findings of each plane in one line: how many, and the worst. One for each plane, in the order given.
 * Problems that existed before the change do not count.
 */
export function signalsOf(planes: readonly string[], findings: readonly Finding[]): PlaneSignal[] {
  return planes.map((plane) => {
    const own = findings.filter((finding) => finding.plane === plane && !finding.preExisting)
    const severity = severities.find((one) => own.some((finding) => finding.severity === one)) ?? null
    const worst = own.filter((finding) => finding.severity === severity)
    const confidence = surest.find((one) => worst.some((finding) => finding.confidence === one)) ?? null
    return { plane, severity, findings: own.length, confidence }
  })
}

const surest = ['certain', 'likely', 'possible'] as const

/** What decides an order: what judges said of findings, and how much a team wants to see in full. */
export type RankInput = { refutations: readonly Refutation[]; talkative: Talkative }

/**
 * Each with how likely it is to be important, and whether it is shown in full; most important first, problems that existed before
 * last. The order of `findings` does not matter.
 */
export function rankFindings(
  findings: readonly Finding[],
  planes: readonly string[],
  { refutations, talkative }: RankInput,
): Finding[] {
  const compare = compareFindings(planes)
  const weighed = findings.map((finding) => {
    const importance = importanceOf(finding, refutations)
    return { ...finding, importance, inFull: isShownInFull(importance, talkative) }
  })
  const byWeight = (a: Weighed, b: Weighed) =>
    Number(a.preExisting) - Number(b.preExisting) || weightOf(b) - weightOf(a)
  const ordered = weighed.sort((a, b) => byWeight(a, b) || compare(a, b))
  const novelty = new Map(
    ordered.map((finding, at) => [finding, noveltyOf(finding, ordered.slice(0, at), ordered)]),
  )
  const ranked = ordered.toSorted(
    (a, b) => byWeight(a, b) || (novelty.get(b) ?? 0) - (novelty.get(a) ?? 0) || compare(a, b),
  )
  return ranked.some(({ inFull }) => inFull) ? ranked : ranked.map(withSureOfCode)
}

type Weighed = Finding & { importance: number }

/** How much is at stake: of two that are equally likely to be important, the one that hurts more comes first. */
const stake: Record<Finding['severity'], number> = { critical: 8, high: 4, medium: 2, low: 1 }

function weightOf({ importance, severity }: Weighed): number {
  return importance * stake[severity]
}

/** Where nothing interrupts, what code is certain of has room. */
function withSureOfCode(finding: Finding): Finding {
  return isHearsay(finding) || finding.confidence !== 'certain' ? finding : { ...finding, inFull: true }
}

const novel = 4
const leastNovel = 2

/**
 * Decides between findings of one weight, from 4 to 2: one less for each stronger finding of its rule or category in the same file; one less when a model repeats
 * a finding of code; the least for a problem that existed before.
 */
export function noveltyOf(
  finding: Finding,
  stronger: readonly Finding[],
  all: readonly Finding[] = stronger,
): number {
  if (finding.preExisting) return leastNovel
  const alike = stronger.filter(
    ({ anchor, rule, category }) =>
      anchor.path === finding.anchor.path && (rule === finding.rule || category === finding.category),
  ).length
  const isSaid =
    finding.byModel === true &&
    all.some(
      (other) => other.byModel !== true && other.category === finding.category && overlaps(other, finding),
    )
  return Math.max(leastNovel, novel - alike - (isSaid ? 1 : 0))
}

/** Severity, confidence, order of planes, path, line, rule, id: a total order, whatever came first. */
function compareFindings(planes: readonly string[]): (a: Finding, b: Finding) => number {
  const order = [...new Set(planes)]
  return (a, b) =>
    Number(a.preExisting) - Number(b.preExisting) ||
    severityRank(a.severity) - severityRank(b.severity) ||
    surest.indexOf(a.confidence) - surest.indexOf(b.confidence) ||
    order.indexOf(a.plane) - order.indexOf(b.plane) ||
    compareText(a.anchor.path, b.anchor.path) ||
    a.startLine - b.startLine ||
    compareText(a.rule, b.rule) ||
    compareIds(a.id, b.id)
}

/** `C2` comes before `C10`. */
function compareIds(a: string, b: string): number {
  return a.length - b.length || compareText(a, b)
}
