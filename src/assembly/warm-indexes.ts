/**
 * Indexes of repositories that a long-lived process keeps at hand: the next tree of one costs what differs from the last,
 * and is on disk for whoever reviews it. What was used least recently is let go.
 */
import { lendFacts } from '../code-index/fact-store.ts'
import { buildChunkIndex } from '../code-index/search/index/open-index.ts'
import { refreshTree } from '../code-index/tree-index/refresh.ts'
import { openStoredTrees, type StoredTree, type StoredTrees } from '../code-index/tree-index/stored-trees.ts'
import type { CollectedChange } from '../hosts/contract.ts'
import type { Services } from './services.ts'

type Warm = { stored: StoredTrees; tree: StoredTree | null }

export class WarmIndexes {
  private readonly services: Pick<Services, 'facts' | 'signal'>
  private readonly cacheFolder: string
  /** By repository; used last at the end. */
  private readonly warm = new Map<string, Warm>()

  /** The services stay the caller's, to be closed by it. */
  constructor(services: Pick<Services, 'facts' | 'signal'>, cacheFolder: string) {
    this.services = services
    this.cacheFolder = cacheFolder
  }

  /** Names and chunks of the head. Returns how many files were read; rejects when the tree cannot be indexed. */
  async refresh({
    head,
    repositoryLabel: repository,
  }: Pick<CollectedChange, 'head' | 'repositoryLabel'>): Promise<number> {
    const { cacheFolder } = this
    const { facts, signal } = this.services
    const warm = this.warm.get(repository) ?? this.open(repository)
    this.warm.delete(repository)
    const lent = lendFacts(facts)
    const refreshed = await refreshTree({
      snapshot: head,
      facts: lent,
      stored: warm.stored,
      previous: warm.tree,
      signal,
    })
    if (!('tree' in refreshed)) throw new Error(`not indexed: ${refreshed.why}`)
    this.warm.set(repository, { stored: warm.stored, tree: refreshed.tree })
    await buildChunkIndex(head, lent, { cacheFolder })
    return refreshed.read
  }

  /** Lets go of all repositories but the one that was used last. Their indexes stay on disk. */
  shrink(): void {
    for (const repository of [...this.warm.keys()].slice(0, -1)) this.warm.delete(repository)
  }

  private open(repository: string): Warm {
    const stored = openStoredTrees(this.cacheFolder, repository)
    if (!stored) throw new Error('there is no folder for indexes')
    return { stored, tree: null }
  }
}

/** Whether any tree of a repository is indexed in the cache folder of a tenant. */
export function isAnyIndexed(repository: string, cacheFolder: string): boolean {
  return (openStoredTrees(cacheFolder, repository)?.recent().length ?? 0) > 0
}
