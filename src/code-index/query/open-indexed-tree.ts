/**
 * Opens one tree for questions through its index: the one that is stored, brought up to date when little is new. When
 * much is, each name costs a pass over the texts instead, and that is said.
 */
import { count } from '../../base/count.ts'
import type { RepoSnapshot } from '../../domain/snapshot.ts'
import type { FactStore } from '../contract.ts'
import { indexPaths } from '../resolve/path-index.ts'
import { collectGarbageDaily } from '../tree-index/collect-garbage.ts'
import { openStoredTrees } from '../tree-index/open-store.ts'
import { refreshTree } from '../tree-index/refresh.ts'
import type { CodeTree } from './contract.ts'
import { openCodeTree } from './open-tree.ts'

export type IndexPlace = {
  /** Null keeps everything in memory. */
  cacheFolder: string | null
  /** What tells the repository from others, such as its place on disk. */
  repository: string
  /** False for a tree that nobody will ask about again. */
  keep: boolean
  /** Hears what a person should know and the answer does not tell. */
  onNote?: ((note: string) => void) | undefined
  signal?: AbortSignal | undefined
}

/** What a question may read and parse for the sake of the next ones, and how long that may take. */
const mostBytes = 4 * 2 ** 20
const mostMs = 3_000

export async function openIndexedTree(
  snapshot: RepoSnapshot,
  facts: FactStore,
  { cacheFolder, repository, keep, onNote, signal }: IndexPlace,
): Promise<CodeTree> {
  const stored = openStoredTrees(cacheFolder, repository)
  const refreshed = await refreshTree({ snapshot, facts, stored, keep, mostBytes, mostMs, signal })
  for (const name of stored?.damaged ?? []) onNote?.(`the index was damaged and is made anew: ${name}`)
  if (cacheFolder !== null && keep) collectGarbageDaily(cacheFolder)
  if (!('tree' in refreshed)) {
    const { missingBytes, missingFiles, why } = refreshed
    const megabytes = (missingBytes / 1e6).toFixed(1)
    onNote?.(
      `not indexed (${why}: ${count(missingFiles, 'file')}, ${megabytes} MB), so all files were read for each name; \`sightline index\` makes questions fast`,
    )
    return openCodeTree(snapshot, facts)
  }
  const { tree, notKept } = refreshed
  if (stored && keep && notKept !== null) onNote?.(`the index is in memory only: ${notKept}`)
  return openCodeTree(snapshot, facts, { index: tree.index, paths: indexPaths(tree.index.entries) })
}
