/**
 * Findings of two planes that contradict each other: about the severity of the same problem, or about the suggested code
 * for the same lines. The better proven one prevails. A finding of code never yields to one of a model.
 */
import type { Evidence } from '../../domain/evidence.ts'
import type { Finding, FindingVerdict, VerdictStep } from '../../domain/finding.ts'
import { compareProofs, type Proof, proofOf } from '../../domain/proof.ts'
import type { Conflict } from '../../domain/review.ts'
import { claimedSubjects } from '../../domain/same-problem.ts'
import { severities, severityRank } from '../../domain/severity.ts'

/** More are resolved but not reported. */
const mostReported = 100

const proofWords: Record<Proof, string> = {
  quote: 'its own words',
  evidence: 'further evidence',
  upheld: 'an independent check',
  index: 'code',
  checker: 'a compiler or language server',
  reproduced: 'a test that fails because of it',
}

/** `verdicts` come strongest first and keep their order. */
export function resolveConflicts(
  verdicts: readonly FindingVerdict[],
  evidence: readonly Evidence[],
): { verdicts: FindingVerdict[]; conflicts: Conflict[] } {
  const table = new Map(evidence.map((item) => [item.id, item]))
  const proofs = new Map(verdicts.map(({ finding }) => [finding.id, proofOf(finding, table)]))
  const now = [...verdicts]
  const conflicts: Conflict[] = []
  for (const [at, { finding: first }] of verdicts.entries())
    for (const [further, { finding: second }] of verdicts.slice(at + 1).entries()) {
      if (first.plane === second.plane) continue
      for (const about of ['severity', 'suggestion'] as const) {
        if (!contradict[about](first, second)) continue
        const better = compareProofs(proofs.get(second.id) ?? 'quote', proofs.get(first.id) ?? 'quote') > 0
        const yields = better && !(first.byModel !== true && second.byModel === true) ? first : second
        const holds = yields === first ? second : first
        const place = yields === first ? at : at + 1 + further
        const verdict = now[place]
        if (verdict) now[place] = yieldTo[about](verdict, holds)
        conflicts.push({
          upheld: holds.id,
          yielded: yields.id,
          about,
          reason: describe(proofs.get(holds.id) ?? 'quote', proofs.get(yields.id) ?? 'quote'),
        })
      }
    }
  return { verdicts: now, conflicts: conflicts.slice(0, mostReported) }
}

const contradict = { severity: differInSeverity, suggestion: differInSuggestion }

/** Only of the same thing: two problems of one line may differ in severity as much as they like. */
function differInSeverity(a: Finding, b: Finding): boolean {
  if (Math.abs(severityRank(a.severity) - severityRank(b.severity)) < 2 || !overlaps(a, b)) return false
  const others = claimedSubjects(b)
  return [...claimedSubjects(a)].some((subject) => others.has(subject))
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

function differInSuggestion({ suggestion: a }: Finding, { suggestion: b }: Finding): boolean {
  if (!a || !b || a.path !== b.path || a.endLine < b.startLine || b.endLine < a.startLine) return false
  return a.startLine !== b.startLine || a.endLine !== b.endLine || a.replacement !== b.replacement
}

const yieldTo = {
  /** At most one step above the other; a milder severity is unchanged. */
  severity(verdict: FindingVerdict, holds: Finding): FindingVerdict {
    const { finding } = verdict
    const most = severities[Math.max(0, severityRank(holds.severity) - 1)] ?? holds.severity
    if (severityRank(finding.severity) >= severityRank(most)) return verdict
    const reason = `severity ${most} instead of ${finding.severity}: ${holds.id} says ${holds.severity} of the same lines and is better proven`
    return demote(verdict, 'claims', reason, { ...finding, severity: most })
  },
  /** Two texts cannot replace one line: the one that yields becomes an example. */
  suggestion(verdict: FindingVerdict, holds: Finding): FindingVerdict {
    const { finding } = verdict
    if (!finding.suggestion) return verdict
    const example = finding.example ?? finding.suggestion.replacement.slice(0, 4000)
    const reason = `the suggestion is an example only: ${holds.id} suggests something else for the same lines`
    return demote(verdict, 'suggestion', reason, { ...finding, suggestion: null, example })
  },
}

export function demote(
  verdict: FindingVerdict,
  step: VerdictStep,
  reason: string,
  finding: Finding,
): FindingVerdict {
  const isFirst = verdict.outcome === 'kept'
  return {
    ...verdict,
    outcome: 'demoted',
    step: isFirst ? step : verdict.step,
    reason: isFirst ? reason : `${verdict.reason}; ${reason}`,
    finding,
  }
}

function describe(holds: Proof, yields: Proof): string {
  return holds === yields
    ? `both are based on ${proofWords[holds]}; the more important one is kept until a person decides`
    : `it is based on ${proofWords[holds]}, the other on ${proofWords[yields]}`
}
