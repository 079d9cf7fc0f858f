/** The index of the tree that was reviewed, with the texts of the editor in it. */
import type { CodeTree } from '../code-index/query/contract.ts'
import { openIndexedTree } from '../code-index/query/open-tree.ts'
import type { CollectedChange } from '../hosts/contract.ts'
import type { ReviewPlace } from './contract.ts'
import { collectTree } from './review-tree.ts'

/** Open while it is asked. Throws as `collect` does. */
export async function inReviewedTree<Answer>(
  place: ReviewPlace,
  ask: (parts: { tree: CodeTree; change: CollectedChange }) => Promise<Answer>,
): Promise<Answer> {
  const { session, reviewed, signal } = place
  const { services } = session
  const change = await collectTree({ ...place, unsaved: reviewed.unsaved })
  try {
    const tree = await openIndexedTree(change.head, services.facts, {
      cacheFolder: services.folders.cache,
      repository: change.repositoryLabel,
      keep: false,
      signal,
    })
    return await ask({ tree, change })
  } finally {
    await change.close()
  }
}
