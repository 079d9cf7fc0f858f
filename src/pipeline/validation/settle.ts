/** Steps that need all candidates at once, duplicates and limits, and the order of the verdicts. */

import { sha256 } from '../../base/canonical-json.ts'
import { compareText } from '../../base/compare-text.ts'
import {
  dropVerdict,
  type Finding,
  hasFinding,
  isHearsay,
  type Verdict,
  type VerdictStep,
} from '../../domain/finding.ts'
import { compareSupport, mergeFindings } from '../../domain/merge-findings.ts'
import { isSamePlace, isSameProblem } from '../../domain/same-problem.ts'
import { type Confidence, severityRank } from '../../domain/severity.ts'
import { subjectsOf } from './fingerprint.ts'

export type TogetherStep = {
  name: string
  step: VerdictStep
  /** `findings` come most important first; `excluded` are paths that the configuration leaves out. */
  run: (findings: readonly Finding[], excluded: ReadonlySet<string>) => Settled
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
  { excluded, planes }: { excluded: ReadonlySet<string>; planes: readonly string[] },
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
      excluded,
    )
    const successors = result.kept.values()
    rest = rest.flatMap(({ first, now }) => {
      const reason = result.dropped.get(now.finding)
      const finding = reason === undefined ? successors.next().value : undefined
      if (finding) return [{ first, now: { ...now, finding } }]
      dropped.set(first, dropVerdict(now, step, reason ?? ''))
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

/**
 * Step 6: of findings about one problem the strongest is kept, with all that the others add. Findings that stay
 * apart get fingerprints of their own. `findings` come most important first.
 */
function mergeDuplicates(findings: readonly Finding[]): Settled {
  const current = new Map<Finding, Finding>()
  const dropped = new Map<Finding, string>()
  const byPath = new Map<string, Finding[]>()
  for (const finding of findings.toSorted(compareSupport)) {
    const neighbours = byPath.get(finding.anchor.path) ?? []
    // One that strengthens a finding of code is checked by itself first, and joined to it in synthesis.
    const first = finding.enriches === undefined ? neighbours.find((one) => isSame(one, finding)) : undefined
    if (first) {
      current.set(first, mergeFindings(current.get(first) ?? first, finding))
      dropped.set(finding, `It is the same as ${first.id}`)
      continue
    }
    neighbours.push(finding)
    byPath.set(finding.anchor.path, neighbours)
    current.set(finding, finding)
  }
  const kept = findings.flatMap((finding) => current.get(finding) ?? [])
  return { kept: tellApart(kept), dropped }
}

function isSame(a: Finding, b: Finding): boolean {
  if (a.preExisting !== b.preExisting) return false
  // Two results of one tool are two, however alike their words are.
  if (a.byTool !== undefined && a.byTool === b.byTool) return isSameCheck(a, b)
  return [a, b].some(isHearsay) ? isSameProblem(a, b) : isSameCheck(a, b)
}

/**
 * Two findings of code. One check says the same wherever it fires on the same text, and on lines in common unless it names
 * different things. Two checks say the same only when they claim the same of the same thing.
 */
function isSameCheck(a: Finding, b: Finding): boolean {
  if (a.fingerprint === b.fingerprint) return true
  if (a.side !== b.side) return false
  const [left, right] = [subjectsOf(a).join('\n'), subjectsOf(b).join('\n')]
  if (a.rule === b.rule)
    return (
      (left === '' || right === '' || left === right) &&
      a.anchor.tags.some((tag) => b.anchor.tags.includes(tag))
    )
  const kinds = ({ claims }: Finding) => [...new Set(claims.map(({ kind }) => kind))].sort().join()
  return a.plane !== b.plane && left !== '' && left === right && kinds(a) === kinds(b) && isSamePlace(a, b)
}

/**
 * A fingerprint knows nothing of words, so that two problems of one line may share it. From the second on, in the order of
 * their titles, each gets its number worked in.
 */
function tellApart(findings: readonly Finding[]): Finding[] {
  const groups = Map.groupBy(findings, ({ fingerprint }) => fingerprint)
  return findings.map((finding) => {
    const group = groups.get(finding.fingerprint) ?? []
    if (group.length === 1) return finding
    const order = group.toSorted((a, b) => compareText(a.title, b.title) || compareText(a.id, b.id))
    const at = order.indexOf(finding)
    return at === 0 ? finding : { ...finding, fingerprint: sha256(`${finding.fingerprint} ${at + 1}`) }
  })
}

/** More findings than this are of no use; the mildest are dropped. */
const mostFindings = 1000

/** Planes that look at excluded files too. */
const searchedEverywhere: ReadonlySet<string> = new Set(['secrets', 'hidden-text'])

/** Drops findings in files that are not reviewed, and the mildest beyond a thousand. */
function applyLimits(findings: readonly Finding[], excluded: ReadonlySet<string>): Settled {
  const kept: Finding[] = []
  const dropped = new Map<Finding, string>()
  // Counted apart: a model that floods a review must not push out what code found.
  const number = { code: 0, model: 0 }
  for (const finding of findings) {
    const by = finding.byModel ? 'model' : 'code'
    const full = number[by] >= mostFindings ? `There are ${mostFindings} more important findings` : null
    const isUnread =
      excluded.has(finding.anchor.path) && !(by === 'code' && searchedEverywhere.has(finding.plane))
    const reason = isUnread ? 'Its file is left out by paths.exclude' : full
    if (reason === null) {
      kept.push(finding)
      number[by]++
    } else dropped.set(finding, reason)
  }
  return { kept, dropped }
}
