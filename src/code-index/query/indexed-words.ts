/** Where words stand, from the stored index of a tree where there is one that is nearly up to date. */
import type { RepoSnapshot } from '../../domain/snapshot.ts'
import type { FactStore } from '../contract.ts'
import { openStoredTrees } from '../tree-index/open-store.ts'
import { refreshTree } from '../tree-index/refresh.ts'
import type { TreeIndex } from '../tree-index/tree-index.ts'
import type { IndexPlace } from './open-indexed-tree.ts'
import { filedWords } from './open-tree.ts'

/** More that is new costs more to file than one pass over all texts does. */
const mostBytes = 512 * 1024
const mostMs = 500

/**
 * The same snapshot with the same answers. The index is opened when the first words are asked for; without one, or when
 * too much is new, the snapshot looks for them itself.
 */
export function withIndexedWords(snapshot: RepoSnapshot, facts: FactStore, place: IndexPlace): RepoSnapshot {
  let index: Promise<TreeIndex | null> | null = null
  const open = async (): Promise<TreeIndex | null> => {
    const stored = openStoredTrees(place.cacheFolder, place.repository)
    if (!stored) return null
    const { keep, signal } = place
    const refreshed = await refreshTree({ snapshot, facts, stored, keep, mostBytes, mostMs, signal })
    return 'tree' in refreshed && refreshed.reused > 0 ? refreshed.tree.index : null
  }
  const { tree, changesSince } = snapshot
  return {
    tree,
    list: () => snapshot.list(),
    entry: (path) => snapshot.entry(path),
    read: (path) => snapshot.read(path),
    readMany: (paths) => snapshot.readMany(paths),
    ...(changesSince ? { changesSince: changesSince.bind(snapshot) } : {}),
    async filesWithWords(words) {
      index ??= open()
      const opened = await index
      return opened ? filedWords(snapshot, opened)(words) : snapshot.filesWithWords(words)
    },
  }
}
