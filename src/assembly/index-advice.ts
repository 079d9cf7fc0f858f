/** Says when an index would make the next reviews of a repository faster, and roughly how long it takes to build one. */
import { lendFacts } from '../code-index/fact-store.ts'
import { buildChunkIndex, hasChunkIndex } from '../code-index/search/index/open-index.ts'
import { indexTree } from '../code-index/tree-index/index-tree.ts'
import { noPlace } from '../code-index/tree-index/manifest.ts'
import { hasUnit } from '../code-index/tree-index/read-units.ts'
import { startTree } from '../code-index/tree-index/start-tree.ts'
import { openStoredTrees } from '../code-index/tree-index/stored-trees.ts'
import type { CollectedChange } from '../hosts/contract.ts'
import type { Services } from './services.ts'

/** Rough: what two busy cores index in a second. */
export const indexedBytesPerSecond = 2e6
/** Smaller trees are read as quickly as an index is. Bytes. */
const leastBytes = 5e6

export type IndexAdvice = { megabytes: number; seconds: number }

/** Null when little of the head is not indexed, and when nothing is kept between runs. Never throws. */
export async function adviseIndex(
  { head, repositoryLabel }: Pick<CollectedChange, 'head' | 'repositoryLabel'>,
  cacheFolder: string | null,
): Promise<IndexAdvice | null> {
  if (cacheFolder === null || isIndexed(head.tree, repositoryLabel, cacheFolder)) return null
  try {
    const start = await startTree(head, openStoredTrees(cacheFolder, repositoryLabel), null)
    const bytes = (start?.entries ?? []).reduce(
      (sum, entry, at) => sum + (start?.places[at] === noPlace && hasUnit(entry) ? (entry.size ?? 0) : 0),
      0,
    )
    if (bytes < leastBytes) return null
    return { megabytes: bytes / 1e6, seconds: Math.max(1, Math.round(bytes / indexedBytesPerSecond)) }
  } catch {
    // A tree too large to be listed has no index either.
    return null
  }
}

/** Whether both the names and the chunks of a tree are stored. */
export function isIndexed(tree: string, repository: string, cacheFolder: string): boolean {
  const isStored = openStoredTrees(cacheFolder, repository)?.has(tree) === true
  return isStored && hasChunkIndex(tree, { cacheFolder })
}

/** Builds the index of the head of a collected change, names and chunks. Null when there is nothing to build. */
export async function indexCollected(
  { head, repositoryLabel: repository }: Pick<CollectedChange, 'head' | 'repositoryLabel'>,
  { facts, folders: { cache }, signal }: Pick<Services, 'facts' | 'folders' | 'signal'>,
): Promise<{ files: number; namesMs: number; chunksMs: number } | null> {
  if (cache === null || isIndexed(head.tree, repository, cache)) return null
  const lent = lendFacts(facts)
  const startedAt = performance.now()
  const { times } = await indexTree({ snapshot: head, facts: lent, cacheFolder: cache, repository, signal })
  await buildChunkIndex(head, lent, { cacheFolder: cache })
  const files = (await head.list()).length
  const namesMs = times.totalMs
  return { files, namesMs, chunksMs: performance.now() - startedAt - namesMs }
}
