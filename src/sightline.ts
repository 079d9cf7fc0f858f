/** Assembly: collects the change, reads the configuration from its base, picks the parts, runs the story. */
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type ModelOptions, openModels, resolveDepth } from './assembly/open-models.ts'
import { type ServersOnDemand, serversOnDemand } from './assembly/servers-on-demand.ts'
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
import type { Depth, Review } from './domain/review.ts'
import type { RepoSnapshot } from './domain/snapshot.ts'
import type { ChangeSelector, CollectedChange } from './hosts/contract.ts'
import { collectLocal } from './hosts/local/collect.ts'
import { openEmbedder } from './llm/embedding/registry.ts'
import { RemoteError } from './llm/embedding/remote-error.ts'
import { openReranker } from './llm/rerank/registry.ts'
import type { Plane } from './pipeline/planes/contract.ts'
import { choosePlanes, planeNames } from './pipeline/planes/registry.ts'
import { builtInRules, loadRules } from './pipeline/planes/rules/load-rules.ts'
import type { Rule } from './pipeline/planes/rules/rule.ts'
import { review } from './pipeline/review.ts'

export type ReviewOptions = {
  /** Any folder inside the repository, or a bare repository. */
  folder: string
  selector: ChangeSelector
  onEvent?: EventListener
  signal?: AbortSignal
  now?: () => Date
  /** Where facts about files are kept between runs; null keeps them in memory only. Default: the user's cache folder. */
  cacheFolder?: string | null
  disablePlanes?: readonly string[]
  /** When not empty, only these planes run. */
  onlyPlanes?: readonly string[]
  /** Wins over the same keys of the configuration, whose hash it is part of. */
  overrides?: Partial<Config['review']>
  /** Which models are asked, and what it may cost. Without it: as the settings and the environment say. */
  models?: ModelOptions
}

export type ReviewOutcome = {
  review: Review
  config: Config
  /** What a person should know of how it went, such as that another depth than the one asked for was taken. */
  remarks: string[]
}

/** Reviews one change of a local repository. Throws `UserError` for what the caller can mend. */
export async function reviewChange(options: ReviewOptions): Promise<ReviewOutcome> {
  const { onEvent = () => {}, signal = new AbortController().signal, now = () => new Date() } = options
  const startedAt = performance.now()
  const { change, config: read } = await collect(options, onEvent, signal)
  const cacheFolder = options.cacheFolder === undefined ? defaultCacheFolder() : options.cacheFolder
  const facts = createFactStore({ cacheFolder, signal })
  try {
    const planes = choosePlanes({
      disable: [...read.planes.disable, ...(options.disablePlanes ?? [])],
      only: options.onlyPlanes ?? [],
    })
    const wanted = options.overrides?.depth ?? read.review.depth
    const models = wanted === 'offline' ? null : await openModels(options.models ?? {}, onEvent)
    const { depth, remarks } = resolveDepth(wanted, models !== null)
    const config = effectiveConfig(read, options, planes, depth)
    onEvent({ type: 'run-start', label: change.request.source.label })
    const result = await review(change, { config, planes, facts, models, onEvent, signal, now })
    const { findings, coverage } = result
    const durationMs = performance.now() - startedAt
    onEvent({ type: 'run-end', findings: findings.length, complete: coverage.complete, durationMs })
    return { review: result, config, remarks }
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

/** What the run goes by in the end: every plane that does not run is listed as switched off. */
function effectiveConfig(
  read: Config,
  { overrides }: ReviewOptions,
  planes: readonly Plane[],
  depth: Depth,
): Config {
  const running = new Set(planes.map(({ name }) => name))
  return {
    ...read,
    review: { ...read.review, ...overrides, depth },
    planes: { ...read.planes, disable: planeNames.filter((name) => !running.has(name)) },
  }
}

/** The limits that bound the collecting stand in the configuration, which lies in the base that is collected. */
async function collect(
  { folder, selector }: ReviewOptions,
  onEvent: EventListener,
  signal: AbortSignal,
): Promise<{ change: CollectedChange; config: Config }> {
  onEvent({ type: 'stage-start', stage: 'collect' })
  const startedAt = performance.now()
  let change = await collectLocal({ folder, selector, limits: defaultConfig.limits, signal })
  try {
    const { config } = await loadConfig((path) => change.base.read(path))
    if (
      Object.entries(config.limits).some(([key, value]) => Reflect.get(defaultConfig.limits, key) !== value)
    ) {
      await change.close()
      change = await collectLocal({ folder, selector, limits: config.limits, signal })
    }
    const durationMs = performance.now() - startedAt
    onEvent({ type: 'stage-end', stage: 'collect', durationMs, detail: change.request.source.label })
    return { change, config }
  } catch (error) {
    await change.close()
    throw error
  }
}

/** `$XDG_CACHE_HOME/sightline`, else `~/.cache/sightline`. */
export function defaultCacheFolder(): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'sightline')
}
