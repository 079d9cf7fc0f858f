/**
 * Makes one review of what all planes found: contradictions are decided by evidence, and the findings ranked. Findings
 * about one problem were merged in validation. A pure function.
 */
import { visibleLine } from '../../base/visible-text.ts'
import type { PlaneCoverage } from '../../domain/coverage.ts'
import { type Finding, hasFinding, type Verdict } from '../../domain/finding.ts'
import type { Conflict, MemoryInsight, PlaneSignal } from '../../domain/review.ts'
import type { ReviewContext } from '../../domain/review-context.ts'
import { severities, severityRank } from '../../domain/severity.ts'
import { overlaps, resolveConflicts } from './conflicts.ts'

export type SynthesisInput = {
  verdicts: readonly Verdict[]
  /** The planes in the order of their weight, those of models among them; a name may come twice. */
  outcomes: readonly Pick<PlaneCoverage, 'plane' | 'state'>[]
  context: Pick<ReviewContext, 'change' | 'evidence'>
  insights: readonly MemoryInsight[]
}

export type Synthesis = {
  /** One for each that came in: first the findings, most important first, with problems that existed before last. */
  verdicts: Verdict[]
  conflicts: Conflict[]
  /** One for each plane that ran, in their order. */
  signals: PlaneSignal[]
  memoryInsights: MemoryInsight[]
}

/** The order of the verdicts that come in does not matter. */
export function synthesise(input: SynthesisInput): Synthesis {
  const { verdicts, outcomes, context, insights } = input
  const planes = outcomes
    .filter(({ state }) => state === 'ran' || state === 'partly')
    .map(({ plane }) => plane)
  const compare = compareFindings(planes)
  const ordered = verdicts.filter(hasFinding).sort((a, b) => compare(a.finding, b.finding))
  const dropped = verdicts.filter((verdict) => !hasFinding(verdict))
  const { verdicts: resolved, conflicts } = resolveConflicts(ordered, context.evidence)
  const byFinding = new Map(resolved.map((verdict) => [verdict.finding, verdict]))
  const ranked = rankFindings([...byFinding.keys()], planes)
  return {
    verdicts: [
      ...ranked.flatMap((finding) => byFinding.get(finding) ?? []),
      ...dropped.sort((a, b) => compareIds(a.candidate.id, b.candidate.id)),
    ],
    conflicts,
    signals: signalsOf(planes, ranked),
    memoryInsights: collectInsights(insights, pathsOf(context)),
  }
}

/** Files of the change and of the bundle: an insight can be about no other. */
function pathsOf({ change, evidence }: SynthesisInput['context']): Set<string> {
  return new Set([...change.files.map(({ path }) => path), ...evidence.flatMap(({ path }) => path ?? [])])
}

/**
 * The findings of each plane in one line: how many, and the worst. One for each plane, in the order given, however often
 * it is named. Problems that existed before the change do not count.
 */
export function signalsOf(planes: readonly string[], findings: readonly Finding[]): PlaneSignal[] {
  return [...new Set(planes)].map((plane) => {
    const own = findings.filter((finding) => finding.plane === plane && !finding.preExisting)
    const severity = severities.find((one) => own.some((finding) => finding.severity === one)) ?? null
    const worst = own.filter((finding) => finding.severity === severity)
    const confidence = surest.find((one) => worst.some((finding) => finding.confidence === one)) ?? null
    return { plane, severity, findings: own.length, confidence }
  })
}

/** In the order given; of two with the same words about one file, the first. Paths outside the review are left out. */
function collectInsights(insights: readonly MemoryInsight[], paths: ReadonlySet<string>): MemoryInsight[] {
  const known = new Map<string, MemoryInsight>()
  for (const { plane, text, path } of insights) {
    const sentence = visibleLine(text).trim().slice(0, longest)
    const place = path !== null && paths.has(path) ? path : null
    const key = `${place ?? ''}\n${(sentence.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')}`
    if (sentence !== '' && !known.has(key)) known.set(key, { plane, text: sentence, path: place })
  }
  return [...known.values()].slice(0, most)
}

const most = 20
const longest = 300

const surest = ['certain', 'likely', 'possible'] as const

/**
 * Weights for ranking by severity × confidence × novelty (docs/reading-a-review.md). The least certain, least novel finding
 * of one severity weighs as much as the most certain and novel one of the next: a more severe finding always comes first.
 */
const severityWeight: Record<Finding['severity'], number> = { critical: 64, high: 16, medium: 4, low: 1 }
const confidenceWeight: Record<Finding['confidence'], number> = { certain: 4, likely: 3, possible: 2 }
const novel = 4
const leastNovel = 2

/** Most important first, problems that existed before last. The order of `findings` does not matter. */
export function rankFindings(findings: readonly Finding[], planes: readonly string[]): Finding[] {
  const ordered = [...findings].sort(compareFindings(planes))
  const weights = new Map(
    ordered.map((finding, at) => [
      finding,
      weigh(finding, noveltyOf(finding, ordered.slice(0, at), ordered)),
    ]),
  )
  const compare = compareFindings(planes)
  return ordered.sort(
    (a, b) =>
      Number(a.preExisting) - Number(b.preExisting) ||
      (weights.get(b) ?? 0) - (weights.get(a) ?? 0) ||
      compare(a, b),
  )
}

export function weigh({ severity, confidence }: Finding, novelty: number): number {
  return severityWeight[severity] * confidenceWeight[confidence] * novelty
}

/**
 * From 4 to 2. One less for each stronger finding of its rule or category in the same file; one less when a model repeats
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
    confidenceWeight[b.confidence] - confidenceWeight[a.confidence] ||
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

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
