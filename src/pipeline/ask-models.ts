/** The model's part of a review, between planes and validation: left out at depth offline, and told for what it was. */
import type { Depth } from '../domain/review.ts'
import type { ReviewContext } from '../domain/review-context.ts'
import { agreeOnCost } from './agree-on-cost.ts'
import { exploreFirst } from './explore-first.ts'
import type { Asked, AskInput, ModelParts } from './model-parts.ts'
import { openFence } from './open-fence.ts'
import type { Panel } from './reviewer/panel/contract.ts'
import { reviewBundle } from './reviewer/review-bundle.ts'
import type { StageClock } from './stage-clock.ts'
import { toTriage } from './to-triage.ts'
import { triageFiles } from './triage/triage-files.ts'

export function askNobody(context: ReviewContext): Asked {
  return {
    depth: 'offline',
    context,
    drafts: [],
    criteria: [],
    insights: [],
    triage: null,
    coverage: [],
    unread: new Map(),
    outcome: null,
  }
}

/** Above depth quick a cheap model gathers more first; at depth deep planes are asked where triage left something. */
export async function askModels(models: ModelParts, input: AskInput, stage: StageClock): Promise<Asked> {
  const { gateway, journal, explorer } = models
  const fence = await openFence(input.frozen.hash, journal)
  const explores = input.config.review.depth !== 'quick' && !input.config.context.leaveOut.includes('explore')
  const triages = input.panel.depth === 'deep'
  // Whoever may decline the cost is asked before the first word is sent, which at these depths is the scout's.
  const agreed = input.panel.depth !== 'quick' ? await agreeOnCost(models, input, fence) : null
  const context =
    agreed && explores && explorer
      ? await stage.run('explore', () => exploreFirst(models, explorer, input, fence))
      : input.context
  const triage =
    agreed && triages ? await stage.run('triage', () => triageFiles(toTriage(models, input, fence))) : null
  const outcome = await stage.run('review', () =>
    reviewBundle({
      ...input,
      context,
      triage,
      gateway,
      fence,
      mayAsk: agreed === null ? models.mayAsk : async () => agreed,
      note: (note) => journal?.note(note),
    }),
  )
  return {
    depth: outcome.looked ? depthOf(input.panel, context !== input.context) : 'offline',
    context: { ...context, evidence: [...outcome.evidence] },
    drafts: outcome.drafts,
    criteria: outcome.criteria,
    insights: outcome.insights,
    triage,
    coverage: outcome.coverage,
    unread: outcome.unread,
    outcome: { ...outcome, cost: gateway.cost() },
  }
}

/** One reviewer over a bundle that nobody explored is a quick look, whatever was asked for. */
function depthOf({ depth }: Panel, explored: boolean): Depth {
  return depth === 'standard' && !explored ? 'quick' : depth
}
