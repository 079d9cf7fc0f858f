/** Indexes commits of a repository as the command does, with a cache folder and a clock of the test's own. */
import type { IndexFolder } from '../../../src/code-index/index-files/index-folder.ts'
import type { CodeTree } from '../../../src/code-index/query/contract.ts'
import { openCodeTree } from '../../../src/code-index/query/open-tree.ts'
import { indexPaths } from '../../../src/code-index/resolve/world.ts'
import type { IndexReport } from '../../../src/code-index/tree-index/contract.ts'
import { reportOf } from '../../../src/code-index/tree-index/index-tree.ts'
import { refreshTree } from '../../../src/code-index/tree-index/refresh.ts'
import { repositoryFolder, StoredTrees } from '../../../src/code-index/tree-index/stored-trees.ts'
import type { RepoSnapshot } from '../../../src/domain/snapshot.ts'
import { type TestRepo, temporaryFolder } from '../../helpers/git-repo.ts'
import { headOf } from '../../helpers/head-of.ts'
import { sharedFacts } from '../../helpers/shared-facts.ts'

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
      const snapshot = await headOf(repo, ref)
      // Each time as a process of its own would.
      const stored = new StoredTrees(folder)
      const refreshed = await refreshTree({ snapshot, facts, stored })
      if (!('tree' in refreshed)) throw new Error(refreshed.why)
      const { index } = refreshed.tree
      return {
        tree: await openCodeTree(snapshot, facts, { index, paths: indexPaths(index.entries) }),
        plain: await openCodeTree(snapshot, facts),
        report: reportOf(refreshed, stored),
        snapshot,
      }
    },
  }
}
