/**
 * Makes one review of what all planes found: near-duplicates are merged, contradictions decided by evidence, the rest put
 * in the order in which it is told. A pure function; nothing goes without a verdict that says why.
 */
import type { Verdict } from '../../domain/finding.ts'
import { resolveConflicts } from './conflicts.ts'
import { type Standing, type Synthesis, type SynthesisInput, stands } from './contract.ts'
import { collectInsights } from './insights.ts'
import { mergeNearDuplicates } from './near-duplicates.ts'
import { compareFindings, compareIds, rankFindings } from './rank.ts'
import { signalsOf } from './signals.ts'

/** The order of the verdicts that come in does not matter. */
export function synthesise(input: SynthesisInput): Synthesis {
  const { verdicts, outcomes, context, insights } = input
  const planes = outcomes
    .filter(({ state }) => state === 'ran' || state === 'partly')
    .map(({ plane }) => plane)
  const compare = compareFindings(planes)
  const ordered = verdicts.filter(stands).sort((a, b) => compare(a.finding, b.finding))
  const gone = verdicts.filter((verdict) => !stands(verdict))
  const merged = mergeNearDuplicates(ordered.map(({ finding }) => finding))

  const successors = merged.kept.values()
  const left: Standing[] = []
  for (const verdict of ordered) {
    const sameAs = merged.same.get(verdict.finding)
    const finding = sameAs === undefined ? successors.next().value : undefined
    if (finding) left.push({ ...verdict, finding })
    else gone.push(dropAsSame(verdict, sameAs ?? ''))
  }

  const { standing, conflicts } = resolveConflicts(left, context.evidence)
  const byFinding = new Map(standing.map((verdict) => [verdict.finding, verdict]))
  const ranked = rankFindings([...byFinding.keys()], planes)
  return {
    verdicts: [
      ...ranked.flatMap((finding) => byFinding.get(finding) ?? []),
      ...gone.sort((a, b) => compareIds(a.candidate.id, b.candidate.id)),
    ],
    conflicts,
    signals: signalsOf(planes, ranked),
    memoryInsights: collectInsights(insights, pathsOf(context)),
  }
}

/** Files of the change and of the bundle: an insight can rest on no other. */
function pathsOf({ change, evidence }: SynthesisInput['context']): Set<string> {
  return new Set([...change.files.map(({ path }) => path), ...evidence.flatMap(({ path }) => path ?? [])])
}

function dropAsSame(verdict: Standing, winner: string): Verdict {
  const reason = `It says the same as ${winner} in other words`
  return { ...verdict, outcome: 'dropped', step: 'duplicates', reason, finding: null }
}
