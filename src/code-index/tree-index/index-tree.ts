/** What `sightline index` does: builds or refreshes the index of one tree, or says what of it there is. */
import type { IndexReport, IndexStatus } from './contract.ts'
import { openStoredTrees } from './open-store.ts'
import { type RefreshOptions, refreshTree } from './refresh.ts'
import { reportOf } from './report.ts'

export type IndexedTree = Pick<RefreshOptions, 'snapshot' | 'facts' | 'keep' | 'signal' | 'onProgress'> & {
  cacheFolder: string | null
  repository: string
}

/** Throws when the tree names one path twice: no repository that git writes does. */
export async function indexTree({ cacheFolder, repository, ...options }: IndexedTree): Promise<IndexReport> {
  const stored = openStoredTrees(cacheFolder, repository)
  const refreshed = await refreshTree({ ...options, stored })
  if (!('tree' in refreshed)) throw new Error(`not indexed: ${refreshed.why}`)
  return reportOf(refreshed, stored, options.facts.notKept ?? null)
}

/** Reads no file of the tree, and writes none. */
export async function indexStatus({
  cacheFolder,
  repository,
  ...options
}: IndexedTree): Promise<IndexStatus> {
  const stored = openStoredTrees(cacheFolder, repository)
  const refreshed = await refreshTree({ ...options, stored, keep: false, mostBytes: -1 })
  if ('tree' in refreshed)
    return {
      state: 'complete',
      missing: { files: 0, bytes: 0 },
      report: reportOf(refreshed, stored, options.facts.notKept ?? null),
    }
  const { missingFiles: files, missingBytes: bytes, knownFiles } = refreshed
  return { state: knownFiles > 0 ? 'partial' : 'none', missing: { files, bytes }, report: null }
}
