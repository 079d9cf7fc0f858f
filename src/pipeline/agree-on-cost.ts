/** What all that models will be asked would take at most, and whether whoever pays agrees to it. */
import type { Fence } from '../base/untrusted/untrusted.ts'
import { estimateExplore } from './explore/estimate-explore.ts'
import type { AskInput, ModelParts } from './model-parts.ts'
import { estimateRefutation } from './refutation/estimate.ts'
import { sumEstimates } from './reviewer/estimate.ts'
import { renderForScout } from './reviewer/render/for-scout.ts'
import { estimateBundle } from './reviewer/review-bundle.ts'
import { toTriage } from './to-triage.ts'
import { estimateTriage } from './triage/triage-files.ts'

export async function agreeOnCost(
  { gateway, mayAsk }: ModelParts,
  input: AskInput,
  fence: Fence,
): Promise<boolean> {
  const { context, config } = input
  const estimate = await estimateBundle({ ...input, triage: null, gateway, fence })
  const explores = !config.context.leaveOut.includes('explore')
  const first = [
    explores ? estimateExplore({ context, config, gateway, change: renderForScout(context, fence) }) : null,
    input.panel.depth === 'deep' ? estimateTriage(toTriage({ gateway }, input, fence)) : null,
  ].filter((one) => one !== null)
  const refutation = estimateRefutation({ gateway, config, questions: estimate.calls })
  return mayAsk({
    ...estimate,
    explore: first.length === 0 ? null : sumEstimates(first),
    ...(refutation ? { refutation } : {}),
  })
}
