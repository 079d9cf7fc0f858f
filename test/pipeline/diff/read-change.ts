/** One change of a real repository, read through the real collector and held against three counts and the blobs. */

import type { FileChange } from '../../../src/domain/change-set.ts'
import type { ChangeSelector } from '../../../src/hosts/contract.ts'
import { collectLocal } from '../../../src/hosts/local/collect.ts'
import { readChangeSet } from '../../../src/pipeline/diff/read-change-set.ts'
import type { TestRepo } from '../../helpers/git-repo.ts'
import { type Agreement, compareChange, emptyAgreement } from './compare.ts'

const limits = { changedFiles: 10_000, fileBytes: 1 << 22, treeEntries: 1_000_000 }

/** The last commit unless told otherwise. */
export async function readChange(
  repo: TestRepo,
  selector: ChangeSelector = { kind: 'commit', commit: 'HEAD' },
): Promise<{ files: FileChange[]; agreement: Agreement }> {
  const change = await collectLocal({ folder: repo.path, selector, limits })
  try {
    const raw = await change.diff()
    const { files } = await readChangeSet(raw, { exclude: [], generated: [], tests: [], base: change.base })
    const agreement = emptyAgreement()
    await compareChange(raw, files, change.base, change.head, agreement)
    return { files, agreement }
  } finally {
    await change.close()
  }
}
