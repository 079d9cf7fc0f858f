/**
 * The order in which findings are told: severity × confidence × novelty, as docs/reading-a-review.md has it. The figures
 * are chosen so that the least sure, least new finding of one severity weighs as much as the surest and newest of the
 * next: a graver finding never comes after a milder one.
 */
import type { Finding } from '../../domain/finding.ts'
import { severityRank } from '../../domain/severity.ts'

const severityWeight: Record<Finding['severity'], number> = { critical: 64, high: 16, medium: 4, low: 1 }
const confidenceWeight: Record<Finding['confidence'], number> = { certain: 4, likely: 3, possible: 2 }
const novel = 4
const leastNovel = 2

/** Most important first, those that stood there before last. The order of `findings` does not matter. */
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
 * From 4 to 2. One less for each stronger finding of its rule or category in the same file; one less when a model says
 * of a line what code said of it already; the least for what stood there before.
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

/** On the same side of the same file. */
export function overlaps(a: Finding, b: Finding): boolean {
  return (
    a.anchor.path === b.anchor.path &&
    a.side === b.side &&
    a.startLine <= b.endLine &&
    b.startLine <= a.endLine
  )
}

/** Severity, confidence, order of planes, path, line, rule, id: a total order, whatever came first. */
export function compareFindings(planes: readonly string[]): (a: Finding, b: Finding) => number {
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
export function compareIds(a: string, b: string): number {
  return a.length - b.length || compareText(a, b)
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
