/** Questions about the code of one tree of a local repository: opens it, asks, and closes it. */

import type { IndexStore } from '../code-index/contract.ts'
import { createFactStore, lendFacts } from '../code-index/fact-store.ts'
import type { CodeTree } from '../code-index/query/contract.ts'
import { type IndexPlace, openIndexedTree } from '../code-index/query/open-tree.ts'
import type { SearchAnswer } from '../code-index/search/contract.ts'
import { buildChunkIndex, hasChunkIndex } from '../code-index/search/index/open-index.ts'
import { openCodeSearch } from '../code-index/search/search.ts'
import { collectGarbage, type Garbage } from '../code-index/tree-index/collect-garbage.ts'
import type { IndexReport, IndexStatus } from '../code-index/tree-index/contract.ts'
import { indexStatus, indexTree } from '../code-index/tree-index/index-tree.ts'
import { defaultConfig } from '../config/schema.ts'
import { loadSettings } from '../config/settings/load.ts'
import { defaultSettings } from '../config/settings/schema.ts'
import type { RunCost } from '../domain/model-call.ts'
import type { RepoHistory, RepoSnapshot } from '../domain/snapshot.ts'
import type { UsesElsewhere } from '../domain/workspace.ts'
import type { ChangeSelector } from '../hosts/contract.ts'
import { collectLocal } from '../hosts/local/collect.ts'
import { openAccount } from '../llm/money/account.ts'
import type { ServersOnDemand } from './servers-on-demand.ts'

import { defaultCacheFolder, type ServicesOptions } from './services.ts'
import { elsewhereByIndex } from './workspace/uses-elsewhere.ts'

export type QuestionOptions = Pick<ServicesOptions, 'environment' | 'facts'> & {
  /** Any folder inside the repository, or a bare repository. */
  folder: string
  signal?: AbortSignal
  /** Null keeps everything in memory only. Default: the user's cache folder. */
  cacheFolder?: string | null
  /** A commit, or the work tree with all that is not committed. */
  at: { ref: string } | 'work-tree'
  /** Hears what a person should know and the answer does not tell, such as that there is no index. */
  onNote?: (note: string) => void
}

/**
 * Opens one tree of a local repository, asks, and closes it. Language servers are started only if `ask` opens them.
 * Throws `UserError` for what the caller can fix.
 */
export async function askCode<Answer>(
  options: QuestionOptions,
  ask: (
    tree: CodeTree,
    openServers: ServersOnDemand['open'],
    elsewhere: UsesElsewhere | null,
  ) => Promise<Answer>,
): Promise<Answer> {
  const { environment = process.env } = options
  // What one kind of question needs is loaded for it alone: an index is built in less time than all of it takes.
  const { serversOnDemand } = await import('./servers-on-demand.ts')
  return await withTree(options, async (snapshot, facts, place) => {
    const servers = serversOnDemand(snapshot, options.folder, environment)
    try {
      const tree = await openIndexedTree(snapshot, facts, { ...place, onNote: options.onNote })
      return await ask(tree, servers.open, place.elsewhere)
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
  return await withTree(options, async (snapshot, facts, place) => {
    const report = await indexTree({ snapshot, facts, onProgress, ...place })
    const startedAt = performance.now()
    const built = await buildChunkIndex(snapshot, facts, place)
    const ms = performance.now() - startedAt
    const totalMs = report.times.totalMs + ms
    return { ...report, search: { ...built, ms }, times: { ...report.times, totalMs } }
  })
}

/** How much of one tree is indexed; changes nothing. Throws `UserError` as `askCode` does. */
export async function readIndexStatus(options: QuestionOptions): Promise<IndexStatus> {
  return await withTree(options, async (snapshot, facts, place) => {
    const status = await indexStatus({ snapshot, facts, ...place })
    const isWhole = status.state !== 'complete' || hasChunkIndex(snapshot.tree, place)
    return isWhole ? status : { ...status, state: 'partial' }
  })
}

/** Removes what the indexes of all repositories hold and no snapshot used for thirty days. */
export function collectIndexGarbage(cacheFolder: string = defaultCacheFolder()): Garbage {
  return collectGarbage(cacheFolder)
}

export type SearchOptions = {
  limit: number
  /** Also tells the files near the hits. */
  nearby?: boolean
  /** Files near which hits are lifted. */
  near?: readonly string[]
  lexical?: boolean
}

/** `cost`: what embedder and reranker took for it; null when neither was asked. */
export type PricedSearch = SearchAnswer & { cost: RunCost | null }

const commitsRead = 2_000

/**
 * Searches one tree of a local repository; `lexical` asks no embedder and no reranker, so that nothing leaves the
 * machine. Throws `UserError` as `askCode` does.
 */
export async function searchCode(
  options: QuestionOptions,
  query: string,
  { limit, nearby = false, near = [], lexical = false }: SearchOptions,
): Promise<PricedSearch> {
  const { environment = process.env, signal } = options
  const { cacheFolder = defaultCacheFolder(environment) } = options
  const { settings } = lexical ? { settings: defaultSettings } : await loadSettings(environment)
  const { searchModels } = await import('./search-models.ts')
  const account = openAccount(settings.money.perRun)
  const models = await searchModels(settings, { journal: null, account }, environment)
  return await withTree(options, async (snapshot, facts, { history }) => {
    const search = await openCodeSearch(snapshot, facts, { cacheFolder, ...models, signal })
    const commits = near.length > 0 ? (await history.recent(commitsRead)).commits : []
    const answer = await search.search(query, limit, {
      nearby,
      near: near.length > 0 ? { paths: near, commits } : null,
    })
    const cost = account.cost()
    return { ...answer, cost: cost.calls > 0 ? cost : null }
  })
}

type TreePlace = IndexPlace & { history: RepoHistory; elsewhere: UsesElsewhere | null }

async function withTree<Answer>(
  { folder, signal, at, ...options }: QuestionOptions,
  ask: (snapshot: RepoSnapshot, facts: IndexStore, place: TreePlace) => Promise<Answer>,
): Promise<Answer> {
  const selector: ChangeSelector =
    at === 'work-tree' ? { kind: 'uncommitted' } : { kind: 'commit', commit: at.ref }
  const { environment = process.env } = options
  const { cacheFolder = defaultCacheFolder(environment) } = options
  const { settings } = await loadSettings(environment)
  const { borrowFrom } = settings.repositories
  const change = await collectLocal({ folder, selector, limits: defaultConfig.limits, borrowFrom, signal })
  const facts = options.facts ? lendFacts(options.facts) : createFactStore({ cacheFolder, signal })
  try {
    const place = { cacheFolder, repository: change.repositoryLabel, keep: at !== 'work-tree', signal }
    const folders = { cache: cacheFolder }
    const own = signal ?? new AbortController().signal
    const parts = { settings, environment, facts, folders, signal: own, now: () => new Date() }
    const elsewhere = elsewhereByIndex(change.head, parts, change)
    return await ask(change.head, facts, { ...place, history: change.history, elsewhere })
  } finally {
    await Promise.all([facts.close(), change.close()])
  }
}
