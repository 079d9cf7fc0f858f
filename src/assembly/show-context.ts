/** The bundle of a change by itself: what a review would rest on, before any model is asked. */
import type { FactStore } from '../code-index/contract.ts'
import type { Config } from '../config/schema.ts'
import { defaultSettings } from '../config/settings/schema.ts'
import type { ReviewContext } from '../domain/review-context.ts'
import type { CollectedChange } from '../hosts/contract.ts'
import type { GraphRetrieval } from '../pipeline/context/retrieval/contract.ts'
import { readChangeSet } from '../pipeline/diff/read-change-set.ts'
import { freezeContext } from '../pipeline/freeze-context.ts'
import { openContextTools } from './open-context-tools.ts'

export type ShownContext = {
  context: ReviewContext
  /** Each retrieval list before and after it was fused; null when code was left out or could not be read. */
  graph: GraphRetrieval | null
}

export type ShowParts = {
  change: CollectedChange
  config: Config
  facts: FactStore
  cacheFolder: string | null
  signal: AbortSignal
}

export async function showContext({
  change,
  config,
  facts,
  cacheFolder,
  signal,
}: ShowParts): Promise<ShownContext> {
  const deep: Config = { ...config, review: { ...config.review, depth: 'standard' } }
  const { sandbox } = defaultSettings
  const around = openContextTools({
    change,
    facts,
    cacheFolder,
    config: deep,
    journal: null,
    sandbox,
    signal,
  })
  let graph: GraphRetrieval | null = null
  const changeSet = await readChangeSet(await change.diff(), {
    ...config.paths,
    base: change.base,
    within: change.request.source.paths,
  })
  const context = await freezeContext(change, changeSet, {
    config: deep,
    facts,
    signal,
    async retrieveGraph(changed, inner) {
      graph = await around.retrieveGraph(changed, inner)
      return graph
    },
  })
  return { context, graph }
}
