/** Steps that need all candidates at once, duplicates and limits, and the order of the verdicts. */
import { matchGlobs } from '../../base/globs.ts'
import type { Config } from '../../config/schema.ts'

import {
  type Finding,
  hasFinding,
  type Verdict,
  type VerdictStep,
  withRelated,
} from '../../domain/finding.ts'
import type { Confidence } from '../../domain/severity.ts'
import { severityRank } from '../../domain/severity.ts'

import { subjectsOf } from './fingerprint.ts'

export type TogetherStep = {
  name: string
  step: VerdictStep
  /** `findings` come most important first. */
  run: (findings: readonly Finding[], config: Config) => Settled
}

/** `kept`: in the order given, as they now are; `dropped`: the others, each with the reason. */
export type Settled = { kept: Finding[]; dropped: ReadonlyMap<Finding, string> }

export const togetherSteps: readonly TogetherStep[] = [
  { name: 'duplicates', step: 'duplicates', run: mergeDuplicates },
  { name: 'limits', step: 'limits', run: applyLimits },
]

/** First the findings, most important first; then the dropped candidates in the order they came. */
export function settleVerdicts(
  verdicts: readonly Verdict[],
  { config, planes }: { config: Config; planes: readonly string[] },
  steps: readonly TogetherStep[],
): Verdict[] {
  const compare = compareFindings(planes)
  const dropped = new Map<Verdict, Verdict>()
  let rest = verdicts
    .filter(hasFinding)
    .map((verdict) => ({ first: verdict as Verdict, now: verdict }))
    .sort((a, b) => compare(a.now.finding, b.now.finding))
  for (const { step, run } of steps) {
    const result = run(
      rest.map(({ now }) => now.finding),
      config,
    )
    const successors = result.kept.values()
    rest = rest.flatMap(({ first, now }) => {
      const reason = result.dropped.get(now.finding)
      const finding = reason === undefined ? successors.next().value : undefined
      if (finding) return [{ first, now: { ...now, finding } }]
      dropped.set(first, { ...now, outcome: 'dropped', step, reason: reason ?? '', finding: null })
      return []
    })
  }
  const rejected = verdicts.flatMap((verdict) => (verdict.finding ? (dropped.get(verdict) ?? []) : [verdict]))
  return [...rest.map(({ now }) => now), ...rejected]
}

const confidences: readonly Confidence[] = ['certain', 'likely', 'possible']

/** Most important first: severity, confidence, order of planes, path, line, rule, id. A total order. */
function compareFindings(planes: readonly string[]): (a: Finding, b: Finding) => number {
  return (a, b) =>
    severityRank(a.severity) - severityRank(b.severity) ||
    confidences.indexOf(a.confidence) - confidences.indexOf(b.confidence) ||
    planes.indexOf(a.plane) - planes.indexOf(b.plane) ||
    compareText(a.anchor.path, b.anchor.path) ||
    a.startLine - b.startLine ||
    compareText(a.rule, b.rule) ||
    // `C2` comes before `C10`.
    a.id.length - b.id.length ||
    compareText(a.id, b.id)
}

/** By code units, whatever the locale. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** A finding that absorbs duplicates has at most so many citations. */
const mostEvidence = 20

/**
 * Step 6: of duplicates the strongest is kept and takes over the evidence of the others; its `explanation` names them.
 * `findings` come strongest first. A model's finding never replaces one that code found, however strong it is: otherwise
 * a model could hide what code reports.
 */
function mergeDuplicates(findings: readonly Finding[]): Settled {
  const current = new Map<Finding, Finding>()
  const dropped = new Map<Finding, string>()
  const byPath = new Map<string, Finding[]>()
  const byCode = findings.filter(({ byModel }) => byModel !== true)
  const byModels = findings.filter(({ byModel }) => byModel === true)
  for (const finding of [...byCode, ...byModels]) {
    const neighbours = byPath.get(finding.anchor.path) ?? []
    const first = neighbours.find((one) => isSame(current.get(one) ?? one, finding))
    if (first) {
      current.set(first, takeOver(current.get(first) ?? first, finding))
      dropped.set(finding, `It is the same as ${first.id}`)
      continue
    }
    neighbours.push(finding)
    byPath.set(finding.anchor.path, neighbours)
    current.set(finding, finding)
  }
  return { kept: findings.flatMap((finding) => current.get(finding) ?? []), dropped }
}

/** Only what code can compare with certainty; different wordings of one problem are merged in synthesis. */
function isSame(a: Finding, b: Finding): boolean {
  if (a.fingerprint === b.fingerprint) return true
  if (a.side !== b.side) return false
  const overlaps = a.startLine <= b.endLine && b.startLine <= a.endLine
  if (a.rule === b.rule) return overlaps && sameSubjects(a, b)
  if (a.plane === b.plane || !overlaps) return false
  const sameLine = a.anchor.tags[0] === b.anchor.tags[0]
  if (a.category === b.category && sameLine && subjectKey(a) === subjectKey(b)) return true
  // Of another category, it is the same when it says the same of the same thing, or rests on the same evidence.
  return sameClaims(a, b) || (sameSubjects(a, b) && sameEvidence(a, b))
}

/** The same kinds of claims about the same names: `unused x` is not `undefined x`. */
function sameClaims(a: Finding, b: Finding): boolean {
  const kinds = ({ claims }: Finding) => [...new Set(claims.map(({ kind }) => kind))].sort().join()
  return subjectKey(a) !== '' && subjectKey(a) === subjectKey(b) && kinds(a) === kinds(b)
}

/** Two findings may quote nothing but their common line and mean different things; two equal quotes are no coincidence. */
function sameEvidence(a: Finding, b: Finding): boolean {
  const quotes = ({ evidence }: Finding) =>
    [...new Set(evidence.map((one) => `${one.evidence} ${one.quote.trim()}`))].sort()
  return quotes(a).length > 1 && quotes(a).join('\n') === quotes(b).join('\n')
}

function sameSubjects(a: Finding, b: Finding): boolean {
  return subjectKey(a) === '' || subjectKey(b) === '' || subjectKey(a) === subjectKey(b)
}

function subjectKey(finding: Finding): string {
  return subjectsOf(finding).join('\n')
}

function takeOver(winner: Finding, other: Finding): Finding {
  const known = new Set(winner.evidence.map(({ evidence, quote }) => `${evidence} ${quote}`))
  const further = other.evidence
    .filter(({ evidence, quote }) => !known.has(`${evidence} ${quote}`))
    .slice(0, Math.max(0, mostEvidence - winner.evidence.length))
  return {
    ...winner,
    evidence: [...winner.evidence, ...further],
    explanation: withRelated(winner, other),
  }
}

/** More findings than this are of no use; the mildest are dropped. */
const mostFindings = 1000

/** Drops findings in files that are never reviewed, and the mildest beyond a thousand. */
function applyLimits(findings: readonly Finding[], config: Config): Settled {
  const isExcluded = matchGlobs(config.paths.exclude)
  const kept: Finding[] = []
  const dropped = new Map<Finding, string>()
  // Counted apart: a model that floods a review must not push out what code found.
  const number = { code: 0, model: 0 }
  for (const finding of findings) {
    const by = finding.byModel ? 'model' : 'code'
    const full = number[by] >= mostFindings ? `There are ${mostFindings} more important findings` : null
    const reason = isExcluded(finding.anchor.path) ? 'Its file is left out by paths.exclude' : full
    if (reason === null) {
      kept.push(finding)
      number[by]++
    } else dropped.set(finding, reason)
  }
  return { kept, dropped }
}
