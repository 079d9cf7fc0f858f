/** What models were asked in the first look, and what each finding of it cost. */
import type { Verdict } from '../domain/finding.ts'
import type { RunCost } from '../domain/model-call.ts'
import type { ModelReport } from '../domain/model-report.ts'
import type { Asked } from './model-parts.ts'

/**
 * What was asked and what it cost, also each finding: the calls of its group, shared evenly among its findings that
 * stand. `before`: how many candidates came before those of the model. Null when no model was to be asked.
 */
export function reportModels(
  { outcome }: Asked,
  verdicts: readonly Verdict[],
  before: number,
): Reported | null {
  if (!outcome) return null
  const { report, groupOfDraft, cost } = outcome
  const groupOf = new Map(groupOfDraft.map((group, index) => [`C${before + index + 1}`, group]))
  const standing = verdicts.flatMap(({ finding }) => {
    const group = groupOf.get(finding?.id ?? '')
    return finding && group !== undefined ? [{ id: finding.id, group }] : []
  })
  const findingCosts = standing.map(({ id, group }) => {
    const usd = report.groups[group]?.usd ?? null
    const sharers = standing.filter((other) => other.group === group).length
    return { finding: id, usd: usd === null ? null : usd / sharers }
  })
  return { report: { ...report, findingCosts }, cost }
}

export type Reported = { report: ModelReport; cost: RunCost }
