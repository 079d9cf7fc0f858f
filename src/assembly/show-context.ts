/** The bundle of a change by itself: what a review would rest on, before any model is asked. */
import type { IndexStore } from '../code-index/contract.ts'
import { lendFacts } from '../code-index/fact-store.ts'
import { configOfTree, loadConfig } from '../config/load.ts'
import type { Config } from '../config/schema.ts'
import { clampLimits } from '../config/settings/repositories.ts'
import type { ReviewContext } from '../domain/review-context.ts'
import type { ChangeSelector, CollectedChange } from '../hosts/contract.ts'
import { localSource } from '../hosts/local/collect.ts'
import { readMemory } from '../memory/read-memory.ts'
import type { GraphRetrieval } from '../pipeline/context/retrieval/contract.ts'
import { retrieveGraph, retrieveInTime } from '../pipeline/context/retrieval/retrieve-graph.ts'
import { readChangeSet } from '../pipeline/diff/read-change-set.ts'
import { freezeContext } from '../pipeline/freeze-context.ts'
import { collectChange, readThroughIndex } from './collect-change.ts'
import type { TicketOrigin } from './fetch-tickets.ts'
import { adviseIndex, type IndexAdvice } from './index-advice.ts'
import { openServices, type ServicesOptions } from './services.ts'

export type ShownContext = {
  context: ReviewContext
  /** Each retrieval list before and after it was fused; null when code was left out or could not be read. */
  graph: GraphRetrieval | null
}

export type FreezeOptions = Omit<ServicesOptions, 'tenant'> & {
  /** Any folder inside the repository, or a bare repository. */
  folder: string
  selector: ChangeSelector
  /** What the change was asked for in, besides what its author says of it. */
  ticket?: TicketOrigin | null
}

/** The bundle of a change at depth standard, without asking any model. Throws `UserError` for what the caller can fix. */
export async function freezeChange(
  options: FreezeOptions,
): Promise<ShownContext & { advice: IndexAdvice | null }> {
  const { folder, selector, ticket = null } = options
  const services = await openServices(options)
  const { settings, folders, signal } = services
  const facts = lendFacts(services.facts)
  try {
    const source = localSource({ folder, selector, borrowFrom: settings.repositories.borrowFrom })
    const collected = await collectChange(source, services, { ticket, depth: 'standard' })
    try {
      const change = readThroughIndex(collected, folders.cache)
      const read = await loadConfig(configOfTree(change.base))
      const { config } = clampLimits(read.config, settings.repositories.ceilings)
      const shown = await showContext({ change, config, facts, signal })
      return { ...shown, advice: await adviseIndex(change, folders.cache) }
    } finally {
      await collected.close()
    }
  } finally {
    await services.close()
  }
}

export type ShowParts = {
  change: CollectedChange
  config: Config
  facts: IndexStore
  signal: AbortSignal
}

/** As a review at depth standard would freeze it, whatever the depth of the configuration. */
export async function showContext({ change, config, facts, signal }: ShowParts): Promise<ShownContext> {
  const standard: Config = { ...config, review: { ...config.review, depth: 'standard' } }
  const { base, head, request } = change
  const within = request.source.paths
  const changeSet = await readChangeSet(await change.diff(), { ...config.paths, base, within })
  let graph: GraphRetrieval | null = null
  const context = await freezeContext(change, changeSet, {
    config: standard,
    facts,
    signal,
    // What became of an author's earlier changes is for reviews alone.
    remembered: { memory: await readMemory(base, new Date()), developer: [] },
    async retrieveGraph(asked, inner) {
      graph = await retrieveInTime(config.context.graphSeconds, inner, (keep, isOutOfTime) =>
        retrieveGraph({ change: asked, base, head, facts, isOutOfTime }, keep),
      )
      return graph
    },
  })
  return { context, graph }
}
