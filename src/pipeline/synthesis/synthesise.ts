/**
 * Makes one review of what all planes found: contradictions are decided by evidence, and the findings ranked. Findings
 * about one problem were merged in validation. A pure function.
 */
import { compareText } from '../../base/compare-text.ts'
import { visibleLine } from '../../base/visible-text.ts'
import type { PlaneCoverage } from '../../domain/coverage.ts'
import { type Finding, hasFinding, isHearsay, type Verdict } from '../../domain/finding.ts'
import { compareSupport, mergeFindings } from '../../domain/merge-findings.ts'
import {
  isConfirmedByCode,
  isUpheld,
  mainClaimWords,
  notShownWords,
  supportedWords,
} from '../../domain/proof.ts'
import type { Conflict, MemoryInsight, PlaneSignal } from '../../domain/review.ts'
import type { ReviewContext } from '../../domain/review-context.ts'
import { severities, severityRank } from '../../domain/severity.ts'
import { overlaps, resolveConflicts } from './conflicts.ts'

export type SynthesisInput = {
  verdicts: readonly Verdict[]
  /** The planes in the order of their weight, those of models among them; a name may come twice. */
  outcomes: readonly Pick<PlaneCoverage, 'plane' | 'state'>[]
  /** Without symbols, no finding is known to reach other files by its symbol. */
  context: RankContext
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
  const { outcomes, context, insights } = input
  const verdicts = joinEnrichments(input.verdicts)
  const planes = outcomes
    .filter(({ state }) => state === 'ran' || state === 'partly')
    .map(({ plane }) => plane)
  const compare = compareFindings(planes)
  const ordered = verdicts.filter(hasFinding).sort((a, b) => compare(a.finding, b.finding))
  const dropped = verdicts.filter((verdict) => !hasFinding(verdict))
  const { verdicts: resolved, conflicts } = resolveConflicts(ordered, context.evidence)
  const byFinding = new Map(resolved.map((verdict) => [verdict.finding, verdict]))
  const ranked = rankFindings([...byFinding.keys()], planes, context)
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
    if (to !== undefined)
      return {
        ...verdict,
        outcome: 'dropped',
        step: 'duplicates',
        reason: `It was added to ${to}`,
        finding: null,
      }
    return current.get(verdict.candidate.id) ?? verdict
  })
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
 * Weights for ranking by severity × certainty × reach (docs/reading-a-review.md). One step of severity outweighs all but the
 * widest gap of certainty and reach: only a finding that hardly anything supports comes after a surer one of the next severity.
 */
const severityWeight: Record<Finding['severity'], number> = { critical: 80, high: 24, medium: 8, low: 2 }
/** Its author called it worse, and neither code nor an independent check could support that. */
const cappedWeight = 9
const confidenceWeight: Record<Finding['confidence'], number> = { certain: 3, likely: 2, possible: 1 }

/** Most important first, problems that existed before last. The order of `findings` does not matter. */
export function rankFindings(
  findings: readonly Finding[],
  planes: readonly string[],
  context: RankContext = nothingKnown,
): Finding[] {
  const compare = compareFindings(planes)
  const ordered = [...findings].sort(compare)
  const weights = new Map(
    ordered.map((finding, at) => [
      finding,
      {
        weight: weigh(finding, reachOf(finding, context)),
        novelty: noveltyOf(finding, ordered.slice(0, at), ordered),
      },
    ]),
  )
  const difference = (a: Finding, b: Finding, key: 'weight' | 'novelty') =>
    (weights.get(b)?.[key] ?? 0) - (weights.get(a)?.[key] ?? 0)
  return ordered.sort(
    (a, b) =>
      Number(a.preExisting) - Number(b.preExisting) ||
      difference(a, b, 'weight') ||
      difference(a, b, 'novelty') ||
      compare(a, b),
  )
}

export function weigh(finding: Finding, reach: number): number {
  const isCapped = finding.severity === 'medium' && finding.lowered !== undefined
  return (isCapped ? cappedWeight : severityWeight[finding.severity]) * certaintyOf(finding) * reach
}

const mostCertain = 4

/**
 * What code confirmed or found with certainty is as sure as can be. An independent check upholds nearly everything, so that by
 * itself it says little: it counts in full only where the words for the finding stand in evidence that the finding does not
 * quote, and less where a part of the finding was cut.
 */
export function certaintyOf(finding: Finding): number {
  const { confidence, verifiedBy } = finding
  const isCode = !isHearsay(finding) && confidence === 'certain'
  if (verifiedBy.includes(notShownWords)) return confidenceWeight[confidence]
  if (isCode || isConfirmedByCode(finding)) return mostCertain
  const support = verifiedBy.includes(supportedWords) ? 1 : isUpheld(finding) ? 0.5 : 0
  const loss = verifiedBy.includes(mainClaimWords) ? 0.25 : 0
  return confidenceWeight[confidence] + support - loss
}

type RankContext = Pick<ReviewContext, 'change' | 'evidence'> & Partial<Pick<ReviewContext, 'symbols'>>

const nothingKnown: RankContext = { change: { files: [], overflow: [] }, evidence: [] }

const reach = { wide: 4, usual: 3, narrow: 2 } as const

/** Titles of evidence that shows a use, as retrievals and planes write them. */
const use = /^(?:user|caller) of /

/**
 * From 4 to 2: how much else feels the problem. Wide: its symbol is visible to other files, or it cites code that uses what
 * it is about. Narrow: only developers meet it, in a test, a document or a script that is not shipped.
 */
export function reachOf({ anchor, startLine, side, evidence }: Finding, context: RankContext): number {
  const role = context.change.files.find(({ path }) => path === anchor.path)?.role
  if (role === 'test' || role === 'docs') return reach.narrow
  const cited = new Set(evidence.map((one) => one.evidence))
  const isUsed = context.evidence.some(
    ({ id, title, path }) => cited.has(id) && path !== anchor.path && use.test(title),
  )
  const isPublic = (context.symbols ?? []).some((change) => {
    const at = side === 'new' ? change.after : change.before
    if (at?.path !== anchor.path || at.symbol.visibility !== 'exported') return false
    return at.symbol.startLine <= startLine && startLine <= at.symbol.endLine
  })
  return isUsed || isPublic ? reach.wide : reach.usual
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
