/** What the bundle for one change holds of what a reviewer must see, beside bundles that others would make. */
import { createFactStore } from '../../code-index/fact-store.ts'
import { openIndexedTree } from '../../code-index/query/open-indexed-tree.ts'
import { openCodeSearch } from '../../code-index/search/search.ts'
import { defaultConfig } from '../../config/schema.ts'
import { collectLocal } from '../../hosts/local/collect.ts'
import { readChangedFiles } from '../../pipeline/context/retrieval/changed-places.ts'
import { type Passage, type PassageLists, passageLists } from '../../pipeline/context/retrieval/contract.ts'
import { fusePassages, usualWeights } from '../../pipeline/context/retrieval/fuse-passages.ts'
import { retrieveGraph } from '../../pipeline/context/retrieval/retrieve-graph.ts'
import { changedWords } from '../../pipeline/context/retrieval/word-lists.ts'
import { readChangeSet } from '../../pipeline/diff/read-change-set.ts'
import { bm25Alone, budgets, grepped, linesWithin, mapByRank, wholeFiles } from './bundles.ts'
import { type FaultTruth, type NeededUnit, neededUnits, unitsHeld } from './needed-units.ts'
import type { HeldUnits } from './recorded-retrieval.ts'

export type RetrievalQuestion = {
  /** A repository with both commits. */
  folder: string
  base: string
  head: string
  truth: FaultTruth
  /** Null keeps facts about files in memory only. */
  cacheFolder: string | null
  /** Also measures our bundle without each of its lists. */
  withoutLists: boolean
  signal?: AbortSignal
}

export type RetrievalMeasured = {
  units: NeededUnit[]
  /** Empty when nothing is needed besides the diff. */
  bundles: HeldUnits[]
  /** Null when nothing is needed. */
  lists: PassageLists | null
  /** How long our retrieval took. */
  ms: number
}

const historyCommits = 3_000

/** Rejects as `collectLocal` does. */
export async function measureRetrieval(question: RetrievalQuestion): Promise<RetrievalMeasured> {
  const { folder, base, head, truth, cacheFolder, signal } = question
  const selector = { kind: 'range', range: `${base}..${head}` } as const
  const { limits, paths } = defaultConfig
  const change = await collectLocal({ folder, selector, limits, ...(signal ? { signal } : {}) })
  const facts = createFactStore({ cacheFolder })
  try {
    const changeSet = await readChangeSet(await change.diff(), { ...paths, base: change.base })
    const place = { cacheFolder, repository: change.repositoryLabel, keep: true }
    const tree = await openIndexedTree(change.head, facts, place)
    const units = await neededUnits(truth, tree, changeSet)
    if (units.length === 0) return { units, bundles: [], lists: null, ms: 0 }
    const search = await openCodeSearch(change.head, facts, { cacheFolder })
    const { commits } = await change.history.recent(historyCommits)
    const startedAt = performance.now()
    const input = { change: changeSet, tree, search, commits, isOutOfTime: () => false }
    const { lists } = await retrieveGraph(input, change.head)
    const ms = performance.now() - startedAt
    const words = changedWords(await readChangedFiles(tree.world, changeSet))
    const all = (await change.head.list()).map(({ path }) => path)
    const passages: [name: string, passages: readonly Passage[]][] = [
      ['ours', fusePassages(lists)],
      ['whole changed files', wholeFiles(changeSet)],
      ['grep of identifiers', await grepped(folder, head, words)],
      ['BM25 alone', await bm25Alone(search, words)],
      ['map by PageRank', await mapByRank(tree, all, changeSet)],
    ]
    if (question.withoutLists)
      for (const list of passageLists)
        passages.push([`without ${list}`, fusePassages(lists, { ...usualWeights, [list]: 0 })])
    const bundles: HeldUnits[] = []
    for (const [name, ranked] of passages) {
      const held: number[][] = []
      for (const budget of budgets)
        held.push(unitsHeld(units, await linesWithin(ranked, budget, change.head)))
      bundles.push({ name, held })
    }
    return { units, bundles, lists, ms }
  } finally {
    await Promise.all([facts.close(), change.close()])
  }
}
