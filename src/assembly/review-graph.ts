/** What earlier reviews on this machine say of some files: the graph beside the catalog, brought up to date before it is asked. */
import { basename, join } from 'node:path'
import type { RelatedReview } from '../storage/catalog/contract.ts'
import { openSqlCatalog } from '../storage/catalog/sql-catalog.ts'
import { openSqlGraph } from '../storage/catalog/sql-graph.ts'
import { openSqlite } from '../storage/catalog/sqlite.ts'
import { syncCatalog } from '../storage/catalog/sync.ts'
import { openServices } from './services.ts'

/** Where many runs are new, the rest of them is read by the next question. */
const syncMs = 5_000

export type FilesOfRepository = {
  /** As a collected change names its repository. */
  label: string
  paths: readonly string[]
  limit: number
}

/** The newest first. Null when the runs on record cannot be read. */
export async function reviewsOfFiles(
  { label, paths, limit }: FilesOfRepository,
  { environment, signal }: { environment: NodeJS.ProcessEnv; signal?: AbortSignal | undefined },
): Promise<RelatedReview[] | null> {
  const services = await openServices({ environment, cacheFolder: null, ...(signal ? { signal } : {}) })
  try {
    const database = openSqlite(join(services.runs.keyFolder, 'catalog.sqlite'))
    try {
      const catalog = openSqlCatalog(database, services.tenant)
      const late = AbortSignal.timeout(syncMs)
      await syncCatalog(services.runs, catalog, signal ? AbortSignal.any([signal, late]) : late)
      const name = basename(label)
      // A change request that was reviewed by its address is kept under the name of its host.
      const same = (await catalog.repositories()).filter(
        (one) => one.name === name || one.name.endsWith(`/${name}`),
      )
      const graph = openSqlGraph(database, services.tenant)
      const found = await Promise.all(same.map((one) => graph.reviewsOf(one.name, { paths, limit })))
      return found
        .flat()
        .sort((a, b) => (a.reviewedAt < b.reviewedAt ? 1 : -1))
        .slice(0, limit)
    } finally {
      database.close()
    }
  } catch {
    signal?.throwIfAborted()
    return null
  } finally {
    await services.close()
  }
}
