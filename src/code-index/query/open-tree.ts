/** Opens one tree for questions. */
import type { RepoSnapshot } from '../../domain/snapshot.ts'
import type { FactStore } from '../contract.ts'
import { openWorld } from '../resolve/world.ts'
import type { CodeTree } from './contract.ts'
import { readWordIndex } from './word-index.ts'

export type TreeOptions = {
  /**
   * Reads every text of the tree once and keeps its words in memory. For a process that asks many questions; without
   * it each new word costs one pass over the bytes, which is less than that for a handful of questions.
   */
  keepWords?: boolean
}

/** The snapshot and the store stay the caller's, to be closed by it. Throws `tree-too-large`. */
export async function openCodeTree(
  snapshot: RepoSnapshot,
  store: FactStore,
  { keepWords = false }: TreeOptions = {},
): Promise<CodeTree> {
  const world = await openWorld(snapshot, store, [])
  const words = keepWords ? await readWordIndex(snapshot) : null
  return {
    world,
    mentions: (wanted) => words?.(wanted) ?? snapshot.filesWithWords(wanted),
    get failures() {
      return store.failures
    },
  }
}
