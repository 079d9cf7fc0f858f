/** Two reviews finding by finding: what was kept, lost, new, moved or rated otherwise, and how alike they are. Pure. */
import type { ComparedFinding, ComparedKind, Comparison, FindingBrief } from '../domain/comparison.ts'
import type { Finding } from '../domain/finding.ts'
import { isSameProblem } from '../domain/same-problem.ts'
import { type Severity, severityRank } from '../domain/severity.ts'
import { matchRecords } from './match.ts'
import { recordsOf } from './record.ts'

/** What a finding weighs in the score: one critical finding as much as eight low ones. */
const weights: Readonly<Record<Severity, number>> = { critical: 8, high: 4, medium: 2, low: 1 }
/** What a pair loses for each step between its severities. */
const stepCost = 0.25

const order: readonly ComparedKind[] = ['lost', 'new', 'severity-changed', 'moved', 'kept']

export function compareFindings(before: readonly Finding[], after: readonly Finding[]): Comparison {
  const pairs = pairUp(before, after)
  const taken = new Set(pairs.values())
  const findings: ComparedFinding[] = [
    ...before.map((one) => {
      const other = pairs.get(one) ?? null
      return {
        kind: other ? kindOf(one, other) : ('lost' as const),
        before: briefOf(one),
        after: other && briefOf(other),
      }
    }),
    ...after
      .filter((one) => !taken.has(one))
      .map((one) => ({ kind: 'new' as const, before: null, after: briefOf(one) })),
  ]
  const counts = { kept: 0, lost: 0, new: 0, moved: 0, 'severity-changed': 0 }
  for (const { kind } of findings) counts[kind]++
  return {
    fidelity: fidelityOf(findings),
    counts,
    findings: findings.sort(
      (a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || rankOf(a) - rankOf(b) || placeOrder(a, b),
    ),
  }
}

/** The surest first: the same name, then the same code, then other words for one problem. */
function pairUp(before: readonly Finding[], after: readonly Finding[]): Map<Finding, Finding> {
  const pairs = new Map<Finding, Finding>()
  const taken = new Set<Finding>()
  const left = () => ({
    old: before.filter((one) => !pairs.has(one)),
    now: after.filter((one) => !taken.has(one)),
  })
  const take = (one: Finding | undefined, other: Finding | undefined): void => {
    if (!one || !other || pairs.has(one) || taken.has(other)) return
    pairs.set(one, other)
    taken.add(other)
  }
  for (const one of before)
    take(
      one,
      after.find(
        (other) => !taken.has(other) && other.fingerprint === one.fingerprint && other.rule === one.rule,
      ),
    )
  const { old, now } = left()
  const [oldRecords, nowRecords] = [recordsOf(old), recordsOf(now)]
  const matched = matchRecords({
    earlier: oldRecords,
    now: nowRecords,
    // Without the files, a finding is looked for where it was; its code decides.
    lineNow: ({ line }) => line,
    pathNow: (path) => path,
  })
  const byRecord = new Map(nowRecords.map(({ id }, at) => [id, now[at]]))
  for (const [at, one] of old.entries()) take(one, byRecord.get(matched.get(oldRecords[at]?.id ?? '') ?? ''))
  for (const one of left().old)
    take(
      one,
      left().now.find((other) => isSameProblem(one, other)),
    )
  return pairs
}

function kindOf(one: Finding, other: Finding): ComparedKind {
  if (one.severity !== other.severity) return 'severity-changed'
  const isHere =
    one.anchor.path === other.anchor.path && one.startLine === other.startLine && one.side === other.side
  return isHere ? 'kept' : 'moved'
}

function fidelityOf(findings: readonly ComparedFinding[]): number {
  let whole = 0
  let alike = 0
  for (const { before, after } of findings) {
    const weight = Math.max(...[before, after].map((one) => (one ? weights[one.severity] : 0)))
    whole += weight
    if (!before || !after) continue
    const steps = Math.abs(severityRank(before.severity) - severityRank(after.severity))
    alike += weight * (1 - stepCost * steps)
  }
  return whole === 0 ? 1 : alike / whole
}

function briefOf({ anchor, byModel = false, ...finding }: Finding): FindingBrief {
  const { id, fingerprint, plane, rule, severity, category, title, startLine, endLine } = finding
  return {
    ...{ id, fingerprint, plane, rule, severity, category, title, path: anchor.path },
    ...{ startLine, endLine, byModel },
  }
}

function rankOf({ before, after }: ComparedFinding): number {
  return Math.min(...[before, after].map((one) => (one ? severityRank(one.severity) : severities)))
}

const severities = Object.keys(weights).length

function placeOrder(a: ComparedFinding, b: ComparedFinding): number {
  const [x, y] = [a, b].map(({ before, after }) => after ?? before)
  if (!x || !y) return 0
  return x.path === y.path ? x.startLine - y.startLine : x.path < y.path ? -1 : 1
}
