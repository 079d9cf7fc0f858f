/** Assembly: collects the change, reads the configuration from its base, picks the parts, runs the story. */
import type { TicketWish } from './assembly/bring-tickets.ts'
import { defaultCacheFolder } from './assembly/cache-folder.ts'
import { collectChange } from './assembly/collect-change.ts'
import { type Conducted, conductReview, type ReviewWishes } from './assembly/conduct-review.ts'
import { openChecker } from './assembly/open-checker.ts'
import { openLookAround } from './assembly/open-explorer.ts'
import {
  type ModelOptions,
  openModels,
  type PreparedModels,
  prepareModels,
  resolveDepth,
} from './assembly/open-models.ts'
import { beginRecording, type Recording } from './assembly/recording.ts'
import { searchModels } from './assembly/search-models.ts'
import { openServersFor } from './assembly/servers-on-demand.ts'
import { type ShownContext, showContext } from './assembly/show-context.ts'
import { UserError } from './base/errors.ts'
import type { FactStore } from './code-index/contract.ts'
import { createFactStore } from './code-index/fact-store.ts'
import { lendFacts } from './code-index/lend-facts.ts'
import { loadConfig } from './config/load.ts'
import { type Config, defaultConfig } from './config/schema.ts'
import { loadSettings } from './config/settings/load.ts'
import type { EventListener } from './domain/events.ts'
import type { ChangeSelector, CollectedChange } from './hosts/contract.ts'
import { collectLocal } from './hosts/local/collect.ts'
import { builtInRules, loadRules } from './pipeline/planes/rules/load-rules.ts'
import type { Rule } from './pipeline/planes/rules/rule.ts'

export type ReviewOptions = ReviewWishes & {
  /** Any folder inside the repository, or a bare repository. */
  folder: string
  selector: ChangeSelector
  onEvent?: EventListener
  signal?: AbortSignal
  now?: () => Date
  /** Where facts about files are kept between runs; null keeps them in memory only. Default: the user's cache folder. */
  cacheFolder?: string | null
  /** A store of facts about files that outlives the review and is not closed with it, so that its parsers stay warm. */
  facts?: FactStore
  /** Which models are asked, and what it may cost. Without it: as the settings and the environment say. */
  models?: ModelOptions
  /** What the change was asked for in, besides what its author says of it. */
  ticket?: TicketWish | null
  /** Keeps the run, so that it can be replayed, and resumed when it is killed; `fresh` asks models anew. */
  record?: { fresh: boolean } | null
}

export type ReviewOutcome = Conducted & {
  /** The name of the run on record; null when it is not kept. */
  run: string | null
}

/** Reviews one change of a local repository. Throws `UserError` for what the caller can mend. */
export async function reviewChange(options: ReviewOptions): Promise<ReviewOutcome> {
  const { signal = new AbortController().signal, now = () => new Date() } = options
  const startedAt = performance.now()
  let recording: Recording | null = null
  const onEvent: EventListener = (event) => {
    recording?.onEvent(event)
    options.onEvent?.(event)
  }
  const cacheFolder = options.cacheFolder === undefined ? defaultCacheFolder() : options.cacheFolder
  const facts = options.facts ? lendFacts(options.facts) : createFactStore({ cacheFolder, signal })
  let close = () => facts.close()
  try {
    const { folder, selector, ticket } = options
    const prepared = await prepareModels(options.models ?? {})
    const granted = prepared.settings.repositories
    const wanted = { folder, selector, ticket, facts, cacheFolder, granted, onEvent, signal }
    const { change, collected, reads, config, isClamped } = await collectChange(wanted)
    close = async () => void (await Promise.all([facts.close(), change.close()]))
    const wishes = { ...wishesOf(options, prepared), ...(isClamped ? { ceilings: granted.ceilings } : {}) }
    recording = beginRecordingOf(options, wishes, change, config, prepared, now)
    const conducted = await conductReview({
      change,
      config,
      wishes,
      facts,
      openModels: (explorer) => openModels(prepared, recording?.journal ?? null, explorer, onEvent),
      openLookAround: (read) =>
        openLookAround({
          change: collected,
          facts,
          cacheFolder,
          config: read,
          journal: recording?.journal ?? null,
          sandbox: prepared.settings.sandbox,
          searchModels: () => searchModels(prepared.settings, prepared.environment),
          signal,
        }),
      openChecker: (read) =>
        openChecker({
          change: collected,
          openServers: openServersFor(collected, options.folder, prepared),
          journal: recording?.journal ?? null,
          seconds: read.validation.serverSeconds,
          signal,
        }),
      onEvent,
      signal,
      now,
    })
    const { findings, coverage } = conducted.review
    const durationMs = performance.now() - startedAt
    onEvent({ type: 'run-end', findings: findings.length, complete: coverage.complete, durationMs })
    const trouble = (await recording?.finish(conducted.review, reads)) ?? []
    return { ...conducted, remarks: [...conducted.remarks, ...trouble], run: recording?.run ?? null }
  } catch (error) {
    recording?.abandon()
    throw error
  } finally {
    await close()
  }
}

function beginRecordingOf(
  options: ReviewOptions,
  wishes: ReviewWishes,
  change: CollectedChange,
  config: Config,
  prepared: PreparedModels,
  now: () => Date,
): Recording | null {
  if (!options.record) return null
  const { settings, setup, environment, budget = null } = prepared
  const { models, money } = settings
  return beginRecording({
    change,
    depth: resolveDepth(wishes.overrides?.depth ?? config.review.depth, setup !== null).depth,
    options: { wishes, setup, models, money, budget },
    settings: settings.journal,
    fresh: options.record.fresh,
    environment,
    now,
  })
}

/** What the operator's settings decide is a wish too, so that a replay goes by it. */
function wishesOf(
  { servers: asked, ...options }: ReviewOptions,
  { settings: { validation } }: PreparedModels,
): ReviewWishes {
  const servers = asked ?? (validation.servers === 'auto' ? null : validation.servers)
  const { disablePlanes, onlyPlanes, exactPlanes, overrides, withoutSections, withoutChecks } = options
  return {
    ...(disablePlanes ? { disablePlanes } : {}),
    ...(onlyPlanes ? { onlyPlanes } : {}),
    ...(exactPlanes ? { exactPlanes } : {}),
    ...(overrides ? { overrides } : {}),
    ...(servers ? { servers } : {}),
    ...(withoutSections ? { withoutSections } : {}),
    ...(withoutChecks ? { withoutChecks } : {}),
  }
}

/** The bundle of a change at depth standard, without asking any model. Throws `UserError` as `reviewChange` does. */
export async function freezeChange(
  options: Pick<ReviewOptions, 'folder' | 'selector' | 'signal' | 'cacheFolder' | 'ticket'>,
): Promise<ShownContext> {
  const { signal = new AbortController().signal, cacheFolder = defaultCacheFolder() } = options
  const { folder, selector, ticket } = options
  const facts = createFactStore({ cacheFolder, signal })
  try {
    const granted = (await loadSettings()).settings.repositories
    const wanted = { folder, selector, ticket, facts, cacheFolder, granted, signal }
    const { change, config } = await collectChange(wanted)
    return await showContext({ change, config, facts, cacheFolder, signal }).finally(() => change.close())
  } finally {
    await facts.close()
  }
}

export type RuleLine = Pick<Rule, 'id' | 'languages' | 'severity' | 'message' | 'builtIn' | 'place'>

/**
 * The rules a review of uncommitted work goes by: ours, and those of the last commit; without the ones its
 * configuration switches off. `limits` says which could not be used. Outside of a repository: ours.
 */
export async function listRules(folder: string): Promise<{ rules: RuleLine[]; limits: string[] }> {
  let change: CollectedChange | null = null
  try {
    const selector: ChangeSelector = { kind: 'commit', commit: 'HEAD' }
    change = await collectLocal({ folder, selector, limits: defaultConfig.limits })
    const { head } = change
    const { config } = await loadConfig((path) => head.read(path))
    return await loadRules(head, config.rules)
  } catch (error) {
    const without = ['not-a-repository', 'unknown-ref', 'nothing-to-review']
    if (error instanceof UserError && without.includes(error.code))
      return { rules: [...builtInRules()], limits: [] }
    throw error
  } finally {
    await change?.close()
  }
}
