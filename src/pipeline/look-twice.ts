/** The second look, between validation and conclusion: only where models looked closely, for it is their word that is tried. */

import type { Refutation } from '../domain/finding.ts'
import type { RunCost } from '../domain/model-call.ts'
import type { Asked, ModelParts } from './model-parts.ts'
import { openFence } from './open-fence.ts'
import type { RefutationInput, RefutationResult } from './refutation/contract.ts'
import { refuteFindings } from './refutation/refute-findings.ts'
import { type Reported, reportModels } from './report-models.ts'
import type { StageClock } from './stage-clock.ts'

export type LookInput = Omit<RefutationInput, 'gateway' | 'fence'> & {
  asked: Asked
  /** Hash of the bundle before models added to it: the fence of the run goes by it. */
  frozen: string
}

export type Looked = Pick<RefutationResult, 'verdicts' | 'context'> & {
  /** Null where no second look was due. */
  refutations: Refutation[] | null
  second: { prompts: readonly string[]; costs: RefutationResult['costs']; cost: RunCost } | null
}

/** At depth quick the first look is all that was paid for. */
export async function lookTwice(
  models: ModelParts | null,
  { asked, frozen, ...input }: LookInput,
  stage: StageClock,
): Promise<Looked> {
  const { depth } = input.config.review
  const isDue = asked.outcome?.looked === true && (depth === 'standard' || depth === 'deep')
  if (!models || !isDue)
    return { verdicts: [...input.verdicts], context: input.context, refutations: null, second: null }
  const fence = await openFence(frozen, models.journal)
  const result = await stage.run('refute', () => refuteFindings({ ...input, gateway: models.gateway, fence }))
  const { verdicts, context, refutations, prompts, costs } = result
  return { verdicts, context, refutations, second: { prompts, costs, cost: models.gateway.cost() } }
}

/** What models had to do with the review, the second look with it: each finding bears the price of its own. */
export function reportLooks(asked: Asked, { verdicts, second }: Looked, before: number): Reported | null {
  const first = reportModels(asked, verdicts, before)
  if (!first || !second) return first
  const { report } = first
  return {
    cost: second.cost,
    report: {
      ...report,
      prompts: [...report.prompts, ...second.prompts],
      findingCosts: report.findingCosts.map(({ finding, usd }) => {
        const further = second.costs.has(finding) ? (second.costs.get(finding) ?? null) : 0
        return { finding, usd: usd === null || further === null ? null : usd + further }
      }),
    },
  }
}
