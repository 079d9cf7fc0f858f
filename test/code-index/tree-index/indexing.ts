/** Indexes commits of a repository as the command does, with a cache folder and a clock of the test's own. */
import { onTestFinished } from 'vitest'
import type { IndexFolder } from '../../../src/code-index/index-files/index-folder.ts'
import type { CodeTree } from '../../../src/code-index/query/contract.ts'
import { openCodeTree } from '../../../src/code-index/query/open-tree.ts'
import { indexPaths } from '../../../src/code-index/resolve/world.ts'
import type { IndexReport } from '../../../src/code-index/tree-index/contract.ts'
import { reportOf } from '../../../src/code-index/tree-index/index-tree.ts'
import { refreshTree } from '../../../src/code-index/tree-index/refresh.ts'
import { repositoryFolder, StoredTrees } from '../../../src/code-index/tree-index/stored-trees.ts'
import type { RepoSnapshot } from '../../../src/domain/snapshot.ts'
import { collectLocal } from '../../../src/hosts/local/collect.ts'
import { type TestRepo, temporaryFolder } from '../../helpers/git-repo.ts'
import { sharedFacts } from '../../helpers/shared-facts.ts'

export const limits = { changedFiles: 3000, fileBytes: 1_048_576, treeEntries: 1_000_000 }

export type Indexing = {
  /** Indexes a commit and opens it for questions; `plain` answers from passes over the texts. */
  open(
    ref?: string,
  ): Promise<{ tree: CodeTree; plain: CodeTree; report: IndexReport; snapshot: RepoSnapshot }>
  folder: IndexFolder
}

export function indexingOf(
  repo: Pick<TestRepo, 'path'>,
  { cacheFolder = temporaryFolder(), now = Date.now }: { cacheFolder?: string; now?: () => number } = {},
): Indexing {
  const folder = repositoryFolder(cacheFolder, repo.path, now)
  const facts = sharedFacts()
  return {
    folder,
    async open(ref = 'HEAD') {
      const selector = { kind: 'commit', commit: ref } as const
      const change = await collectLocal({ folder: repo.path, selector, limits })
      onTestFinished(() => change.close())
      // Each time as a process of its own would.
      const stored = new StoredTrees(folder)
      const refreshed = await refreshTree({ snapshot: change.head, facts, stored })
      if (!('tree' in refreshed)) throw new Error(refreshed.why)
      const { index } = refreshed.tree
      return {
        tree: await openCodeTree(change.head, facts, { index, paths: indexPaths(index.entries) }),
        plain: await openCodeTree(change.head, facts),
        report: reportOf(refreshed, stored),
        snapshot: change.head,
      }
    },
  }
}
