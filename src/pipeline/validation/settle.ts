/** Steps that need all candidates at once: duplicates and limits, and the order in which verdicts are told. */
import type { Config } from '../../config/schema.ts'
import type { Finding, Verdict, VerdictStep } from '../../domain/finding.ts'
import { mergeDuplicates } from './duplicates.ts'
import { compareFindings, findLimit, mostFindings } from './limits.ts'

type Standing = Verdict & { finding: Finding }

/** First those that stand, most important first; then the dropped ones in the order they came. */
export function settleTogether(
  verdicts: readonly Verdict[],
  { config, planes }: { config: Config; planes: readonly string[] },
): Verdict[] {
  const compare = compareFindings(planes)
  const ordered = verdicts.filter(stands).sort((a, b) => compare(a.finding, b.finding))
  const merged = mergeDuplicates(ordered.map(({ finding }) => finding))
  const limit = findLimit(config)

  const dropped = new Map<Finding, Verdict>()
  const kept: Standing[] = []
  const successors = merged.kept.values()
  for (const verdict of ordered) {
    const sameAs = merged.same.get(verdict.finding)
    const finding = sameAs === undefined ? successors.next().value : undefined
    const reason = finding && (limit(finding) ?? tooMany(kept.length))
    if (!finding) dropped.set(verdict.finding, dropAt(verdict, 'duplicates', sameAs ?? ''))
    else if (reason) dropped.set(verdict.finding, dropAt(verdict, 'limits', reason))
    else kept.push({ ...verdict, finding })
  }
  const gone = verdicts.flatMap((verdict) =>
    verdict.finding ? (dropped.get(verdict.finding) ?? []) : [verdict],
  )
  return [...kept, ...gone]
}

function stands(verdict: Verdict): verdict is Standing {
  return verdict.finding !== null
}

function tooMany(number: number): string | null {
  return number >= mostFindings ? `There are ${mostFindings} weightier findings already` : null
}

function dropAt(verdict: Verdict, step: VerdictStep, reason: string): Verdict {
  return { ...verdict, outcome: 'dropped', step, reason, finding: null }
}
