/** Assembly: collects the change, reads the configuration from its base, picks the parts, runs the story. */
import { homedir } from 'node:os'
import { join } from 'node:path'
import { bringTickets, type TicketWish } from './assembly/bring-tickets.ts'
import { type Conducted, conductReview, type ReviewWishes } from './assembly/conduct-review.ts'
import { openLookAround } from './assembly/open-explorer.ts'
import {
  type ModelOptions,
  openModels,
  type PreparedModels,
  prepareModels,
  resolveDepth,
} from './assembly/open-models.ts'
import { beginRecording, type Recording } from './assembly/recording.ts'
import { type ServersOnDemand, serversOnDemand } from './assembly/servers-on-demand.ts'
import { type ShownContext, showContext } from './assembly/show-context.ts'
import { UserError } from './base/errors.ts'
import type { FactStore } from './code-index/contract.ts'
import { createFactStore } from './code-index/fact-store.ts'
import type { CodeTree } from './code-index/query/contract.ts'
import { type IndexPlace, openIndexedTree } from './code-index/query/open-indexed-tree.ts'
import type { SearchAnswer } from './code-index/search/contract.ts'
import { openCodeSearch, type SearchOptions } from './code-index/search/search.ts'
import { collectGarbage, type Garbage } from './code-index/tree-index/collect-garbage.ts'
import type { IndexReport, IndexStatus } from './code-index/tree-index/contract.ts'
import { indexStatus, indexTree } from './code-index/tree-index/index-tree.ts'
import { loadConfig } from './config/load.ts'
import { type Config, defaultConfig } from './config/schema.ts'
import { loadSettings } from './config/settings/load.ts'
import type { EventListener } from './domain/events.ts'
import type { RepoSnapshot } from './domain/snapshot.ts'
import type { ChangeSelector, CollectedChange } from './hosts/contract.ts'
import { collectLocal } from './hosts/local/collect.ts'
import { type RecordedChange, recordChange } from './hosts/recorded/record-change.ts'
import { openEmbedder } from './llm/embedding/registry.ts'
import { RemoteError } from './llm/embedding/remote-error.ts'
import { openReranker } from './llm/rerank/registry.ts'
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
  const { change, collected, reads, config } = await collect(options, onEvent, signal)
  const cacheFolder = options.cacheFolder === undefined ? defaultCacheFolder() : options.cacheFolder
  const facts = createFactStore({ cacheFolder, signal })
  try {
    const prepared = await prepareModels(options.models ?? {})
    recording = beginRecordingOf(options, change, config, prepared, now)
    const conducted = await conductReview({
      change,
      config,
      wishes: wishesOf(options),
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
    await Promise.all([facts.close(), change.close()])
  }
}

function beginRecordingOf(
  options: ReviewOptions,
  change: CollectedChange,
  config: Config,
  prepared: PreparedModels,
  now: () => Date,
): Recording | null {
  if (!options.record) return null
  const { settings, setup, environment, budget = null } = prepared
  const wishes = wishesOf(options)
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

function wishesOf({ disablePlanes, onlyPlanes, overrides }: ReviewOptions): ReviewWishes {
  return {
    ...(disablePlanes ? { disablePlanes } : {}),
    ...(onlyPlanes ? { onlyPlanes } : {}),
    ...(overrides ? { overrides } : {}),
  }
}

/** The bundle of a change at depth standard, without asking any model. Throws `UserError` as `reviewChange` does. */
export async function freezeChange(
  options: Pick<ReviewOptions, 'folder' | 'selector' | 'signal' | 'cacheFolder' | 'ticket'>,
): Promise<ShownContext> {
  const { signal = new AbortController().signal, cacheFolder = defaultCacheFolder() } = options
  const { change, config } = await collect(options, () => {}, signal)
  const facts = createFactStore({ cacheFolder, signal })
  try {
    return await showContext({ change, config, facts, cacheFolder, signal })
  } finally {
    await Promise.all([facts.close(), change.close()])
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

export type QuestionOptions = Pick<ReviewOptions, 'folder' | 'signal' | 'cacheFolder'> & {
  /** A commit, or the work tree with all that is not committed. */
  at: { ref: string } | 'work-tree'
  /** Hears what a person should know and the answer does not tell, such as that there is no index. */
  onNote?: (note: string) => void
}

/**
 * Opens one tree of a local repository, asks, and closes it. Language servers are started only if `ask` opens them.
 * Throws `UserError` for what the caller can mend.
 */
export async function askCode<Answer>(
  options: QuestionOptions,
  ask: (tree: CodeTree, openServers: ServersOnDemand['open']) => Promise<Answer>,
): Promise<Answer> {
  return await withTree(options, async (snapshot, facts, place) => {
    const servers = serversOnDemand(snapshot, options.folder)
    try {
      const tree = await openIndexedTree(snapshot, facts, { ...place, onNote: options.onNote })
      return await ask(tree, servers.open)
    } finally {
      await servers.close()
    }
  })
}

/** Builds or refreshes the index of one tree. Throws `UserError` as `askCode` does. */
export async function indexCode(
  options: QuestionOptions,
  onProgress?: (done: number, total: number) => void,
): Promise<IndexReport> {
  return await withTree(options, (snapshot, facts, place) =>
    indexTree({ snapshot, facts, onProgress, ...place }),
  )
}

/** How much of one tree is indexed; changes nothing. Throws `UserError` as `askCode` does. */
export async function readIndexStatus(options: QuestionOptions): Promise<IndexStatus> {
  return await withTree(options, (snapshot, facts, place) => indexStatus({ snapshot, facts, ...place }))
}

/** Removes what the indexes of all repositories hold and no snapshot used for thirty days. */
export function collectIndexGarbage(cacheFolder: string = defaultCacheFolder()): Garbage {
  return collectGarbage(cacheFolder)
}

/**
 * Searches one tree of a local repository; `lexical` asks no embedder and no reranker, so that nothing leaves the
 * machine. Throws `UserError` as `askCode` does.
 */
export async function searchCode(
  options: QuestionOptions,
  query: string,
  { limit, nearby = false, lexical = false }: { limit: number; nearby?: boolean; lexical?: boolean },
): Promise<SearchAnswer> {
  const { cacheFolder = defaultCacheFolder(), signal } = options
  const models = lexical ? {} : await searchModels()
  return await withTree(options, async (snapshot, facts) => {
    const search = await openCodeSearch(snapshot, facts, {
      cacheFolder,
      ...models,
      ...(signal ? { signal } : {}),
    })
    return await search.search(query, limit, { nearby })
  })
}

/** The embedder and the reranker of the operator's settings; what is missing for one is told with the answer. */
async function searchModels(): Promise<SearchOptions> {
  const { settings } = await loadSettings()
  const surroundings = { environment: process.env, fetch }
  const problems: string[] = []
  const open = <Model>(make: () => Model | null): Model | null => {
    try {
      return make()
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error
      problems.push(error.message)
      return null
    }
  }
  return {
    embedder: open(() => openEmbedder(settings.embedding, surroundings)),
    reranker: open(() => openReranker(settings.rerank, surroundings)),
    problems,
  }
}

async function withTree<Answer>(
  { folder, signal, cacheFolder = defaultCacheFolder(), at }: QuestionOptions,
  ask: (snapshot: RepoSnapshot, facts: FactStore, place: IndexPlace) => Promise<Answer>,
): Promise<Answer> {
  const selector: ChangeSelector =
    at === 'work-tree' ? { kind: 'uncommitted' } : { kind: 'commit', commit: at.ref }
  const shared = signal ? { signal } : {}
  const change = await collectLocal({ folder, selector, limits: defaultConfig.limits, ...shared })
  const facts = createFactStore({ cacheFolder, ...shared })
  try {
    const place = { cacheFolder, repository: change.repositoryLabel, keep: at !== 'work-tree', signal }
    return await ask(change.head, facts, place)
  } finally {
    await Promise.all([facts.close(), change.close()])
  }
}

/** The limits that bound the collecting stand in the configuration, which lies in the base that is collected. */
async function collect(
  { folder, selector, ticket = null }: Pick<ReviewOptions, 'folder' | 'selector' | 'ticket'>,
  onEvent: EventListener,
  signal: AbortSignal,
): Promise<RecordedChange & { collected: CollectedChange; config: Config }> {
  onEvent({ type: 'stage-start', stage: 'collect' })
  const startedAt = performance.now()
  const collectWithin = async (limits: Config['limits']) => {
    const collected = await withTickets(
      await collectLocal({ folder, selector, limits, signal }),
      ticket,
      signal,
    )
    return { collected, ...recordChange(collected) }
  }
  const configOf = async ({ change }: RecordedChange) =>
    (await loadConfig((path) => change.base.read(path))).config
  let recorded = await collectWithin(defaultConfig.limits)
  try {
    let config = await configOf(recorded)
    const isOwn = ([key, value]: [string, unknown]) => Reflect.get(defaultConfig.limits, key) !== value
    if (Object.entries(config.limits).some(isOwn)) {
      await recorded.change.close()
      recorded = await collectWithin(config.limits)
      // Read again, so that it is among what was read of the change that is reviewed.
      config = await configOf(recorded)
    }
    const durationMs = performance.now() - startedAt
    const detail = recorded.change.request.source.label
    onEvent({ type: 'stage-end', stage: 'collect', durationMs, detail })
    return { ...recorded, config }
  } catch (error) {
    await recorded.change.close()
    throw error
  }
}

/** Tickets are part of what is reviewed, and so of the record. */
async function withTickets(
  change: CollectedChange,
  wish: TicketWish | null,
  signal: AbortSignal,
): Promise<CollectedChange> {
  if (!wish) return change
  const seconds = defaultConfig.context.ticketSeconds
  const { tickets, limits } = await bringTickets(wish, change.request, {
    seconds,
    environment: process.env,
    signal,
  })
  const request = { ...change.request, tickets, limits: [...change.request.limits, ...limits] }
  return {
    request,
    base: change.base,
    head: change.head,
    history: change.history,
    repositoryLabel: change.repositoryLabel,
    diff: () => change.diff(),
    close: () => change.close(),
  }
}

/** `$XDG_CACHE_HOME/sightline`, else `~/.cache/sightline`. */
export function defaultCacheFolder(): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'sightline')
}
