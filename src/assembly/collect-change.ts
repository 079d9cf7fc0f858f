/** Collects what shall be reviewed, with its tickets and its configuration, and keeps what is read of it. */
import type { FactStore } from '../code-index/contract.ts'
import { withIndexedWords } from '../code-index/query/indexed-words.ts'
import { type Ceilings, clampLimits } from '../config/clamp-limits.ts'
import { loadConfig } from '../config/load.ts'
import { type Config, defaultConfig } from '../config/schema.ts'
import type { RepositorySettings } from '../config/settings/repositories.ts'
import type { EventListener } from '../domain/events.ts'
import type { ChangeSelector, CollectedChange } from '../hosts/contract.ts'
import { collectLocal } from '../hosts/local/collect.ts'
import { type RecordedChange, recordChange } from '../hosts/recorded/record-change.ts'
import { bringTickets, type TicketWish } from './bring-tickets.ts'

export type CollectParts = {
  folder: string
  selector: ChangeSelector
  ticket?: TicketWish | null | undefined
  facts: FactStore
  /** Null: nothing is kept between runs, and no index is there. */
  cacheFolder: string | null
  /** What the operator grants a repository. */
  granted: RepositorySettings
  onEvent?: EventListener
  signal: AbortSignal
}

type CollectedConfig = RecordedChange & {
  collected: CollectedChange
  /** With its limits below the operator's ceilings. */
  config: Config
  /** It asked for more than the ceilings allow. */
  isClamped: boolean
}

/** The limits that bound the collecting stand in the configuration, which lies in the base that is collected. */
export async function collectChange({
  folder,
  selector,
  ticket = null,
  facts,
  cacheFolder,
  granted,
  onEvent = () => {},
  signal,
}: CollectParts): Promise<CollectedConfig> {
  onEvent({ type: 'stage-start', stage: 'collect' })
  const startedAt = performance.now()
  const collectWithin = async (limits: Ceilings, remarks: readonly string[]) => {
    const local = withRemarks(await collectLocal({ folder, selector, limits, signal }), remarks)
    const collected = withIndex(await withTickets(local, ticket, signal), { facts, cacheFolder, signal })
    return { collected, ...recordChange(collected) }
  }
  const configOf = async ({ change }: RecordedChange) =>
    clampLimits((await loadConfig((path) => change.base.read(path))).config, granted.ceilings)
  let recorded = await collectWithin(defaultConfig.limits, [])
  try {
    const first = await configOf(recorded)
    let { config } = first
    const { remarks } = first
    const isOwn = ([key, value]: [string, unknown]) => Reflect.get(defaultConfig.limits, key) !== value
    if (Object.entries(config.limits).some(isOwn) || remarks.length > 0) {
      await recorded.change.close()
      recorded = await collectWithin(config.limits, remarks)
      // Read again, so that it is among what was read of the change that is reviewed.
      config = (await configOf(recorded)).config
    }
    const durationMs = performance.now() - startedAt
    const detail = recorded.change.request.source.label
    onEvent({ type: 'stage-end', stage: 'collect', durationMs, detail })
    return { ...recorded, config, isClamped: remarks.length > 0 }
  } catch (error) {
    await recorded.change.close()
    throw error
  }
}

/** A repository that asks for more than it gets is told so, in the review and in its record. */
function withRemarks(change: CollectedChange, remarks: readonly string[]): CollectedChange {
  if (remarks.length === 0) return change
  const request = { ...change.request, limits: [...change.request.limits, ...remarks] }
  return { ...shallow(change), request }
}

/** Tickets are part of what is reviewed, and so of the record. */
async function withTickets(
  change: CollectedChange,
  wish: TicketWish | null,
  signal: AbortSignal,
): Promise<CollectedChange> {
  if (!wish) return change
  const seconds = defaultConfig.context.ticketSeconds
  const named =
    wish.kind === 'github' ? { ...wish, branch: wish.branch ?? (await change.branch?.()) ?? null } : wish
  const { limits, ...brought } = await bringTickets(named, change.request, {
    seconds,
    environment: process.env,
    signal,
  })
  const request = { ...change.request, ...brought, limits: [...change.request.limits, ...limits] }
  return { ...shallow(change), request }
}

/** Words are found by the stored index where there is one: a pass over a large tree takes a second or two. */
function withIndex(
  change: CollectedChange,
  { facts, cacheFolder, signal }: Pick<CollectParts, 'facts' | 'cacheFolder' | 'signal'>,
): CollectedChange {
  if (cacheFolder === null) return change
  const { request, repositoryLabel: repository } = change
  const place = { cacheFolder, repository, signal }
  const indexed = (side: 'base' | 'head') =>
    withIndexedWords(change[side], facts, { ...place, keep: request[side].commit !== null })
  return { ...shallow(change), base: indexed('base'), head: indexed('head') }
}

/** Its methods keep the object they belong to. */
function shallow(change: CollectedChange): CollectedChange {
  return {
    request: change.request,
    base: change.base,
    head: change.head,
    history: change.history,
    repositoryLabel: change.repositoryLabel,
    diff: () => change.diff(),
    close: () => change.close(),
  }
}
