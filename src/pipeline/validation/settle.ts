/** Steps that need all candidates at once: duplicates and limits, and the order in which verdicts are told. */
import type { Config } from '../../config/schema.ts'
import type { Finding, Verdict, VerdictStep } from '../../domain/finding.ts'
import { mergeDuplicates } from './duplicates.ts'
import { applyLimits, compareFindings } from './limits.ts'

/** `kept`: those that stand, in the order given, as they now are; `gone`: the others, each with the reason. */
export type Settled = { kept: Finding[]; gone: ReadonlyMap<Finding, string> }

export type TogetherStep = {
  name: string
  step: VerdictStep
  /** `findings` come most important first. */
  run: (findings: readonly Finding[], config: Config) => Settled
}

export const togetherSteps: readonly TogetherStep[] = [
  { name: 'duplicates', step: 'duplicates', run: mergeDuplicates },
  { name: 'limits', step: 'limits', run: applyLimits },
]

type Standing = Verdict & { finding: Finding }

/** First those that stand, most important first; then the dropped ones in the order they came. */
export function settleTogether(
  verdicts: readonly Verdict[],
  { config, planes }: { config: Config; planes: readonly string[] },
  steps: readonly TogetherStep[],
): Verdict[] {
  const compare = compareFindings(planes)
  const dropped = new Map<Verdict, Verdict>()
  let rest = verdicts
    .filter(stands)
    .map((verdict) => ({ first: verdict as Verdict, now: verdict }))
    .sort((a, b) => compare(a.now.finding, b.now.finding))
  for (const { step, run } of steps) {
    const { kept, gone } = run(
      rest.map(({ now }) => now.finding),
      config,
    )
    const successors = kept.values()
    rest = rest.flatMap(({ first, now }) => {
      const reason = gone.get(now.finding)
      const finding = reason === undefined ? successors.next().value : undefined
      if (finding) return [{ first, now: { ...now, finding } }]
      dropped.set(first, { ...now, outcome: 'dropped', step, reason: reason ?? '', finding: null })
      return []
    })
  }
  const gone = verdicts.flatMap((verdict) => (verdict.finding ? (dropped.get(verdict) ?? []) : [verdict]))
  return [...rest.map(({ now }) => now), ...gone]
}

function stands(verdict: Verdict): verdict is Standing {
  return verdict.finding !== null
}
