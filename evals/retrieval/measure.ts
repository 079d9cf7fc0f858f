/** What the bundle for one change holds of what a reviewer must see, beside bundles that others would make. */
import {
  defaultPassageWeights,
  fusePassages,
  type IndexStore,
  openChangedCode,
  type Passage,
  type PassageLists,
  passageLists,
} from '../../src/index.ts'
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
  /** Opened for this question when not given. */
  facts?: IndexStore
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

/** Rejects as `openChangedCode` does. */
export async function measureRetrieval(question: RetrievalQuestion): Promise<RetrievalMeasured> {
  const { folder, base, head, truth, cacheFolder, facts, signal } = question
  const selector = { kind: 'range', range: `${base}..${head}` } as const
  const code = await openChangedCode({
    ...{ folder, selector, cacheFolder },
    ...(facts && { facts }),
    ...(signal && { signal }),
  })
  try {
    const units = await neededUnits(truth, code.tree, code.change)
    if (units.length === 0) return { units, bundles: [], lists: null, ms: 0 }
    const startedAt = performance.now()
    const lists = await code.retrieve()
    const ms = performance.now() - startedAt
    const passages: [name: string, passages: readonly Passage[]][] = [
      ['ours', await code.asShown(fusePassages(lists))],
      ['whole changed files', wholeFiles(code.change)],
      ['grep of identifiers', await grepped(folder, head, code.words)],
      ['BM25 alone', await bm25Alone(code)],
      ['map by PageRank', await mapByRank(code)],
    ]
    if (question.withoutLists)
      for (const list of passageLists)
        passages.push([
          `without ${list}`,
          await code.asShown(fusePassages(lists, { ...defaultPassageWeights, [list]: 0 })),
        ])
    const bundles: HeldUnits[] = []
    for (const [name, ranked] of passages) {
      const held: number[][] = []
      for (const budget of budgets) held.push(unitsHeld(units, await linesWithin(ranked, budget, code.head)))
      bundles.push({ name, held })
    }
    return { units, bundles, lists, ms }
  } finally {
    await code.close()
  }
}
