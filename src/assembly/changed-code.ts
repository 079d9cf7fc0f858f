/** A change and the code around it, opened for questions: for programs that want what a reviewer sees without a review. */
import type { IndexStore } from '../code-index/contract.ts'
import { createFactStore, lendFacts } from '../code-index/fact-store.ts'
import { rankFiles, readFileGraph } from '../code-index/graph/file-graph.ts'
import type { CodeTree } from '../code-index/query/contract.ts'
import { openIndexedTree } from '../code-index/query/open-tree.ts'
import { type CodeSearch, openCodeSearch } from '../code-index/search/search.ts'
import { defaultConfig } from '../config/schema.ts'
import type { ChangeSet } from '../domain/change-set.ts'
import type { RepoSnapshot } from '../domain/snapshot.ts'
import type { ChangeSelector } from '../hosts/contract.ts'
import { collectLocal } from '../hosts/local/collect.ts'
import { trimPassages } from '../pipeline/context/gather.ts'
import { changedWords, readChangedFiles } from '../pipeline/context/retrieval/changed-places.ts'
import type { Passage, PassageLists, RankedPassage } from '../pipeline/context/retrieval/contract.ts'
import { retrieveGraph } from '../pipeline/context/retrieval/retrieve-graph.ts'
import { readChangeSet } from '../pipeline/diff/read-change-set.ts'

export type ChangedCode = {
  readonly change: ChangeSet
  readonly head: RepoSnapshot
  /** The indexed head. */
  readonly tree: CodeTree
  /** Over the head, by words only. */
  readonly search: CodeSearch
  /** Identifiers on changed lines, the most telling first. */
  readonly words: readonly string[]
  /** What a reviewer would be shown of the rest of the repository, list by list and without a limit. */
  retrieve(): Promise<PassageLists>
  /** Passages as a bundle would show them, best first, each line once. */
  asShown(passages: readonly RankedPassage[]): Promise<Passage[]>
  /** Paths of the files nearest to the changed ones by PageRank over the graph of files, at most so many. */
  nearFiles(limit: number): Promise<string[]>
  close(): Promise<void>
}

export type ChangedCodeOptions = {
  folder: string
  selector: ChangeSelector
  /** Null keeps facts about files in memory only. */
  cacheFolder: string | null
  /** Closed by whoever opened it; others are opened when not given. */
  facts?: IndexStore
  signal?: AbortSignal
}

/** Rejects as `localSource` does. */
export async function openChangedCode(options: ChangedCodeOptions): Promise<ChangedCode> {
  const { folder, selector, cacheFolder, signal } = options
  const { limits, paths } = defaultConfig
  const collected = await collectLocal({ folder, selector, limits, signal })
  const facts = options.facts ? lendFacts(options.facts) : createFactStore({ cacheFolder })
  const close = async () => void (await Promise.all([facts.close(), collected.close()]))
  try {
    const { head, base, repositoryLabel } = collected
    const change = await readChangeSet(await collected.diff(), { ...paths, base })
    const tree = await openIndexedTree(head, facts, { cacheFolder, repository: repositoryLabel, keep: true })
    const search = await openCodeSearch(head, facts, { cacheFolder })
    return {
      change,
      head,
      tree,
      search,
      words: changedWords(await readChangedFiles(tree.world, change)),
      async retrieve() {
        return (await retrieveGraph({ change, base, head, facts, isOutOfTime: () => false })).lists
      },
      async asShown(passages) {
        const texts = await head.readMany([...new Set(passages.map(({ path }) => path))])
        const { kept } = trimPassages(passages, texts, Number.POSITIVE_INFINITY)
        return kept.flatMap(({ passage, spans }) => spans.map((span) => ({ ...passage, ...span })))
      },
      async nearFiles(limit) {
        const all = (await head.list()).map(({ path }) => path)
        const graph = await readFileGraph(tree.world, all)
        const starts = new Map(change.files.map(({ path }) => [path, 1]))
        return rankFiles(graph, starts, limit).map(({ path }) => path)
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
